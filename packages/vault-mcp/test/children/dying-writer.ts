/** Replaces a note and dies while it is out of its place: `dying-writer.mjs VAULT STATE NOTE EXPECTED`. */
import { join } from "node:path";
import { replaceFile } from "../../src/adapters/writing/replace-file.ts";
import { SavesByOthers } from "../../src/adapters/writing/saves-by-others.ts";
import { TemporaryFiles } from "../../src/adapters/writing/temporary-files.ts";

const [root = "", state = "", path = "", expected = ""] = process.argv.slice(2);
const temporary = new TemporaryFiles(join(state, "temporary"));
temporary.open();
const saves = new SavesByOthers(join(state, "own"), () => new Date());
const link = () => process.kill(process.pid, "SIGKILL");
const replacement = { absolute: join(root, path), path, given: path, expected };
await replaceFile(replacement, Buffer.from("never there"), { temporary, saves, link });
