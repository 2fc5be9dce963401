/**
 * Changes a vault without end until it is killed: `busy-writer.mjs VAULT STATE SEED`. Every content begins with the
 * hash of what follows, so that whoever reads it can tell whether it is whole. Says a line after each change.
 */
import { createHash } from "node:crypto";
import { loadYamlParser } from "../../src/adapters/load-yaml-parser.ts";
import { VaultFiles } from "../../src/adapters/vault-files.ts";
import { VaultWriter } from "../../src/adapters/writing/vault-writer.ts";
import { VaultError } from "../../src/domain/errors.ts";
import { createVisibility, defaultAttachments } from "../../src/domain/visibility.ts";

const [root = "", stateFolder = "", seed = "1"] = process.argv.slice(2);
const visibility = createVisibility({ exclude: [], attachments: defaultAttachments });
const writer = new VaultWriter({
  root,
  visibility,
  stateFolder,
  now: () => new Date(),
  loadYamlParser,
  report: () => {},
});
const reader = new VaultFiles(root, visibility);
const { signal } = new AbortController();

let state = Number(seed);
const random = (below: number) => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};

function content(): Buffer {
  const text = `${random(1_000_000)} `.repeat(random(30_000));
  return Buffer.from(`${createHash("sha256").update(text).digest("hex")}\n${text}`);
}

for (;;) {
  const path = `${random(2) === 0 ? "" : "Folder/Deep/"}note ${random(4)}.md`;
  await writer.exclusively(signal, async () => {
    const file = await reader.read(path, path, 50_000_000);
    try {
      if (file?.bytes === undefined) await writer.create(path, path, content());
      else if (random(4) === 0) await writer.trash(file, path);
      else await writer.replace({ ...file, bytes: file.bytes }, path, content());
    } catch (error) {
      if (!(error instanceof VaultError)) throw error;
      process.stderr.write(`${error.code} ${JSON.stringify(error.details)}\n`);
    }
  });
  process.stdout.write(".\n");
}
