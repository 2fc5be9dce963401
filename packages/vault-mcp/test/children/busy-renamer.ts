/**
 * Renames a folder to and fro, with the links of many notes, until it is killed: `busy-renamer.mjs VAULT STATE STEPS`.
 * Says a line after each rename. With STEPS over 0 it kills itself once it has changed so many files.
 */
import { VaultWriter } from "../../src/adapters/writing/vault-writer.ts";
import type { ParseYaml } from "../../src/domain/note/frontmatter.ts";
import { createVisibility, defaultAttachments } from "../../src/domain/visibility.ts";
import { planRename } from "../../src/domain/writing/rename/plan-rename.ts";

const [root = "", stateFolder = "", steps = "0"] = process.argv.slice(2);
let left = Number(steps);
const step = () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};
const visibility = createVisibility({ exclude: [], attachments: defaultAttachments });
const report = (message: string) => process.stdout.write(`${message}\n`);
// No note here has frontmatter.
const parseYaml: ParseYaml = () => ({ value: {} });
const loadYamlParser = async () => parseYaml;
const settings = { root, visibility, stateFolder, now: () => new Date(), loadYamlParser, report };
const writer = new VaultWriter(settings);
const { signal } = new AbortController();
const pairs = [
  ["Area", "Zone/Inner"],
  ["Zone/Inner", "Area"],
  ["single.md", "Away/other.md"],
  ["Away/other.md", "single.md"],
];

process.stdout.write("ready\n");
for (let round = 0; ; round += 1) {
  const [from = "", to = ""] = pairs[round % pairs.length] ?? [];
  await writer.exclusively(signal, async () => {
    const item = await writer.renames.findItem(from, from);
    if (item === undefined) return;
    const { path: target } = await writer.renames.findTarget(item, to, to);
    const plan = await planRename(
      writer.renames,
      { from: item.path, to: target },
      { parseYaml, signal, progress: () => {} },
    );
    await writer.renames.move(item, target, to, plan.files, signal, { moved: () => {}, changed: step });
    process.stdout.write(".\n");
  });
}
