import { defineConfig } from "vitest/config";

const packages = ["core", "sqlite", "glob", "vault-mcp", "app-files-mcp", "qnx-fs-mcp"];

export default defineConfig({
  test: {
    projects: [
      { test: { name: "scripts", root: "scripts", include: ["**/*.test.ts"] } },
      ...packages.map((name) => ({
        test: {
          name,
          root: `packages/${name}`,
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      })),
    ],
  },
});
