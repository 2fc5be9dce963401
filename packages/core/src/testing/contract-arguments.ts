import { describe, expect, test } from "vitest";
import { emitSchema, type JsonSchema } from "../schema.ts";
import { type Subject, useServer, type World } from "./subject.ts";

type Arguments = Record<string, unknown>;

const typesOf = (schema: JsonSchema) => [schema.type ?? []].flat();

/** Arguments as clients really send them, and arguments that are wrong. */
export function describeArguments<W extends World>(subject: Subject<W>): void {
  const tools = subject.tools.map(
    (tool) => [tool.name, emitSchema(tool.input, "input"), tool.effect] as const,
  );
  const good = (name: string, world: W): Arguments => subject.calls[name]?.(world) ?? {};

  describe("arguments", () => {
    const current = useServer(subject);
    const refused = async (name: string, args: Arguments) => {
      const { isError, text } = await current.server.call(name, args);
      expect(isError, `${name} ${JSON.stringify(args)}: ${text}`).toBe(true);
      expect(text).toMatch(/^INVALID_ARGUMENT: .+\.\nNext: .+\.$/);
      return text;
    };

    test.each(tools)(
      "%s names an unknown argument, the accepted ones and the nearest",
      async (name, schema) => {
        const accepted = Object.keys(schema.properties ?? {});
        const text = await refused(name, { ...good(name, current.world), zzqx_17: 1 });
        expect(text).toContain('"zzqx_17"');
        for (const argument of accepted) expect(text).toContain(argument);
        for (const argument of accepted.filter((candidate) => candidate.length > 4)) {
          const misspelt = `${argument.slice(0, 2)}${argument.slice(3)}`;
          const misspeltText = await refused(name, { ...good(name, current.world), [misspelt]: 1 });
          expect(misspeltText).toContain(`Next: Call again with ${argument} in place of "${misspelt}".`);
        }
      },
    );

    test.each(tools)("%s names what is missing, of the wrong type or out of range", async (name, schema) => {
      const args = good(name, current.world);
      for (const required of schema.required ?? []) {
        const { [required]: _left, ...others } = args;
        expect(await refused(name, others)).toContain(`${required}: is missing`);
      }
      for (const [argument, property] of Object.entries(schema.properties ?? {})) {
        const types = typesOf(property);
        if (!types.includes("object"))
          expect(await refused(name, { ...args, [argument]: { a: 1 } })).toContain(`${argument}: `);
        if (types.includes("integer") && property.maximum !== undefined) {
          const over = await refused(name, { ...args, [argument]: property.maximum + 1 });
          expect(over).toContain(String(property.maximum));
          expect(over).toContain(String(property.minimum));
        }
        if (types.includes("integer")) await refused(name, { ...args, [argument]: 1.5 });
        if (property.enum !== undefined)
          expect(await refused(name, { ...args, [argument]: "zz" })).toContain(String(property.enum[0]));
      }
    });

    test.each(tools.filter(([, , effect]) => effect === "read"))(
      "%s takes null for absence, digits for numbers and JSON text for lists and objects",
      async (name, schema) => {
        const args = good(name, current.world);
        const plain = await current.server.call(name, args);
        const variants: Arguments[] = [];
        const optional = Object.keys(schema.properties ?? {}).filter(
          (key) => !schema.required?.includes(key),
        );
        const absent = optional.filter((key) => args[key] === undefined);
        variants.push({ ...args, ...Object.fromEntries(absent.map((key) => [key, null])) });
        for (const [argument, property] of Object.entries(schema.properties ?? {})) {
          const types = typesOf(property);
          const value = args[argument] ?? property.default;
          if (value === undefined || types.includes("string")) continue;
          variants.push({
            ...args,
            [argument]: typeof value === "object" ? JSON.stringify(value) : String(value),
          });
        }
        for (const variant of variants) {
          const { text } = await current.server.call(name, variant);
          expect(JSON.parse(text), JSON.stringify(variant)).toEqual(plain.data);
        }
      },
    );
  });
}
