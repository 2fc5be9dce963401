export { bundleScript } from "./bundle-script.ts";
