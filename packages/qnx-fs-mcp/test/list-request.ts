import type { ListRequest } from "../src/domain/list-directory.ts";

/** A request for the whole of a directory by name, but for what is given. */
export function listRequest(path: string, request: Partial<ListRequest> = {}): ListRequest {
  return {
    path,
    sort: "name",
    order: "asc",
    pattern: undefined,
    types: undefined,
    after: undefined,
    listing: undefined,
    count: 2_000,
    ...request,
  };
}
