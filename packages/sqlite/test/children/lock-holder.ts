/** Takes a lock, says `held` and keeps it until it is killed: `lock-holder.mjs PATH ENGINE`. */
import { type EngineName, openProcessLock } from "../../src/index.ts";

const [path = "", engine] = process.argv.slice(2);
const lock = await openProcessLock(path, { engine: engine as EngineName });
await lock.take();
process.stdout.write("held\n");
setInterval(() => {}, 60_000);
