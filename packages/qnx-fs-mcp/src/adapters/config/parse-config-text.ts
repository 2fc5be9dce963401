import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from "yaml";
import type { ConfigProblem } from "../../domain/config-fields.ts";
import type { Configuration } from "../../domain/configuration.ts";
import { parseConfiguration } from "../../domain/parse-configuration.ts";

const mostProblems = 5;

/** The configuration that a YAML text holds, or one line that tells what is wrong and where. */
export function parseConfigText(text: string, file: string): Configuration | string {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) return `${file}:${lines.linePos(error.pos[0]).line}: ${firstLine(error.message)}`;
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: 100 });
  } catch {
    return `${file}: its aliases lead to too much`;
  }
  const parsed = parseConfiguration(tree);
  if (parsed.configuration !== undefined) return parsed.configuration;
  const told = parsed.problems.slice(0, mostProblems).map((problem) => tell(problem, document, lines));
  const more = parsed.problems.length - told.length;
  return `${file}:${told.join("; line ")}${more > 0 ? ` (and ${more} more)` : ""}`;
}

function tell({ path, message }: ConfigProblem, document: Document, lines: LineCounter): string {
  const offset = offsetOf(document, path);
  const line = offset === undefined ? 1 : lines.linePos(offset).line;
  return `${line}: ${path.length === 0 ? "the file" : path.join(".")}: ${message}`;
}

/** Where the key of a path stands; where its mapping does when there is no such key. */
function offsetOf(document: Document, path: readonly (string | number)[]): number | undefined {
  let node: unknown = document.contents;
  let offset = (document.contents as Node | null)?.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      const pair = node.items.find(
        ({ key }) => (isScalar(key) ? String(key.value) : String(key)) === String(step),
      );
      if (pair === undefined) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else {
      node = document.getIn(path.slice(0, path.indexOf(step) + 1), true);
      offset = (node as Node | undefined)?.range?.[0] ?? offset;
    }
  }
  return offset;
}

function firstLine(message: string): string {
  return message.split("\n")[0]?.replace(/:$/, "") ?? message;
}
