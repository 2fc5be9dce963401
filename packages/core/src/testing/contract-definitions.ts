import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { hintsOf } from "../effect.ts";
import { jsonBytes } from "../json.ts";
import type { JsonSchema } from "../schema.ts";
import { type Subject, useServer, type World } from "./subject.ts";

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: object;
}

/** Every schema inside a schema, itself included, with its path. */
function* schemasIn(schema: JsonSchema, path = ""): Generator<[string, JsonSchema]> {
  yield [path, schema];
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    yield* schemasIn(property, `${path}.${name}`);
  if (schema.items !== undefined) yield* schemasIn(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === "object")
    yield* schemasIn(schema.additionalProperties, `${path}.*`);
}

/** Definitions that every client takes and from which a tool can be chosen and called. */
export function describeDefinitions<W extends World>(subject: Subject<W>): void {
  describe("definitions", () => {
    const current = useServer(subject);
    let tools: Listed[] = [];
    beforeAll(async () => {
      tools = (await current.server.client.listTools()).tools as unknown as Listed[];
    });

    test("lists the declared tools, each once", () => {
      expect(tools.map(({ name }) => name).sort()).toEqual(subject.tools.map(({ name }) => name).sort());
    });

    test("gives names, titles and descriptions within their limits", () => {
      for (const { name, title, description } of tools) {
        expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/);
        expect(title, name).toMatch(/\S/);
        expect(description.length, name).toBeGreaterThan(name.length + title.length);
        expect(description.length, name).toBeLessThanOrEqual(1_024);
      }
    });

    test("gives all four hints of each tool's effect", () => {
      for (const { name, title, annotations } of tools) {
        const declared = subject.tools.find((tool) => tool.name === name);
        expect(annotations, name).toEqual({
          title,
          ...hintsOf(declared?.effect ?? "read", declared?.idempotent),
        });
      }
    });

    test("uses objects without unions and references, with every list's items", () => {
      for (const { name, inputSchema, outputSchema } of tools) {
        for (const schema of [inputSchema, outputSchema]) {
          expect(schema.type, name).toBe("object");
          expect(schema.properties, name).toBeTypeOf("object");
          expect(JSON.stringify(schema)).not.toMatch(/"(anyOf|oneOf|allOf|not|if|\$ref|propertyNames)":/);
          for (const [path, part] of schemasIn(schema)) {
            if ([part.type].flat().includes("array"))
              expect(part.items, `${name}${path}`).toBeTypeOf("object");
            expect(Math.abs(part.maximum ?? 0), `${name}${path}`).toBeLessThan(Number.MAX_SAFE_INTEGER);
          }
        }
      }
    });

    test("describes every argument and refuses others", () => {
      for (const { name, inputSchema } of tools) {
        expect(inputSchema.additionalProperties, name).toBe(false);
        for (const [path, part] of schemasIn(inputSchema)) {
          if (/\.[^.*[\]]+$/.test(path)) expect(part.description, `${name}${path}`).toMatch(/\S/);
        }
      }
    });

    test("ends every answer with the mark that nothing was cut off", () => {
      for (const { name, outputSchema } of tools) {
        expect(Object.keys(outputSchema.properties ?? {}).at(-1), name).toBe("eot");
        expect(outputSchema.required, name).toContain("eot");
      }
    });

    test("keeps to the size budgets", () => {
      const inputs = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
      expect(jsonBytes(inputs)).toBeLessThanOrEqual(20_000);
      expect(jsonBytes({ tools })).toBeLessThanOrEqual(40_000);
    });

    test("is the golden list, byte for byte", () => {
      const text = `${JSON.stringify({ tools }, undefined, 2)}\n`;
      // A new golden file is written on demand only, never where it is what is being checked.
      const update = process.env.UPDATE_GOLDEN !== undefined && process.env.CI === undefined;
      if (update || (!existsSync(subject.golden) && process.env.CI === undefined))
        writeFileSync(subject.golden, text);
      expect(text).toBe(readFileSync(subject.golden, "utf8"));
    });
  });
}
