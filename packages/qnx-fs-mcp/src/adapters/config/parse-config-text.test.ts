import { expect, test } from "vitest";
import { parseConfigText } from "./parse-config-text.ts";

const good = `targets:
  tb:                 # the bench
    host: 192.0.2.10
    user: qnxuser
`;

test("reads YAML", () => {
  const configuration = parseConfigText(good, "F");
  expect(typeof configuration === "object" && configuration.targets.get("tb")?.host).toBe("192.0.2.10");
  expect(parseConfigText("", "F")).toMatchObject({ localRoots: [] });
});

test.each([
  [`${good}    hots: x\n`, /^F:5: targets\.tb\.hots: unknown key, perhaps meant host;/],
  [`${good}    port: abc\n`, /^F:5: targets\.tb\.port: must be a whole number/],
  [
    `${good}    read_roots:\n      - /\n      - tmp\n`,
    /^F:7: targets\.tb\.read_roots\.1: must be an absolute path/,
  ],
  ["targets:\n  a:\n    user: u\n", /^F:2: targets\.a: host is missing/],
  [`${good}    port: 1\n    port: 2\n`, /^F:6: Map keys must be unique/],
  ["targets: [\n", /^F:\d+: /],
  ["targets:\n\ttb: {}\n", /^F:2: /],
  ["- a\n", /^F:1: the file: must be a mapping of targets, jumps, local_roots/],
  [
    `${good}    a: 1\n    b: 1\n    c: 1\n    d: 1\n    e: 1\n    f: 1\n`,
    /^F:5: .*; line 6: .*\(and 1 more\)$/,
  ],
])("tells the line of %j", (text, problem) => {
  const told = parseConfigText(text, "F");
  expect(told).toMatch(problem);
  expect(told).not.toContain("\n");
});

test("is not led into more by aliases than it can hold", () => {
  const bomb = [
    "a: &a [x, x]",
    ...Array.from(
      { length: 30 },
      (_, i) =>
        `${String.fromCharCode(98 + i)}: &b${i} [*${i ? `b${i - 1}` : "a"}, *${i ? `b${i - 1}` : "a"}]`,
    ),
  ];
  expect(parseConfigText(bomb.slice(0, 20).join("\n"), "F")).toMatch(/^F:/);
});
