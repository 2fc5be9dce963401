import ssh2 from "ssh2";
import { describe, expect, test } from "vitest";
import { makeKey } from "../../../test/scripted-target/make-key.ts";
import { readPrivateKey } from "./read-private-key.ts";

const { generateKeyPairSync, parseKey } = ssh2.utils;
const passphrase = "open sesame";

/** The one key of a text. */
function keyOf(text: string, secret?: string) {
  const parsed = parseKey(text, secret);
  if (parsed instanceof Error) throw parsed;
  return Array.isArray(parsed) ? (parsed[0] as Exclude<typeof parsed, unknown[]>) : parsed;
}

describe.each(["ed25519", "ecdsa", "rsa"] as const)("an encrypted %s key", (type) => {
  const encrypted = makeKey(type, passphrase);

  test("is given back without encryption, and signs what its public half verifies", () => {
    const reading = readPrivateKey(parseKey, encrypted, passphrase);
    if (!("plain" in reading)) throw new Error(JSON.stringify(reading));
    const key = keyOf(reading.plain);
    const original = keyOf(encrypted, passphrase);
    const data = Buffer.from("signed");
    expect(original.verify(data, key.sign(data))).toBe(true);
    expect(key.getPublicSSH()).toEqual(original.getPublicSSH());
    expect(readPrivateKey(parseKey, reading.plain, undefined)).toEqual(reading);
  });

  test("is told as encrypted, and a wrong passphrase as wrong", () => {
    expect(readPrivateKey(parseKey, encrypted, undefined)).toEqual({ encrypted: true, wrong: false });
    expect(readPrivateKey(parseKey, encrypted, "no")).toEqual({ encrypted: true, wrong: true });
  });
});

test("what is no private key is told as such", () => {
  const { public: text } = generateKeyPairSync("ed25519");
  expect(readPrivateKey(parseKey, text, undefined)).toEqual({ unreadable: "it is a public key" });
  expect(readPrivateKey(parseKey, "hello", undefined)).toMatchObject({
    unreadable: expect.stringMatching(/known format/),
  });
});
