/** npm run build: set-up, then every server's bundle. */
import { statSync } from "node:fs";
import path from "node:path";
import { setUp } from "./set-up.mjs";
import { binOf, listServers, root } from "./workspace.mjs";

await setUp();
for (const server of listServers()) {
  const bin = binOf(server);
  console.log(
    `${server.manifest.name} ${server.manifest.version}: ${path.relative(root, bin)}, ${statSync(bin).size} bytes`,
  );
}
