import { writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectedServer, connect } from "@mcp-file-servers/core/testing";
import { expect } from "vitest";
import { stringify } from "yaml";
import {
  type ScriptedTarget,
  type ScriptedTargetOptions,
  startScriptedTarget,
} from "./scripted-target/start-scripted-target.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

export interface Served {
  readonly server: ConnectedServer;
  readonly folder: string;
  data(tool: string, args?: Record<string, unknown>): Promise<Record<string, unknown>>;
  refusal(tool: string, args?: Record<string, unknown>): Promise<string>;
}

/** The built server with targets, for the tests of one file; `end` ends all that was started. */
export function createBench() {
  const ends: (() => Promise<void>)[] = [];
  async function target(options: ScriptedTargetOptions = {}): Promise<ScriptedTarget> {
    const started = await startScriptedTarget(options);
    ends.push(started.close);
    return started;
  }

  /** The built server over a configuration; without one where that is undefined. */
  async function serve(
    configuration: object | undefined,
    { args = [], env = {} }: { args?: readonly string[]; env?: Record<string, string> } = {},
  ): Promise<Served> {
    const { folder, remove } = await temporaryFolder();
    ends.push(remove);
    const config = path.join(folder, "config.yaml");
    if (configuration !== undefined) await writeFile(config, stringify(configuration));
    const server = await connect({
      bin,
      node: process.execPath,
      args: [...(configuration === undefined ? [] : ["--config", config]), ...args],
      env: { HOME: folder, XDG_CONFIG_HOME: "", XDG_STATE_HOME: "", PASSWORD: "correct horse", ...env },
    });
    ends.push(() => server.close());
    return {
      server,
      folder,
      async data(tool, given) {
        const { isError, text, data } = await server.call(tool, given);
        expect(isError, text).toBe(false);
        return data;
      },
      async refusal(tool, given) {
        const { isError, text } = await server.call(tool, given);
        expect(isError, text).toBe(true);
        return text;
      },
    };
  }

  async function end(): Promise<void> {
    for (const stop of ends.splice(0).reverse()) await stop();
  }

  return { target, serve, end, atEnd: (stop: () => Promise<void>) => ends.push(stop) };
}
