import { describe, expect, test } from "vitest";
import { algorithmsOf, knownAlgorithms, preferKeyTypes, presetNames, presetsWith } from "./algorithms.ts";
import { jumpsTo, readableRoots, settingOf } from "./configuration.ts";
import { parseConfiguration } from "./parse-configuration.ts";

const tb = { host: "192.0.2.10", user: "qnxuser" };

function parsed(tree: unknown) {
  const { configuration, problems } = parseConfiguration(tree);
  if (configuration === undefined) throw new Error(JSON.stringify(problems));
  return configuration;
}

/** The problems of a tree, as `path: message`. */
function problemsOf(tree: unknown): string[] {
  return (parseConfiguration(tree).problems ?? []).map(
    ({ path, message }) => `${path.join(".")}: ${message}`,
  );
}

const problemOf = (settings: object): string =>
  problemsOf({ targets: { tb: { ...tb, ...settings } } }).join("\n");

test("a target needs no more than host and user", () => {
  expect(parsed({ targets: { tb } }).targets.get("tb")).toEqual({
    name: "tb",
    host: "192.0.2.10",
    user: "qnxuser",
    sshConfig: false,
    credentials: {},
    firstUse: false,
    algorithms: { preset: "qnx8", own: {} },
    readRoots: ["/"],
    writeRoots: [],
  });
});

test("every setting is read", () => {
  const pin = `SHA256:${"a".repeat(43)}`;
  const { targets, jumps, localRoots } = parsed({
    targets: {
      tb: {
        ...tb,
        port: 2222,
        identity_file: "~/.ssh/id",
        passphrase_env: "PHRASE",
        agent: true,
        password_env: "PASS",
        host_key: pin,
        first_use: true,
        algorithms: { kex: ["curve25519-sha256"], mac: ["hmac-sha2-256"] },
        jump: "bastion",
        read_roots: ["/etc"],
        write_roots: ["/tmp", "/etc"],
        sftp_server: "/usr/libexec/sftp-server",
      },
    },
    jumps: { bastion: { host: "alias", ssh_config: true, agent: "/run/agent" } },
    local_roots: ["~/qnx", "/srv", "C:\\qnx"],
  });
  const target = targets.get("tb");
  if (target === undefined) throw new Error("no target");
  expect(target).toMatchObject({
    port: 2222,
    credentials: { identityFile: "~/.ssh/id", passphraseEnv: "PHRASE", agent: true, passwordEnv: "PASS" },
    hostKey: pin,
    firstUse: true,
    algorithms: { own: { kex: ["curve25519-sha256"], mac: ["hmac-sha2-256"] } },
    sftpServer: "/usr/libexec/sftp-server",
  });
  expect(readableRoots(target)).toEqual(["/etc", "/tmp"]);
  expect(settingOf(target)).toBe("targets.tb");
  expect(jumpsTo(target, { targets, jumps, localRoots }).map(settingOf)).toEqual(["jumps.bastion"]);
  expect(localRoots).toEqual(["~/qnx", "/srv", "C:\\qnx"]);
});

test("nothing at all is an empty configuration", () => {
  expect(parsed(null).targets.size).toBe(0);
  expect(parsed({ targets: null }).targets.size).toBe(0);
});

