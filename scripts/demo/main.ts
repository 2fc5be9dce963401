import { showAppFiles } from "./app-files.ts";
import { showQnx } from "./qnx.ts";
import { createScreen, type Screen, type Terminal } from "./screen.ts";
import { showVault } from "./vault.ts";

/** What a part of the demo works with. */
export interface Stage {
  readonly screen: Screen;
  /** The repository. */
  readonly root: string;
  /** An empty folder that is removed afterwards. */
  readonly folder: string;
  /** The Node binary that runs the servers. */
  readonly node: string;
}

/** Shows the three servers one after the other; throws at the first thing that is not as it should be. */
export async function runDemo({
  terminal,
  ...place
}: Omit<Stage, "screen"> & { readonly terminal: Terminal }): Promise<void> {
  const stage: Stage = { ...place, screen: createScreen(terminal) };
  await showVault(stage);
  await showAppFiles(stage);
  await showQnx(stage);
  stage.screen.text(
    "Three servers, each over stdio with a real MCP client. Their READMEs say how to add them to yours.",
  );
}
