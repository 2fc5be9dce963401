import { expect, it } from "vitest";
import { writtenIndex } from "../../../../test/support/written-index.ts";
import { countBundle } from "./count-bundle.ts";

const now = new Date("2031-02-03T12:00:00Z");

it("counts what the notes of a bundle are, those of reserved names and broken ones aside", async () => {
  const index = await writtenIndex("on");
  const reviewed = "verified: [{by: tool}, {by: 'human:ann'}]";
  await index.put("index.md", "---\nokf_version: '0.2'\ntype: Index\nstatus: draft\n---\n");
  await index.put("a/LOG.md", "");
  await index.put("a.md", `---\ntype: Guide\nstatus: draft\n${reviewed}\n---\n`);
  await index.put("b.md", "---\ntype: ' Guide '\nstale_after: 2031-01-01\nverified: {}\n---\n");
  await index.put("c.md", "---\ntype: Note\nstale_after: 2032-01-01\n---\n");
  await index.put("d.md", "---\ntype: 5\n---\n");
  await index.put("e.md", "plain");
  await index.put("broken.md", "---\ntype: [\n---\n");
  await index.putAttachment("f.pdf");
  expect(await index.answering.read((view) => countBundle(view, now))).toEqual({
    types: [
      ["Guide", 2],
      ["Note", 1],
    ],
    untyped: 2,
    status: [
      ["stable", 4],
      ["draft", 1],
    ],
    trustTier: [
      ["unverified", 3],
      ["human-reviewed", 1],
      ["machine-confirmed", 1],
    ],
    stale: 1,
    reserved: 2,
  });
  index.dispose();
});
