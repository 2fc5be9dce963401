/** A move of one file, or of a folder with everything in it; paths are vault-relative. */
export interface Move {
  readonly from: string;
  readonly to: string;
}

/** Where a path is after a move. */
export function movedPath({ from, to }: Move, path: string): string {
  if (path === from) return to;
  return path.startsWith(`${from}/`) ? `${to}${path.slice(from.length)}` : path;
}

/** Where a path was before a move. */
export function pathBefore({ from, to }: Move, path: string): string {
  return movedPath({ from: to, to: from }, path);
}
