import { readFile, stat } from "node:fs/promises";
import { type Configuration, emptyConfiguration } from "../../domain/configuration.ts";
import type { parseConfigText as ParseConfigText } from "./parse-config-text.ts";

/** The configuration as it is now. */
export interface ReadConfiguration {
  /** Empty where there is no file, and where the file cannot be used. */
  readonly configuration: Configuration;
  /** Whether there is a file. */
  readonly configured: boolean;
  /** Why the file cannot be used, with the line where there is one. */
  readonly problem: string | undefined;
}

/** The configuration file; read when it changed. While it cannot be used, nothing is configured. */
export class ConfigFile {
  readonly file: string;
  #version: string | undefined;
  #read: ReadConfiguration = { configuration: emptyConfiguration, configured: false, problem: undefined };

  constructor(file: string) {
    this.file = file;
  }

  async read(): Promise<ReadConfiguration> {
    const version = await this.#versionNow();
    if (version === this.#version) return this.#read;
    this.#read = await this.#readAgain();
    this.#version = version;
    return this.#read;
  }

  async #versionNow(): Promise<string> {
    try {
      const { ctimeMs, mtimeMs, size, ino } = await stat(this.file);
      return `${ctimeMs} ${mtimeMs} ${size} ${ino}`;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? "unknown";
    }
  }

  async #readAgain(): Promise<ReadConfiguration> {
    try {
      const text = await readFile(this.file, "utf8");
      // The YAML library is loaded only where there is something to read.
      const { parseConfigText }: { parseConfigText: typeof ParseConfigText } = await import(
        "./parse-config-text.ts"
      );
      const parsed = parseConfigText(text, this.file);
      if (typeof parsed === "string") return unusable(parsed);
      return { configuration: parsed, configured: true, problem: undefined };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") {
        return { configuration: emptyConfiguration, configured: false, problem: undefined };
      }
      if (code === undefined) throw error;
      return unusable(`${this.file}: ${code === "EISDIR" ? "is a directory" : `cannot be read (${code})`}`);
    }
  }
}

function unusable(problem: string): ReadConfiguration {
  return { configuration: emptyConfiguration, configured: true, problem };
}
