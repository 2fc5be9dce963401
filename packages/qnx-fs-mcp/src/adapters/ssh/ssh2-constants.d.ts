/** The algorithms that ssh2 can use on this Node; the package's types leave them out. */
declare module "ssh2/lib/protocol/constants.js" {
  const constants: {
    readonly SUPPORTED_KEX: readonly string[];
    readonly SUPPORTED_SERVER_HOST_KEY: readonly string[];
    readonly SUPPORTED_CIPHER: readonly string[];
    readonly SUPPORTED_MAC: readonly string[];
  };
  // biome-ignore lint/style/noDefaultExport: to an ES module the exports of a CommonJS file are its default.
  export default constants;
}
