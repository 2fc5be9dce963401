import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Frees what nothing holds any more: what is new (0.2 ms in a server), or everything (some 8 ms). */
export type CollectGarbage = (what: "new" | "all") => void;

type Collect = (options?: { readonly type: "minor" }) => void;

/**
 * V8's own collection, for work that makes more garbage outside of V8's heap than V8 can see. Made at the first use.
 * Node shows it only to a context that is made while a flag is set; an engine that does not collects when it sees fit.
 */
export function createCollectGarbage(): CollectGarbage {
  let collect: Collect | undefined;
  return (what) => {
    collect ??= findCollect();
    if (what === "new") collect({ type: "minor" });
    else collect();
  };
}

function findCollect(): Collect {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("globalThis.gc") as Collect | undefined;
  setFlagsFromString("--no-expose-gc");
  return collect ?? (() => {});
}
