import { describe, expect, test } from "vitest";
import { endOfText } from "../fields.ts";
import { jsonBytes } from "../json.ts";
import { type Subject, useServer, type World } from "./subject.ts";

/** Codes that core gives by itself; the suite's other parts provoke those that can be. */
const ownCodes = ["INVALID_ARGUMENT", "INVALID_CURSOR", "TIMED_OUT", "CANCELLED", "INTERNAL"];

/** Good answers and refusals. */
export function describeCalls<W extends World>(subject: Subject<W>): void {
  const names = subject.tools.map(({ name }) => name);

  describe("calls", () => {
    const current = useServer(subject);

    test.each(names)("%s answers with the same data in both halves", async (name) => {
      const args = subject.calls[name]?.(current.world);
      expect(args, `a good call of ${name}`).toBeDefined();
      const { isError, text, data } = await current.server.call(name, args);
      expect(isError, text).toBe(false);
      expect(text).toBe(JSON.stringify(data));
      expect(Object.keys(data).at(-1)).toBe("eot");
      expect(data.eot).toBe(endOfText);
      expect(jsonBytes(data)).toBeLessThanOrEqual(40_000);
    });

    test("has a refusal for every declared failure code", () => {
      const declared = subject.tools.flatMap(({ name, failures }) =>
        failures.filter((code) => !ownCodes.includes(code)).map((code) => `${name} ${code}`),
      );
      expect(subject.refusals.map(({ tool, code }) => `${tool} ${code}`)).toEqual(
        expect.arrayContaining(declared),
      );
    });
  });

  describe("refusals", () => {
    const current = useServer(subject);

    test.each(subject.refusals.map((refusal) => [refusal.tool, refusal.code, refusal] as const))(
      "%s refuses with %s and says what to do",
      async (tool, code, { args, prepare }) => {
        await prepare?.(current.world, current.server);
        const { isError, text, data, content } = await current.server.call(tool, args(current.world));
        expect(isError, text).toBe(true);
        expect(text).toMatch(new RegExp(`^${code}: .+\\.\\nNext: .+\\.$`));
        expect(data).toEqual({});
        expect(content).toHaveLength(1);
        expect(subject.tools.find(({ name }) => name === tool)?.failures).toContain(code);
      },
    );
  });
}
