import { describe, expect, it } from "vitest";
import { localDate, parseMoment } from "./moment.ts";

describe("parseMoment", () => {
  it.each([
    ["2031-02-03", new Date(2031, 1, 3).getTime(), "date"],
    ["2031-02-03T10:20", new Date(2031, 1, 3, 10, 20).getTime(), "local"],
    ["2031-02-03 10:20:30", new Date(2031, 1, 3, 10, 20, 30).getTime(), "local"],
    ["2031-02-03T10:20:30.5Z", Date.UTC(2031, 1, 3, 10, 20, 30, 500), "offset"],
    ["2031-02-03T10:20:30+02:00", Date.UTC(2031, 1, 3, 8, 20, 30), "offset"],
    ["2031-02-03 10:20 -0530", Date.UTC(2031, 1, 3, 15, 50), "offset"],
    ["0099-12-31T00:00:00Z", Date.parse("0099-12-31T00:00:00Z"), "offset"],
    ["2032-02-29", new Date(2032, 1, 29).getTime(), "date"],
  ])("%s", (text, at, kind) => {
    expect(parseMoment(text)).toMatchObject({ at, kind, date: text.slice(0, 10) });
  });

  it.each([
    "",
    "yesterday",
    "2031",
    "2031-02",
    "2031-02-30",
    "2031-13-01",
    "2031-02-03T25:00",
    "2031-2-3",
    "20310203",
  ])("%j is none", (text) => {
    expect(parseMoment(text)).toBeUndefined();
  });
});

it("localDate is what clocks here show", () => {
  expect(localDate(new Date(2031, 1, 3, 23, 59))).toBe("2031-02-03");
});
