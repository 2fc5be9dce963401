export { type ConnectedServer, connect, type Outcome, type Start } from "./connect.ts";
export { describeServerContract } from "./contract.ts";
export { installPacked, type PackedServer } from "./install-packed.ts";
export { type NodeBinary, nodeBinaries } from "./nodes.ts";
export { type Exit, type RawServer, startRawServer } from "./raw-server.ts";
export type { BadStart, Refusal, ServerContract, Walk, World } from "./subject.ts";
