export { bundleScript } from "./bundle-script.ts";
export { type NodeBinary, nodeBinaries } from "./node-binaries.ts";
