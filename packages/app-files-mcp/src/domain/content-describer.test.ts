import fc from "fast-check";
import { expect, test } from "vitest";
import { blockSize, describeContent } from "./content.ts";
import { createContentDescriber } from "./content-describer.ts";

function inPieces(bytes: Uint8Array, sizes: readonly number[]) {
  const describer = createContentDescriber();
  let at = 0;
  for (const size of sizes) {
    describer.add(bytes.subarray(at, at + size));
    at += size;
  }
  describer.add(bytes.subarray(at));
  return describer.finish();
}

test("describes pieces as it describes the whole", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.string({ unit: "grapheme" }).map((text) => Buffer.from(text)),
      ),
      fc.integer({ min: 0, max: 5 }),
      fc.array(fc.integer({ min: 0, max: blockSize + 5 }), { maxLength: 6 }),
      (part, shift, sizes) => {
        // Over two ends of blocks, with the part's characters anywhere across them.
        const filler = Buffer.alloc(blockSize - shift, "line\n");
        const bytes = Buffer.concat([filler, part, filler, part]);
        expect(inPieces(bytes, sizes)).toEqual(describeContent(bytes));
        expect(inPieces(part, sizes)).toEqual(describeContent(part));
      },
    ),
    { numRuns: 60 },
  );
});

test.each(["é", "界", "😀"])("takes a text for a text wherever a block ends inside %s", (character) => {
  const bytes = Buffer.from(character);
  for (let inside = 0; inside <= bytes.length; inside++) {
    const text = Buffer.concat([Buffer.alloc(blockSize - inside, "a"), bytes]);
    expect(inPieces(text, []).isText).toBe(true);
    expect(inPieces(text.subarray(0, -1), []).isText).toBe(false);
  }
});

test("describes nothing", () => {
  expect(createContentDescriber().finish()).toEqual(describeContent(new Uint8Array()));
});
