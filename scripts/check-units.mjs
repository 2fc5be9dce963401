/**
 * Checks the systemd units in deploy/ with `systemd-analyze verify`, which knows every key and value. The programs that
 * they start are not installed here: this Node stands in for them. Where systemd is missing, it says so and ends.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCommand } from "./run-command.mjs";
import { root } from "./workspace.mjs";

const directory = path.join(root, "deploy");
const units = readdirSync(directory).filter((name) => name.endsWith(".service"));
const folder = mkdtempSync(path.join(tmpdir(), "units-"));
try {
  for (const name of units) {
    const text = readFileSync(path.join(directory, name), "utf8");
    const copy = path.join(folder, name);
    writeFileSync(copy, text.replace(/^(ExecStart=)\S+/m, `$1${process.execPath}`));
    const { code, output } = await runCommand("systemd-analyze", ["verify", "--man=no", copy], {
      output: "keep",
    });
    if (code === 127) {
      console.log("SKIPPED: there is no systemd-analyze here.");
      break;
    }
    // It ends with 0 after unknown keys, which it only tells of.
    if (code !== 0 || output !== "") {
      console.error(`deploy/${name}:\n${output}`);
      process.exitCode = 1;
    } else console.log(`deploy/${name}: ok`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