describe("problems", () => {
  test("a misspelt key is told with the nearest and all that are accepted", () => {
    expect(problemOf({ hots: "x" })).toMatch(
      /^targets\.tb\.hots: unknown key, perhaps meant host; accepted: host, port, user/,
    );
    expect(problemsOf({ target: { tb } })).toEqual([
      expect.stringMatching(/^target: unknown key, perhaps meant targets/),
    ]);
  });

  test("a secret in the file is told without being repeated", () => {
    for (const key of ["password", "passphrase", "secret"]) {
      const problem = problemOf({ [key]: "hunter22" });
      expect(problem).toMatch(/password_env or passphrase_env/);
      expect(problem).not.toContain("hunter22");
    }
    expect(problemOf({ password_env: "hunter 22" })).not.toContain("hunter");
  });

  test.each([
    [{ host: undefined }, /^targets\.tb: host is missing$/],
    [{ user: undefined }, /^targets\.tb: user is missing$/],
    [{ host: "x;touch /srv/m" }, /^targets\.tb\.host: must be a host name/],
    [{ host: "-oProxyCommand=x" }, /^targets\.tb\.host: must be/],
    [{ host: 10 }, /in quotes/],
    [{ user: "-l" }, /^targets\.tb\.user: must be a user name/],
    [{ user: "a b" }, /user name/],
    [{ port: 0 }, /^targets\.tb\.port: must be a whole number from 1 to 65535/],
    [{ port: "22" }, /whole number/],
    [{ host_key: "SHA256:x" }, /ssh-keygen -lf/],
    [{ first_use: "yes" }, /must be true or false/],
    [{ algorithms: "qnx9" }, /one of qnx8, modern, legacy/],
    [
      { algorithms: { mac: ["hmac-sha3"] } },
      /^targets\.tb\.algorithms\.mac\.0: must be one of hmac-sha2-256/,
    ],
    [{ algorithms: { mac: [] } }, /at least one/],
    [{ algorithms: { macs: [] } }, /perhaps meant mac/],
    [{ read_roots: "/" }, /must be a list/],
    [{ read_roots: ["/tmp/"] }, /^targets\.tb\.read_roots\.0: must be an absolute path/],
    [{ write_roots: ["tmp"] }, /absolute path/],
    [{ sftp_server: "/bin/sh -c x" }, /absolute path of a program/],
    [{ sftp_server: "/bin/$(x)" }, /absolute path of a program/],
    [{ identity_file: "id" }, /absolute host path/],
    [{ passphrase_env: "X" }, /needs identity_file/],
    [{ jump: "nowhere" }, /no such jump under jumps; there are: none/],
  ])("%j", (settings, problem) => {
    expect(problemOf(settings)).toMatch(problem);
  });

  test("names are lowercase, and no machine is both target and jump", () => {
    expect(problemsOf({ targets: { "T b": tb } })).toEqual([expect.stringMatching(/lowercase letters/)]);
    expect(problemsOf({ targets: { tb }, jumps: { tb } })).toEqual([
      expect.stringMatching(/also the name of a target/),
    ]);
    expect(problemsOf({ targets: [] })).toEqual([expect.stringMatching(/must map names to targets/)]);
  });

  test("jumps lead to an end, after three at most", () => {
    const chain = (length: number, last: object = {}): object =>
      Object.fromEntries(
        Array.from({ length }, (_, index) => [
          `j${index}`,
          { ...tb, ...(index + 1 < length ? { jump: `j${index + 1}` } : last) },
        ]),
      );
    const target = { tb: { ...tb, jump: "j0" } };
    expect(problemsOf({ targets: target, jumps: chain(3) })).toEqual([]);
    expect(problemsOf({ targets: target, jumps: chain(4) })).toEqual([
      "targets.tb.jump: a chain of jumps has 3 at most",
      "jumps.j0.jump: a chain of jumps has 3 at most",
    ]);
    expect(problemsOf({ targets: target, jumps: chain(2, { jump: "j0" }) }).join()).toContain(
      "lead in a circle: j0 → j1 → j0",
    );
    expect(problemsOf({ targets: {}, jumps: { j: { ...tb, jump: "j" } } }).join()).toContain(
      "in a circle: j → j",
    );
  });

  test("all of them are told", () => {
    expect(problemsOf({ targets: { a: {}, b: { ...tb, port: 0 } } })).toHaveLength(3);
  });
});

describe("algorithms", () => {
  test("qnx8 is without SHA-1 but for its last MAC, and legacy has what old devices need", () => {
    const qnx8 = algorithmsOf({ preset: "qnx8", own: {} });
    expect(
      [qnx8.kex, qnx8.cipher, qnx8.hostKey].flat().filter((name) => /sha1|cbc|dss|ssh-rsa/.test(name)),
    ).toEqual([]);
    expect(qnx8.mac).toEqual([
      "hmac-sha2-256",
      "hmac-sha2-512",
      "hmac-sha2-256-etm@openssh.com",
      "hmac-sha2-512-etm@openssh.com",
      "hmac-sha1",
    ]);
    const legacy = algorithmsOf({ preset: "legacy", own: {} });
    expect(Object.values(legacy).flat()).toEqual(
      expect.arrayContaining([
        "diffie-hellman-group14-sha1",
        "diffie-hellman-group-exchange-sha1",
        "diffie-hellman-group1-sha1",
        "ssh-dss",
        "ssh-rsa",
        "aes128-cbc",
        "3des-cbc",
        "hmac-md5",
      ]),
    );
    for (const preset of presetNames) {
      const { kex, mac } = algorithmsOf({ preset, own: {} });
      expect(knownAlgorithms.kex).toEqual(expect.arrayContaining([...kex]));
      expect(knownAlgorithms.mac).toEqual(expect.arrayContaining([...mac]));
    }
  });

  test("known key types go first, without bringing in what is not offered", () => {
    const { hostKey } = algorithmsOf({ preset: "qnx8", own: {} });
    const preferred = preferKeyTypes(hostKey, ["ssh-rsa"]);
    expect(preferred.slice(0, 2)).toEqual(["rsa-sha2-512", "rsa-sha2-256"]);
    expect([...preferred].sort()).toEqual([...hostKey].sort());
  });

  test("presetsWith names what would help", () => {
    expect(presetsWith("kex", ["diffie-hellman-group1-sha1"])).toEqual(["legacy"]);
    expect(presetsWith("cipher", ["chacha20-poly1305@openssh.com"])).toEqual(["modern"]);
    expect(presetsWith("mac", ["umac-64@openssh.com"])).toEqual([]);
  });
});
