import { VaultError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { type ChangeRequest, changeText, type TextChange } from "./change-text.ts";
import { editFrontmatter } from "./edit-frontmatter.ts";
import type { WritingDeps } from "./writing-deps.ts";

export interface FrontmatterRequest extends ChangeRequest {
  readonly set: JsonObject | undefined;
  readonly remove: readonly string[] | undefined;
}

/**
 * Sets and removes keys of a note's frontmatter in place.
 *
 * @throws VaultError INVALID_ARGUMENT, and what `editFrontmatter` and `changeText` throw.
 */
export async function setFrontmatter(
  deps: WritingDeps,
  request: FrontmatterRequest,
  signal: AbortSignal,
): Promise<TextChange> {
  const set = request.set ?? {};
  const remove = request.remove ?? [];
  const refuse = (argument: string, problem: string, next: string) => {
    throw new VaultError("INVALID_ARGUMENT", { argument, problem, next });
  };
  if (Object.keys(set).length === 0 && remove.length === 0) {
    refuse("set", "names no key, and neither does remove", "Call again with set, remove or both.");
  }
  const both = remove.find((key) => Object.hasOwn(set, key));
  if (both !== undefined) {
    const next = "Call again with each key in one of the two.";
    refuse("remove", `names ${JSON.stringify(both.slice(0, 100))}, which set names too`, next);
  }
  if (Object.hasOwn(set, "") || remove.includes("")) {
    refuse(Object.hasOwn(set, "") ? "set" : "remove", "has an empty key", "Call again with the key's name.");
  }
  return changeText(deps, request, signal, (text, { kind }, { yaml }) => {
    if (kind !== "note") {
      refuse(
        "path",
        "is an attachment, and only notes have frontmatter",
        "Call again with the path of a note.",
      );
    }
    return editFrontmatter(request.path, text, { set, remove }, yaml);
  });
}
