import { mapInParallel } from "../parallel.ts";

/** Files of a tree that are copied at a time. */
const filesAtOnce = 4;

/** Copies files a few at a time. When one fails the others are stopped and have tidied up before that is told. */
export async function copyFiles<File>(
  files: readonly File[],
  signal: AbortSignal,
  copy: (file: File, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  let first: { readonly error: unknown } | undefined;
  await mapInParallel(files, filesAtOnce, async (file) => {
    if (failed.signal.aborted) return;
    try {
      await copy(file, either);
    } catch (error) {
      first ??= { error };
      failed.abort(error);
    }
  });
  if (first !== undefined) throw first.error;
}
