import { Worker } from "node:worker_threads";
import type { FromKeeper, StartKeeper } from "./keeper-messages.ts";

/** What the worker makes is short-lived; the usual size would let memory grow by three times as much. */
const youngMegabytes = 8;

/**
 * Runs the keeper in a worker thread, whose script is `index.worker`.
 *
 * @param started called once the thread runs.
 */
export function keeperInWorker(script: URL, started: () => void): StartKeeper {
  return (settings, events) => {
    const worker = new Worker(script, {
      workerData: settings,
      resourceLimits: { maxYoungGenerationSizeMb: youngMegabytes },
    });
    worker.once("online", started);
    let closed = false;
    const ended = new Promise<void>((resolve) => {
      worker.once("exit", (code) => {
        if (!closed) events.lost(new Error(`the worker ended with ${code}`));
        closed = true;
        resolve();
      });
    });
    worker.on("error", (error) => {
      if (!closed) events.lost(error);
      closed = true;
    });
    worker.on("message", (message: FromKeeper) => {
      if (message.kind === "closed") closed = true;
      events.message(message);
    });
    // Whoever only waits for the worker may end.
    worker.unref();
    return {
      send: (message) => worker.postMessage(message),
      end: () => {
        closed = true;
        return ended;
      },
    };
  };
}
