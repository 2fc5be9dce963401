import fc from "fast-check";
import { expect, test } from "vitest";
import { type Line, LineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Buffer[], longest: number): Line[] {
  const splitter = new LineSplitter(longest, { number: 1, offset: 0 });
  const lines = chunks.flatMap((chunk) => [...splitter.push(chunk)]);
  const last = splitter.finish();
  return last === undefined ? lines : [...lines, last];
}

test("lines do not depend on where the chunks are cut, and each can be gone on from", () => {
  const piece = fc.constantFrom("\n", "a", "bc", "\r\n", "日本", "", "\n\n");
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(60)),
      fc.integer({ min: 1, max: 5 }),
      (parts, cuts, longest) => {
        const text = Buffer.from(parts.join(""));
        const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
          (a, b) => a - b,
        );
        const chunks = places.slice(1).map((end, index) => text.subarray(places[index], end));
        const whole = text.toString("latin1").split("\n");
        if (whole.at(-1) === "") whole.pop();
        const lines = split(chunks, longest);
        expect(lines.map(({ bytes }) => bytes.toString("latin1"))).toEqual(
          whole.map((line) => line.slice(0, longest)),
        );
        expect(lines.map(({ number }) => number)).toEqual(whole.map((_, index) => index + 1));
        for (const { number, end } of lines) {
          const rest = split([text.subarray(end)], longest);
          expect(rest.map(({ bytes }) => bytes.toString("latin1"))).toEqual(
            whole.slice(number).map((line) => line.slice(0, longest)),
          );
        }
      },
    ),
  );
});

test("tells which lines were too long", () => {
  expect(split([Buffer.from("abc\nabcd\nab\nabcd\n")], 3).map(({ cut }) => cut)).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
