import { type Bytes, find, type Node } from "./tree.ts";

/** A directory of the tree with one of its names. */
export interface Spot {
  readonly directory: Node;
  readonly name: Bytes;
  readonly real: Bytes;
}

/** The directory that holds a path, links on the way resolved; undefined where there is none. */
export function spotOf(root: Node, path: Bytes): Spot | undefined {
  const slash = path.lastIndexOf("/");
  const found = find(root, path.slice(0, slash) || "/", true);
  if (!("node" in found) || found.node.entries === undefined) return undefined;
  const name = path.slice(slash + 1);
  return { directory: found.node, name, real: `${found.path === "/" ? "" : found.path}/${name}` };
}

export function nodeAt({ directory, name }: Spot): Node | undefined {
  return directory.entries?.find(([known]) => known === name)?.[1];
}

/** Puts a node under a name, in the place of what had it. */
export function putNode(spot: Spot, node: Node): void {
  dropNode(spot);
  (spot.directory.entries as [Bytes, Node][]).push([spot.name, node]);
}

export function dropNode({ directory, name }: Spot): void {
  const entries = directory.entries as [Bytes, Node][];
  const index = entries.findIndex(([known]) => known === name);
  if (index !== -1) entries.splice(index, 1);
}

/** The sum of what all files hold. */
export function bytesIn(node: Node): number {
  if (node.entries === undefined) return node.content?.length ?? 0;
  return node.entries.reduce((sum, [, child]) => sum + bytesIn(child), 0);
}
