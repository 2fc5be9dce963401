import { describe, expect, test } from "vitest";
import { startRawServer } from "./raw-server.ts";
import { type Subject, type World, withRawServer } from "./subject.ts";

/** Start, stop and the command line. A server that does not end in time kills itself, so that it ended says when. */
export function describeLife<W extends World>(subject: Subject<W>): void {
  const { manifest, bin, node } = subject;
  const [tool] = subject.tools;
  const callFirst = (world: W) => ({ name: tool?.name, arguments: subject.calls[tool?.name ?? ""]?.(world) });

  /** Runs the binary to its end without input. */
  async function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const server = startRawServer({ bin, args, env, node: node.path });
    server.endInput();
    const { code } = await server.exited;
    return { code, stdout: server.lines.join("\n"), stderr: server.stderr() };
  }

  describe("life", () => {
    test("ends by itself at the end of input, with everything open", () =>
      withRawServer(subject, async (server, world) => {
        await server.initialize();
        await server.request("tools/call", callFirst(world));
        server.endInput();
        expect(await server.exited).toEqual({ code: 0, signal: null });
      }));

    test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends by itself on %s", (signal) =>
      withRawServer(subject, async (server, world) => {
        await server.initialize();
        await server.request("tools/call", callFirst(world));
        server.kill(signal);
        expect(await server.exited).toEqual({ code: 0, signal: null });
      }),
    );

    test("ends by itself when nobody reads its output", () =>
      withRawServer(subject, async (server, world) => {
        await server.initialize();
        server.closeOutput();
        server.send(
          JSON.stringify({ jsonrpc: "2.0", id: 9, method: "tools/call", params: callFirst(world) }),
        );
        expect(await server.exited).toEqual({ code: 0, signal: null });
      }));

    test("answers what was asked before the end of input", () =>
      withRawServer(subject, async (server) => {
        const answer = server.request("tools/list");
        server.endInput();
        expect((await answer).result).toHaveProperty("tools");
        expect(await server.exited).toEqual({ code: 0, signal: null });
      }));

    test("prints nothing but the protocol on stdout", () =>
      withRawServer(subject, async (server, world) => {
        server.endInput();
        await server.exited;
        expect(server.lines).toEqual([]);
        const talking = startRawServer(subject.start(world, ["--log-level", "debug"]));
        await talking.initialize();
        await talking.request("tools/call", callFirst(world));
        talking.endInput();
        await talking.exited;
        for (const line of talking.lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
      }));
  });

  describe("command line", () => {
    test("prints its version and its help", async () => {
      expect(await run(["--version"])).toMatchObject({ code: 0, stdout: manifest.version, stderr: "" });
      const help = await run(["--help"]);
      expect(help).toMatchObject({ code: 0, stderr: "" });
      for (const word of [manifest.name, "--max-result-bytes", "--log-level", "--print-config", "Usage:"]) {
        expect(help.stdout).toContain(word);
      }
    });

    test.each(["claude-desktop", "vscode", "cursor"])("prints the configuration of %s", async (client) => {
      const { code, stdout } = await run(["--print-config", client, "--log-level", "warn"]);
      expect(code).toBe(0);
      const { mcpServers, servers } = JSON.parse(stdout);
      const entry = (mcpServers ?? servers)[manifest.name];
      expect(entry.command).toBe("npx");
      expect(entry.args[0]).toBe("-y");
      expect(entry.args.slice(-3)).toEqual([manifest.name, "--log-level", "warn"]);
    });

    test("prints the command for Claude Code", async () => {
      const { stdout } = await run(["--print-config", "claude-code", "--log-level", "warn"]);
      expect(stdout).toMatch(
        new RegExp(`^claude mcp add ${manifest.name} -- npx -y .*${manifest.name} --log-level warn$`),
      );
    });

    const badFlags = [
      { what: "an unknown option", args: () => ["--max-result-byte", "1"], says: /--max-result-bytes/ },
      {
        what: "a value out of range",
        args: () => ["--max-result-bytes", "1"],
        says: /4000 to 1000000, not "1"/,
      },
      {
        what: "a missing value",
        args: () => ["--max-result-bytes"],
        says: /--max-result-bytes needs a value/,
      },
      {
        what: "an unknown word",
        args: () => ["--log-level", "loud"],
        says: /error, warn, info, debug, not "loud"/,
      },
      { what: "an unknown client", args: () => ["--print-config", "x"], says: /claude-desktop/ },
    ];
    test.each([...badFlags, ...subject.badStarts])(
      "ends with one line for $what",
      async ({ args, says, ...rest }) => {
        const world = await subject.arrange();
        const env = "env" in rest ? rest.env : undefined;
        const { code, stdout, stderr } = await run(args(world), { ...world.env, ...env });
        await world.dispose();
        expect(stderr).toMatch(new RegExp(`^${manifest.name}: [^\\n]+\\n$`));
        expect(stderr).toMatch(says);
        expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      },
    );
  });
}
