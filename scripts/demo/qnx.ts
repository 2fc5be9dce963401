import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "../../packages/core/src/testing/connect.ts";
import type { Stage } from "./main.ts";

export async function showQnx({ screen }: Stage): Promise<void> {
  screen.heading("qnx-fs-mcp", "the file system of a QNX target");
}
