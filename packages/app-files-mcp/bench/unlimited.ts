import type { Limits } from "../src/domain/limits.ts";

const most = 1024 ** 4;

export const unlimited: Limits = {
  file_bytes: most,
  app_bytes: most,
  app_files: most,
  store_bytes: most,
  store_files: most,
};
