import ssh2 from "ssh2";
import { describe, expect, test } from "vitest";
import { readPrivateKey } from "./read-private-key.ts";

const { generateKeyPairSync, parseKey } = ssh2.utils;
const passphrase = "open sesame";
const encryption = { passphrase, cipher: "aes256-ctr", rounds: 2 };

/** The one key of a text. */
function keyOf(text: string) {
  const parsed = parseKey(text);
  if (parsed instanceof Error) throw parsed;
  return Array.isArray(parsed) ? (parsed[0] as Exclude<typeof parsed, unknown[]>) : parsed;
}

describe.each([
  ["ed25519", () => generateKeyPairSync("ed25519", encryption)],
  ["ecdsa", () => generateKeyPairSync("ecdsa", { bits: 256, ...encryption })],
  ["rsa", () => generateKeyPairSync("rsa", { bits: 2048, ...encryption })],
])("an encrypted %s key", (_type, make) => {
  const pair = make();

  test("is given back without encryption, and signs what its public half verifies", () => {
    const reading = readPrivateKey(parseKey, pair.private, passphrase);
    if (!("plain" in reading)) throw new Error(JSON.stringify(reading));
    const key = keyOf(reading.plain);
    const data = Buffer.from("signed");
    expect(keyOf(pair.public).verify(data, key.sign(data))).toBe(true);
    expect(key.getPublicSSH()).toEqual(keyOf(pair.public).getPublicSSH());
    expect(readPrivateKey(parseKey, reading.plain, undefined)).toEqual(reading);
  });

  test("is told as encrypted, and a wrong passphrase as wrong", () => {
    expect(readPrivateKey(parseKey, pair.private, undefined)).toEqual({ encrypted: true, wrong: false });
    expect(readPrivateKey(parseKey, pair.private, "no")).toEqual({ encrypted: true, wrong: true });
  });
});

test("what is no private key is told as such", () => {
  const { public: text } = generateKeyPairSync("ed25519");
  expect(readPrivateKey(parseKey, text, undefined)).toEqual({ unreadable: "it is a public key" });
  expect(readPrivateKey(parseKey, "hello", undefined)).toMatchObject({
    unreadable: expect.stringMatching(/known format/),
  });
});
