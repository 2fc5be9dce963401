import { lineAt } from "../note/text-lines.ts";
import type { PrintedValue } from "./print-yaml.ts";
import type { YamlEntry } from "./yaml-layout.ts";

/**
 * A block with one entry's value replaced, or with the entry's lines taken out where `printed` is undefined. A
 * comment on the key's line stays with a key that stays.
 */
export function spliceEntry(
  yaml: string,
  entry: YamlEntry,
  printed: PrintedValue | undefined,
  ending: string,
): string {
  const { start, valueFrom, valueTo } = entry;
  const endsLine = valueTo > valueFrom && /[\r\n]/.test(yaml.charAt(valueTo - 1));
  const last = lineAt(yaml, valueTo);
  const end = endsLine ? valueTo : last.next;
  if (printed === undefined) return yaml.slice(0, start) + yaml.slice(end);
  const { inline, lines } = printed;
  const value = inline === "" ? "" : ` ${inline}`;
  if (!endsLine && lines.length === 0) {
    return yaml.slice(0, valueFrom) + value + yaml.slice(valueTo);
  }
  const comment = endsLine ? headComment(yaml, entry) : yaml.slice(valueTo, last.end).trimEnd();
  const head = `${value}${comment === "" ? "" : ` ${comment.trimStart()}`}`;
  const changed = [head, ...lines].join(ending);
  // The last line of a block may have no ending of its own; the lines behind it need one.
  const close = end === yaml.length && !/[\r\n]$/.test(yaml) ? "" : ending;
  return yaml.slice(0, valueFrom) + changed + close + yaml.slice(end);
}

/** The comment behind a key whose value is on the lines below. */
function headComment(yaml: string, { valueFrom, style }: YamlEntry): string {
  const rest = yaml.slice(valueFrom, lineAt(yaml, valueFrom).end);
  const pattern = style === "text" ? /^[ \t]*[|>][-+\d]*[ \t]+(#.*)$/ : /^[ \t]+(#.*)$/;
  return pattern.exec(rest)?.[1]?.trimEnd() ?? "";
}
