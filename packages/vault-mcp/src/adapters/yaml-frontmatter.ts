import matter from "gray-matter";
import yaml from "js-yaml";
import type { Json } from "../domain/json.ts";
import type { ParseError, ParseYaml } from "../domain/note/frontmatter.ts";

const mostAliases = 100;

/**
 * Reads frontmatter with gray-matter and a js-yaml schema in which values are as written: a plain scalar is a number
 * only if printing that number gives the same text, a boolean only as `true` or `false`, null only as `null`, `~` or
 * nothing; dates and everything else are text. No other engine can run, whatever a note's first line asks for.
 */
export function createYamlParser(): ParseYaml {
  const schema = createSchema();
  // gray-matter hands over the line break of the opening line too.
  const parse = (text: string) => ({ value: load(text.replace(/^\r?\n/, ""), schema) });
  const refuse = () => {
    throw new TypeError("only YAML is read");
  };
  const options = {
    language: "yaml",
    engines: {
      yaml: { parse },
      json: { parse: refuse },
      javascript: { parse: refuse },
      coffee: { parse: refuse },
    },
  };
  return (text) => {
    try {
      // With options gray-matter leaves its cache alone. It cuts at any line that begins with three dashes, so
      // a block that holds such a line is read without it.
      const { value } = /^---/m.test(text)
        ? parse(`\n${text}`)
        : (matter(`---\n${text}\n---\n`, options).data as { value?: unknown });
      return { value: toJson(value ?? null, text.length) };
    } catch (error) {
      if (error instanceof yaml.YAMLException || error instanceof AliasError || error instanceof KeyError)
        return { error: describe(error) };
      throw error;
    }
  };
}

class AliasError extends Error {}

class KeyError extends Error {
  readonly mark: { readonly line: number };

  constructor(line: number) {
    super("has a mapping in the place of a key");
    this.mark = { line };
  }
}

function createSchema(): yaml.Schema {
  const scalar = (tag: string, resolve: (text: string) => boolean, construct: (text: string) => unknown) =>
    new yaml.Type(tag, { kind: "scalar", resolve, construct });
  return new yaml.Schema({
    include: [yaml.FAILSAFE_SCHEMA],
    implicit: [
      scalar(
        "tag:yaml.org,2002:null",
        (text) => text === null || text === "" || text === "~" || text === "null",
        () => null,
      ),
      scalar(
        "tag:yaml.org,2002:bool",
        (text) => text === "true" || text === "false",
        (text) => text === "true",
      ),
      scalar(
        "tag:yaml.org,2002:float",
        (text) => text !== null && Number.isFinite(Number(text)) && String(Number(text)) === text,
        Number,
      ),
    ],
  });
}

/** js-yaml's parser state, as far as it is looked at and changed here. */
interface LoaderState {
  anchorMap: Record<string, unknown>;
  readonly input: string;
  readonly position: number;
  readonly line: number;
  kind: string | null;
  result: unknown;
}

/** What js-yaml makes of a mapping that stands in the place of a key. */
const mappingKey = "[object Object]";

function load(text: string, schema: yaml.Schema): unknown {
  let aliases = 0;
  const counted = new WeakSet<object>();
  const starts: number[] = [];
  const listener = (event: string, state: LoaderState) => {
    if (event === "open") starts.push(state.position);
    else keepPlaceholder(starts.pop() ?? 0, state);
    if (counted.has(state.anchorMap)) return;
    // An alias is read from this map; nothing else is.
    state.anchorMap = new Proxy(state.anchorMap, {
      get(anchors, name) {
        aliases += 1;
        if (aliases > mostAliases) throw new AliasError(`has more than ${mostAliases} aliases`);
        return Reflect.get(anchors, name);
      },
    });
    counted.add(state.anchorMap);
  };
  return yaml.load(text, { schema, listener: listener as never }) ?? null;
}

/** `{{date}}` of a template is a mapping in YAML whose key is a mapping; it is taken as the text that it was meant as. */
function keepPlaceholder(start: number, state: LoaderState): void {
  if (state.kind !== "mapping" || state.result === null || typeof state.result !== "object") return;
  if (!Object.hasOwn(state.result, mappingKey) || state.input.includes(mappingKey)) return;
  const written = state.input.slice(start, state.position).trim();
  if (!/^\{\{[^{}\r\n]*\}\}$/.test(written)) throw new KeyError(state.line);
  state.kind = "scalar";
  state.result = written;
}

/** A value without shared parts; aliases may make it ten times as large as its text, and never circular. */
function toJson(value: unknown, textLength: number): Json {
  let room = textLength * 10 + 10_000;
  const open = new Set<unknown>();
  const spend = (size: number) => {
    room -= size;
    if (room < 0) throw new AliasError("has aliases that make it many times larger");
  };
  const copy = (part: unknown): Json => {
    spend(typeof part === "string" ? part.length + 1 : 1);
    if (typeof part !== "object" || part === null) return (part ?? null) as Json;
    if (open.has(part)) throw new AliasError("has an alias that holds itself");
    open.add(part);
    const copied: Json = Array.isArray(part)
      ? part.map(copy)
      : Object.fromEntries(
          Object.entries(part).map(([key, inner]) => {
            spend(key.length);
            return [key, copy(inner)];
          }),
        );
    open.delete(part);
    return copied;
  };
  return copy(value);
}

function describe(error: Error & { reason?: unknown; mark?: { line?: unknown } }): ParseError {
  const line = typeof error.mark?.line === "number" ? error.mark.line + 1 : 1;
  return { line, message: typeof error.reason === "string" ? error.reason : error.message };
}
