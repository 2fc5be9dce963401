import { readFile } from "node:fs/promises";
import { transform } from "esbuild";

/**
 * Parts of libraries that no server uses, and what stands in their place in a bundle. A bundle without them is a third
 * smaller; the tests of the built servers go through everything that is used.
 */
const replacements = [
  {
    // Used by the SDK for answers to elicitation alone, and core gives it a validator of its own.
    file: /[\\/]sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/,
    contents: `export class AjvJsonSchemaValidator {
      constructor() {
        throw new Error("the default validator is not in this bundle: give the SDK one");
      }
    }`,
  },
  {
    // qnx-fs-mcp speaks SFTP by itself.
    file: /[\\/]ssh2[\\/]lib[\\/]protocol[\\/]SFTP\.js$/,
    contents: `exports.SFTP = class SFTP {
      constructor() {
        throw new Error("ssh2's own SFTP is not in this bundle");
      }
    };`,
  },
  {
    // It is a client.
    file: /[\\/]ssh2[\\/]lib[\\/]server\.js$/,
    contents: `module.exports = class Server {
      constructor() {
        throw new Error("ssh2's server is not in this bundle");
      }
    };`,
  },
  {
    // It makes no keys and forwards no HTTP.
    file: /[\\/]ssh2[\\/]lib[\\/](?:keygen|http-agents)\.js$/,
    contents: "module.exports = {};",
  },
  {
    // bcrypt-pbkdf takes nothing but SHA-512 from it, which Node does faster.
    file: /[\\/]tweetnacl[\\/]nacl-fast\.js$/,
    contents: `const { createHash } = require("node:crypto");
    exports.lowlevel = {
      crypto_hash(out, message, length) {
        out.set(createHash("sha512").update(message.subarray(0, length)).digest());
        return 0;
      },
    };`,
  },
];

/** @type {import("esbuild").Plugin} */
export const leaveOut = {
  name: "leave-out",
  setup({ onLoad }) {
    for (const { file, contents } of replacements) onLoad({ filter: file }, () => ({ contents }));
    // Without their comments, which a bundle would keep in part.
    onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { minifyWhitespace: true });
      return { contents: code };
    });
  },
};
