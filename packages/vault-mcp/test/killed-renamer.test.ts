import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bundleScript } from "@mcp-file-servers/sqlite/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryWriter } from "./support/temporary-writer.ts";

/** More of them by `VAULT_MCP_KILLS`, for a longer look than a test run has time for. */
const kills = Number(process.env.VAULT_MCP_KILLS ?? 100);
const linking = 40;
let scripts: string;
let script: string;

beforeAll(async () => {
  scripts = mkdtempSync(join(tmpdir(), "vault-mcp-scripts-"));
  script = await bundleScript(new URL("children/busy-renamer.ts", import.meta.url), scripts);
});

afterAll(() => rmSync(scripts, { recursive: true }));

/** The text of a linking note, for where the folder and the note are: wikilinks have as many names as before. */
function noteText(number: number, area: string, single: string): string {
  const short = area.split("/").at(-1);
  return `# ${number}\r\n[[${short}/one]] [x](${area}/two.md#h) [[${single}|s]] ![[${short}/pic.png]] \`[[Area/one]]\`\r\n`;
}

const areas = ["Area", "Zone/Inner"];
const singles = ["single", "Away/other"];

test(
  "killed at any instant, a rename is whole after the next start, and every note at any time",
  async () => {
    const files = Object.fromEntries(
      Array.from({ length: linking }, (_, index) => [`Notes/${index}.md`, noteText(index, "Area", "single")]),
    );
    const moving = { "Area/one.md": "one", "Area/two.md": "# h", "Area/pic.png": "pic", "Area/.hidden": "h" };
    // Names that are needed as paths, since they are in more than one folder.
    const doubles = {
      "Other/one.md": "1",
      "Other/two.md": "2",
      "Other/pic.png": "p",
      "Other/single.md": "s",
      "Other/other.md": "o",
    };
    const world = temporaryWriter({ ...files, ...moving, ...doubles, "single.md": "single" });
    const read = (path: string) => readFileSync(join(world.vault.root, path), "utf8");
    const isThere = (path: string) => existsSync(join(world.vault.root, path));
    // Beside an editor a note is taken out of its place for an instant; a kill may come in it.
    const takenAside = () =>
      readdirSync(join(world.vault.root, "Notes"))
        .filter((name) => name.startsWith(".vault-mcp-"))
        .map((name) => read(`Notes/${name}`));
    let midway = 0;
    try {
      for (let round = 1; round <= kills; round += 1) {
        // Every other one dies among the files that it changes, the others at any instant.
        const steps = round % 2 === 0 ? 1 + ((round * 7) % linking) : 0;
        const args = [script, world.vault.root, world.stateFolder, String(steps)];
        const child = spawn(process.execPath, args, {
          stdio: ["ignore", "pipe", "inherit"],
        });
        const closed = once(child, "close");
        if (steps === 0) {
          await Promise.race([once(child.stdout, "data"), closed]);
          await sleep((round * 37) % 251);
          child.kill("SIGKILL");
        }
        expect(await closed).toEqual([null, "SIGKILL"]);
        for (let number = 0; number < linking; number += 1) {
          const possible = areas.flatMap((area) => singles.map((single) => noteText(number, area, single)));
          const contents = isThere(`Notes/${number}.md`) ? [read(`Notes/${number}.md`)] : takenAside();
          expect(possible.filter((text) => contents.includes(text))).not.toEqual([]);
        }
        const writer = world.another();
        midway += writer.isUnfinished ? 1 : 0;
        await writer.exclusively(new AbortController().signal, async () => {});
        await writer.close();
        const area = areas.filter(isThere);
        const single = singles.filter((name) => isThere(`${name}.md`));
        expect([area.length, single.length]).toEqual([1, 1]);
        for (const [path, content] of Object.entries(moving))
          expect(read(path.replace("Area", area[0] ?? ""))).toBe(content);
        expect(statSync(join(world.vault.root, `${single[0]}.md`)).nlink).toBe(1);
        for (let number = 0; number < linking; number += 1) {
          expect(read(`Notes/${number}.md`)).toBe(noteText(number, area[0] ?? "", single[0] ?? ""));
        }
        expect(
          readdirSync(world.vault.root, { recursive: true }).filter((path) =>
            String(path).includes(".vault-mcp-"),
          ),
        ).toEqual([]);
      }
      // All that died among their files, but those at the last one.
      expect(midway).toBeGreaterThan(kills / 3);
    } finally {
      await world.dispose();
    }
  },
  180_000 + kills * 1_000,
);
