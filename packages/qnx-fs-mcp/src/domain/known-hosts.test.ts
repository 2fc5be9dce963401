import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { fingerprintOf, isFingerprint, keyTypeOf } from "./fingerprint.ts";
import { gatherKnowledge, judgeHostKey } from "./host-keys.ts";
import { knownHostLine, knownHostName, matchesHost, parseKnownHosts } from "./known-hosts.ts";

/** A key blob of a type, its content made up. */
function blob(type: string, content: string): Buffer {
  const field = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text, "latin1")]);
  };
  return Buffer.concat([field(type), field(content)]);
}
const ed25519 = blob("ssh-ed25519", "one");
const other = blob("ssh-ed25519", "two");
const line = (hosts: string, key = ed25519): string => `${hosts} ${keyTypeOf(key)} ${key.toString("base64")}`;

describe("matchesHost", () => {
  test.each([
    ["board", "board", true],
    ["BOARD", "board", true],
    ["board,192.0.2.1", "192.0.2.1", true],
    ["board", "board2", false],
    ["*.lab.example", "tb.lab.example", true],
    ["*.lab.example", "lab.example", false],
    ["192.0.2.?", "192.0.2.7", true],
    ["192.0.2.?", "192.0.2.77", false],
    ["*,!tb", "tb", false],
    ["!tb,*", "tb", false],
    ["!tb,*", "other", true],
    ["!tb", "other", false],
    ["[board]:2222", "[board]:2222", true],
    ["board", "[board]:2222", false],
    ["[*]:2222", "[board]:2222", true],
    ["a*b*c", "axxbxxc", true],
    ["a*b*c", "axxbxx", false],
  ])("%s and %s: %s", (hosts, name, matches) => {
    expect(matchesHost(hosts, name)).toBe(matches);
  });

  test("takes time in proportion for a pattern of many stars", () => {
    expect(matchesHost("*a".repeat(200), "a".repeat(199))).toBe(false);
  });

  test("reads hashed names", () => {
    const salt = Buffer.from("0123456789abcdefghij");
    const hash = createHmac("sha1", salt).update("[board]:2222").digest("base64");
    const field = `|1|${salt.toString("base64")}|${hash}`;
    expect(matchesHost(field, "[board]:2222")).toBe(true);
    expect(matchesHost(field, "board")).toBe(false);
    expect(matchesHost(`|2|${hash}`, "board")).toBe(false);
  });
});

test("hosts are named in lower case, with the port where it is not 22", () => {
  expect(knownHostName("Board", 22)).toBe("board");
  expect(knownHostName("::1", 2222)).toBe("[::1]:2222");
});

test("lines that cannot be read are left out, the others keep their numbers", () => {
  const text = [
    "# comment",
    "",
    "half",
    line("a"),
    "@other b ssh-ed25519 AAAA",
    "c ssh-rsa AAAA",
    line("d"),
    "e ssh-ed25519 !!!",
  ];
  expect(parseKnownHosts(text.join("\r\n"), "F").map(({ hosts, source }) => [hosts, source])).toEqual([
    ["a", "F line 4"],
    ["d", "F line 7"],
  ]);
  expect(parseKnownHosts(`${knownHostLine("tb", ed25519)} a comment`, "F")[0]).toMatchObject({
    hosts: "tb",
    blob: ed25519,
  });
});

describe("judgeHostKey", () => {
  const read = (...files: string[]) => files.map((text, index) => parseKnownHosts(text, `F${index}`));

  test("accepts a known key and tells a changed one from an unknown host", () => {
    const known = gatherKnowledge("tb", undefined, "", read("", line("tb")));
    expect(judgeHostKey(ed25519, known)).toEqual({ verdict: "accepted" });
    expect(judgeHostKey(other, known)).toEqual({
      verdict: "changed",
      expected: [{ type: "ssh-ed25519", fingerprint: fingerprintOf(ed25519), source: "F1 line 1" }],
    });
    expect(judgeHostKey(ed25519, gatherKnowledge("rig", undefined, "", read(line("tb"))))).toEqual({
      verdict: "unknown",
    });
  });

  test("lets the first file that knows the host decide", () => {
    const known = gatherKnowledge("tb", undefined, "", read(line("tb", other), line("tb")));
    expect(judgeHostKey(ed25519, known).verdict).toBe("changed");
  });

  test("lets a pin decide alone", () => {
    const known = gatherKnowledge("tb", fingerprintOf(other), "S", read(line("tb")));
    expect(judgeHostKey(other, known).verdict).toBe("accepted");
    expect(judgeHostKey(ed25519, known)).toMatchObject({ verdict: "changed", expected: [{ source: "S" }] });
  });

  test("never accepts a revoked key", () => {
    const known = gatherKnowledge(
      "tb",
      fingerprintOf(ed25519),
      "S",
      read(line("tb"), `@revoked ${line("*")}`),
    );
    expect(judgeHostKey(ed25519, known)).toEqual({ verdict: "revoked", source: "F1 line 1" });
  });

  test("takes the key of an authority for no host key", () => {
    const known = gatherKnowledge("tb", undefined, "", read(`@cert-authority ${line("*")}`));
    expect(judgeHostKey(ed25519, known)).toEqual({ verdict: "unknown" });
    expect(known.authority).toBe("F0 line 1");
  });
});

test("fingerprints are those of OpenSSH", () => {
  expect(isFingerprint(fingerprintOf(ed25519))).toBe(true);
  expect(isFingerprint("SHA256:short")).toBe(false);
  expect(keyTypeOf(Buffer.from([0, 0, 0, 200, 1]))).toBe("");
});
