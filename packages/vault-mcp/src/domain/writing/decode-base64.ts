import { VaultError } from "../errors.ts";

/**
 * The bytes of a Base64 text, in the standard or the URL-safe alphabet, with or without padding and line breaks.
 *
 * @throws VaultError INVALID_ARGUMENT for anything else, so that no byte is lost silently.
 */
export function decodeBase64(argument: string, text: string): Buffer {
  const bare = text.replace(/[\r\n]+/g, "").replace(/={0,2}$/, "");
  const bytes = Buffer.from(bare, "base64");
  const standard = bytes.toString("base64").replace(/=+$/, "");
  if (standard !== bare.replaceAll("-", "+").replaceAll("_", "/")) {
    throw new VaultError("INVALID_ARGUMENT", {
      argument,
      problem: "is no Base64, or was cut off",
      next: `Call again with ${argument} as the Base64 of the file's bytes.`,
    });
  }
  return bytes;
}
