/**
 * Measures single writes through the built server over stdio, beside the bare floor in the same run (temporary file,
 * fsync, rename, fsync of the folder), the rename and the deletion of a note with three links among many notes, and a
 * rename that changes many files:
 *
 *   node packages/vault-mcp/bench/writes.mjs [LINKING_FILES] [OTHER_NOTES]      (5000 and 5000 by default)
 *
 * Prints milliseconds: median and 95th percentile.
 */
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "./start-server.mjs";

const linking = Number(process.argv[2] ?? 5_000);
const others = Number(process.argv[3] ?? 5_000);
const rounds = 200;

const home = mkdtempSync(path.join(tmpdir(), "vault-mcp-writes-"));
const vault = path.join(home, "vault");
mkdirSync(path.join(vault, "Linking"), { recursive: true });
const body = `# Note\n\n${"A line of text with some words in it.\n".repeat(60)}`;
for (let index = 0; index < linking; index += 1) {
  writeFileSync(
    path.join(vault, "Linking", `n${index}.md`),
    `[[Target/note]] [x](../Target/note.md)\n${body}`,
  );
}
mkdirSync(path.join(vault, "Others"));
for (let index = 0; index < others; index += 1) {
  writeFileSync(path.join(vault, "Others", `o${index}.md`), `[[o${index + 1}]]\n${body}`);
}
for (let index = 0; index < 3; index += 1) {
  writeFileSync(path.join(vault, `three${index}.md`), `[[moving]]\n${body}`);
}
writeFileSync(path.join(vault, "moving.md"), body);
mkdirSync(path.join(vault, "Target"));
writeFileSync(path.join(vault, "Target", "note.md"), body);

const { call, end } = await startServer([vault, "--watch", "off"], {
  XDG_STATE_HOME: path.join(home, "state"),
  XDG_CACHE_HOME: path.join(home, "cache"),
});

/** @param {string} label @param {(round: number) => unknown} job */
async function measure(label, job) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const since = performance.now();
    await job(round);
    times.push(performance.now() - since);
  }
  times.sort((a, b) => a - b);
  const at = (/** @type {number} */ share) =>
    (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(2);
  console.log(`${label.padEnd(36)} ${at(0.5).padStart(8)} ${at(0.95).padStart(8)}`);
}

/** The least that a safe replacement costs. @param {string} file @param {string} text */
function floor(file, text) {
  const draft = `${file}.draft`;
  const handle = openSync(draft, "w");
  writeFileSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
  const folder = openSync(path.dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

await call("list_documents", { limit: 1, wait_for_pending_writes: true });

console.log(`${"milliseconds".padEnd(36)} ${"median".padStart(8)} ${"p95".padStart(8)}`);
await measure("floor: temp, fsync, rename, fsync", (round) =>
  floor(path.join(home, "floor.md"), `${round}\n${body}`),
);
await measure("write_document, new note", (round) =>
  call("write_document", { path: `New/${round}.md`, content: body }),
);
let etag = (await call("write_document", { path: "w.md", content: body })).etag;
await measure("write_document, replaced", async (round) => {
  ({ etag } = await call("write_document", { path: "w.md", content: `${round}\n${body}`, if_match: etag }));
});
await call("write_document", { path: "e.md", content: `count 0\n${body}` });
await measure("edit_document", (round) =>
  call("edit_document", {
    path: "e.md",
    edits: [{ old_text: `count ${round}\n`, new_text: `count ${round + 1}\n` }],
  }),
);
await measure("append_to_document", (round) =>
  call("append_to_document", { path: "a.md", content: `- ${round}`, create_if_missing: true }),
);
await measure("set_frontmatter", (round) => call("set_frontmatter", { path: "e.md", set: { count: round } }));
await measure("rename_path, update_links: false", (round) =>
  call("rename_path", {
    path: `r${round === 0 ? "" : round}.md`,
    new_path: `r${round + 1}.md`,
    update_links: false,
  }).catch(async () => {
    await call("write_document", { path: `r${round + 1}.md`, content: body });
  }),
);
await measure("rename_path, 3 links", (round) =>
  call("rename_path", {
    path: `moving${round === 0 ? "" : round}.md`,
    new_path: `moving${round + 1}.md`,
  }),
);
await measure("delete_document, 3 links", async (round) => {
  await call("delete_document", { path: `moving${rounds}.md` });
  if (round < rounds - 1) await call("restore_document", { path: `moving${rounds}.md` });
});
const since = performance.now();
const { files_changed, links_changed } = await call("rename_path", {
  path: "Target",
  new_path: "Moved/Target",
});
const seconds = ((performance.now() - since) / 1000).toFixed(2);
console.log(`rename_path of a folder: ${links_changed} links in ${files_changed} files, ${seconds} s`);

await end();
rmSync(home, { recursive: true });
