import { expect, test } from "vitest";
import { createAppPolicy, isAppName, parseApp } from "./app-name.ts";

test.each(["a", "recipes", "team-2-notes", "a".repeat(32)])("%s can name an app", (name) => {
  expect(isAppName(name)).toBe(true);
});

test.each(["", "A", "1a", "-a", "a_b", "a b", "ä", "a".repeat(33), "a\n"])("%j cannot", (name) => {
  expect(isAppName(name)).toBe(false);
  expect(() => parseApp(name, createAppPolicy([]))).toThrow(expect.objectContaining({ code: "INVALID_APP" }));
});

test.each([
  ["notes", ["notes"], ["note", "notes2"]],
  ["team-*", ["team-", "team-a", "team-a-b"], ["team", "teams-a"]],
  ["*-draft", ["a-draft", "a-draft-draft"], ["draft", "a-draft-2"]],
  ["a?c", ["abc", "a-c"], ["ac", "abbc"]],
  ["*a*b*", ["ab", "xaxbx", "aab"], ["ba", "b", "a"]],
  ["*", ["anything"], []],
])("the pattern %s serves what it says", (pattern, allowed, refused) => {
  const policy = createAppPolicy([pattern]);
  for (const app of allowed) expect(policy.allows(app), app).toBe(true);
  for (const app of refused) expect(policy.allows(app), app).toBe(false);
});

test("a pattern of many stars is no work", () => {
  expect(createAppPolicy(["*a".repeat(30)]).allows(`${"a".repeat(31)}b`)).toBe(false);
});

test("one of several is enough, none means every app", () => {
  expect(createAppPolicy(["a", "b*"]).allows("bc")).toBe(true);
  expect(createAppPolicy([]).allows("any")).toBe(true);
  expect(() => parseApp("c", createAppPolicy(["a", "b*"]))).toThrow(
    expect.objectContaining({
      code: "APP_NOT_ALLOWED",
      details: { argument: "app", app: "c", allowed: ["a", "b*"] },
    }),
  );
});

test.each(["", "Notes", "a/b", "../x", "a,b"])("%j is no pattern", (entry) => {
  expect(() => createAppPolicy([entry])).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});
