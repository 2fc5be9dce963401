import { parentPort, workerData } from "node:worker_threads";
import { readPrivateKey } from "./read-private-key.ts";
import { loadSsh2 } from "./ssh2-library.ts";

/** Opens one encrypted private key, given as `workerData`, away from the thread that answers calls. */
const { text, passphrase } = workerData as { readonly text: string; readonly passphrase: string };
const { utils } = await loadSsh2();
parentPort?.postMessage(readPrivateKey(utils.parseKey, text, passphrase));
