import { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { gatherWrites } from "./gather-writes.ts";

/** A stream that notes what reaches the other side at once. */
function noting() {
  const sent: string[] = [];
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      sent.push(chunk.toString());
      done();
    },
    writev(chunks, done) {
      sent.push(chunks.map(({ chunk }) => chunk).join(""));
      done();
    },
  });
  gatherWrites(stream);
  return { stream, sent };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("what is written in one turn is sent at once, in order, and each turn anew", async () => {
  const { stream, sent } = noting();
  for (const part of ["a", "b", "c"]) stream.write(part);
  expect(sent).toEqual([]);
  await nextTurn();
  expect(sent).toEqual(["abc"]);
  stream.write("d");
  await nextTurn();
  expect(sent).toEqual(["abc", "d"]);
});

test("what was written before the end is sent", async () => {
  const { stream, sent } = noting();
  stream.write("a");
  stream.end("b");
  await nextTurn();
  expect(sent.join("")).toBe("ab");
});
