import type { RouteAnswer, Routes } from "@mcp-file-servers/core";
import { parseApp } from "../domain/app-name.ts";
import { parsePath } from "../domain/file-path.ts";
import { filesPrefix as prefix } from "../domain/file-url.ts";
import { plainClientName } from "../domain/plain-text.ts";
import type { Deps } from "../tools/define.ts";
import { readRoute } from "./read-route.ts";
import { RouteFailure, respondFailure } from "./route-failure.ts";
import { deleteRoute, type Place, writeRoute } from "./write-route.ts";

/** `GET`, `HEAD`, `PUT` and `DELETE` of `/files/{app}/{path}`, for bytes that must not pass through a model. */
export function fileRoutes(isReadOnly: boolean): Routes<Deps> {
  return {
    prefix,
    name: "files",
    async answer(request, { deps }, access): Promise<RouteAnswer> {
      let subject = "";
      try {
        const place = placeOf(request, deps);
        subject = `${request.method} ${place.app} ${place.path}`;
        const mayWrite = !isReadOnly && !access.readOnly;
        const client = plainClientName(`http ${access.name}`);
        const response = await answer(request, place, deps, mayWrite, client);
        return { response, subject, outcome: "ok" };
      } catch (error) {
        const { response, code } = respondFailure(error);
        return { response, subject, outcome: code };
      }
    },
  };
}

function answer(
  request: Request,
  place: Place,
  deps: Deps,
  mayWrite: boolean,
  client: string,
): Promise<Response> {
  const { method } = request;
  if (method === "GET" || method === "HEAD") return readRoute(request, place, deps.store);
  const allow = mayWrite ? "GET, HEAD, PUT, DELETE" : "GET, HEAD";
  if (method !== "PUT" && method !== "DELETE") {
    throw new RouteFailure(405, "METHOD_NOT_ALLOWED", `${method} is not served`, `Use ${allow}.`, { allow });
  }
  if (!mayWrite)
    throw new RouteFailure(403, "READ_ONLY", "nothing may be changed here", `Use ${allow}.`, { allow });
  const writing = { ...deps, client };
  return method === "PUT" ? writeRoute(request, place, writing) : deleteRoute(request, place, writing);
}

/** @throws AppFilesError INVALID_APP, APP_NOT_ALLOWED, INVALID_PATH; RouteFailure */
function placeOf(request: Request, { policy }: Deps): Place {
  const [app = "", ...segments] = new URL(request.url).pathname.slice(prefix.length).split("/").map(decode);
  return { app: parseApp(app, policy), path: parsePath(segments.join("/")) };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new RouteFailure(
      400,
      "INVALID_PATH",
      "the path is not percent-encoded UTF-8",
      "Encode each segment as UTF-8.",
    );
  }
}
