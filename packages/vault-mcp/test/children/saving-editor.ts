/**
 * Saves a note by renames, as many editors do: `saving-editor.mjs NOTE SAVES`. Each save waits until somebody else's
 * content is in the note's place, so that none of them is ever replaced by the editor itself, and then for a time of its
 * own. Says the content of each save before it is made.
 */
import { lstatSync, renameSync, writeFileSync, writeSync } from "node:fs";

const [note = "", saves = "0"] = process.argv.slice(2);
const parent = process.ppid;
let last = 0;
for (let round = 0; round < Number(saves); round += 1) {
  for (;;) {
    const inode = lstatSync(note, { throwIfNoEntry: false })?.ino;
    if (inode !== undefined && inode !== last) break;
    // Nobody will answer any more.
    if (process.ppid !== parent) process.exit(1);
  }
  // Anywhere within what the other's write takes.
  const until = process.hrtime.bigint() + BigInt((round * 7_919) % 4_001) * 1_000n;
  while (process.hrtime.bigint() < until);
  const draft = `${note}.editor`;
  writeFileSync(draft, `save ${round}`);
  last = lstatSync(draft).ino;
  writeSync(1, `save ${round}\n`);
  renameSync(draft, note);
}
