import type { OpenRoutes } from "@mcp-file-servers/core";
import { linksPrefix } from "../domain/file-url.ts";
import { hashSecret } from "../domain/link.ts";
import type { Deps } from "../tools/define.ts";
import { respondContent } from "./read-route.ts";
import { RouteFailure, respondFailure } from "./route-failure.ts";

/**
 * `GET` and `HEAD` of `/files/-/{secret}`: one version of one file, once, without a token. What fails and what only looks
 * leaves the link as it is.
 */
export function linkRoutes({ store, policy }: Pick<Deps, "store" | "policy">): OpenRoutes {
  return {
    prefix: linksPrefix,
    name: "links",
    async answer(request) {
      const { method } = request;
      let about = { subject: method, caller: "" };
      try {
        if (method !== "GET" && method !== "HEAD") throw notAllowed(method);
        const hash = hashSecret(new URL(request.url).pathname.slice(linksPrefix.length));
        const link = await store.links.find(hash);
        if (link === undefined || !policy.allows(link.app)) throw notFound();
        about = { subject: `${method} ${link.app} ${link.path}`, caller: link.by };
        if (isAhead(request)) throw tooEarly();
        const content = await store.open(link.app, link.path, link.version);
        const response = await respondContent(request, content, onceHeaders);
        if (method === "GET" && response.ok && !(await store.links.take(hash))) {
          await response.body?.cancel();
          throw notFound();
        }
        return { response, ...about, outcome: "ok" };
      } catch (error) {
        const { response, code } = respondFailure(error);
        return { response, ...about, outcome: code };
      }
    },
  };
}

/** What was fetched by a link is in no cache, and its address goes nowhere. */
const onceHeaders = { "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

/** Whether a browser only fetches what its user may open: that must not use the link up. */
function isAhead({ headers }: Request): boolean {
  return ["sec-purpose", "purpose", "x-moz"].some((name) => /prefetch|preview/.test(headers.get(name) ?? ""));
}

/** The same for a link that was used, is over, or never was: nobody can tell which. */
function notFound(): RouteFailure {
  return new RouteFailure(
    404,
    "NOT_FOUND",
    "this link does not exist; it works once, and for 10 minutes",
    "Ask for a new one.",
    { "cache-control": "no-store" },
  );
}

function tooEarly(): RouteFailure {
  return new RouteFailure(425, "PREFETCH", "a link is not fetched ahead", "Open it when it is wanted.", {
    "cache-control": "no-store",
  });
}

function notAllowed(method: string): RouteFailure {
  const allow = "GET, HEAD";
  return new RouteFailure(405, "METHOD_NOT_ALLOWED", `${method} is not served`, `Use ${allow}.`, { allow });
}
