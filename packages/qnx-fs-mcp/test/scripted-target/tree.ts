import type { Attributes } from "../../src/domain/remote-files.ts";

/** A name as bytes, one character a byte; `rawText` makes one of text. */
export type Bytes = string;

export function rawText(text: string): Bytes {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** How a node answers besides its attributes. */
export interface NodeQuirks {
  readonly denied?: boolean;
  /** Answers everything with code 4 and the word "Failure". */
  readonly vague?: boolean;
  /** READDIR tells no type bits; LSTAT does not either where it is "everywhere". */
  readonly noTypeBits?: "readdir" | "everywhere";
  /** READDIR sends no `ls -l` line. */
  readonly noLongName?: boolean;
  /** It tells a size of 0, as files of /proc do. */
  readonly noSize?: boolean;
}

export interface Node extends NodeQuirks {
  readonly attributes: Attributes;
  /** Children in the order in which READDIR sends them; a name may come twice. */
  readonly entries?: readonly (readonly [Bytes, Node])[];
  /** What a link says. */
  readonly link?: Bytes;
  /** What a file holds; one without has bytes of its own making, as many as its size. */
  readonly content?: Buffer;
}

/** What a file holds. */
export function contentOf({ content, attributes }: Node): Buffer {
  return content ?? Buffer.alloc(attributes.size ?? 0, "0123456789abcdef\n");
}

const typeLetters: Readonly<Record<number, string>> = {
  1: "p",
  2: "c",
  4: "d",
  5: "n",
  6: "b",
  8: "-",
  10: "l",
  12: "s",
};

export interface NodeOptions extends NodeQuirks {
  readonly mode?: number;
  readonly size?: number;
  readonly mtime?: number;
  readonly uid?: number;
}

function node(bits: number, defaultMode: number, options: NodeOptions, rest: Partial<Node> = {}): Node {
  const { mode = defaultMode, size = 0, mtime = 1_900_000_000, uid = 0, ...quirks } = options;
  return { ...quirks, ...rest, attributes: { size, uid, gid: uid, mode: (bits << 12) | mode, mtime } };
}

export function directory(
  entries: Readonly<Record<string, Node>> | readonly (readonly [Bytes, Node])[],
  options: NodeOptions = {},
): Node {
  const list = Array.isArray(entries)
    ? (entries as readonly (readonly [Bytes, Node])[])
    : Object.entries(entries as Readonly<Record<string, Node>>).map(
        ([name, child]) => [rawText(name), child] as const,
      );
  return node(4, 0o755, { size: 4096, ...options }, { entries: list });
}

export function file(size: number, options: NodeOptions = {}): Node {
  return node(8, 0o644, { ...options, size });
}

/** A file that holds something. */
export function fileWith(content: string | Buffer, options: NodeOptions = {}): Node {
  const bytes = Buffer.from(content as string);
  return { ...file(options.noSize ? 0 : bytes.length, options), content: bytes };
}

export function link(target: string, options: NodeOptions = {}): Node {
  return node(10, 0o777, { size: target.length, ...options }, { link: rawText(target) });
}

/** QNX's named special file: a shared memory object below /dev/shmem. */
export function named(size: number, options: NodeOptions = {}): Node {
  return node(5, 0o666, { ...options, size });
}

export function charDevice(options: NodeOptions = {}): Node {
  return node(2, 0o666, options);
}

export function blockDevice(options: NodeOptions = {}): Node {
  return node(6, 0o660, options);
}

export function fifo(options: NodeOptions = {}): Node {
  return node(1, 0o644, options);
}

export function socket(options: NodeOptions = {}): Node {
  return node(12, 0o755, options);
}

/** A line as `ls -l` writes it. */
export function longName(name: Bytes, { attributes }: Node): string {
  const { mode = 0, size = 0, uid = 0, gid = 0, mtime = 0 } = attributes;
  const bits = Array.from({ length: 9 }, (_, bit) => (mode & (1 << (8 - bit)) ? "rwx"[bit % 3] : "-")).join(
    "",
  );
  const date = new Date(mtime * 1000).toISOString().slice(0, 10);
  return `${typeLetters[(mode >> 12) & 15] ?? "?"}${bits}    1 ${uid} ${gid} ${size} ${date} ${name}`;
}

/** What became of a path: the node with its real path, or why there is none. */
export type Found =
  | { readonly node: Node; readonly path: Bytes }
  | { readonly missing: "component" | "last"; readonly path: Bytes }
  | { readonly refused: "denied" | "vague" };

/** Walks to a path, through links; through one in the last component only where `follow` says so. */
export function find(root: Node, path: Bytes, follow: boolean, hops = 0): Found {
  if (hops > 16) return { missing: "component", path };
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  const trail: { node: Node; name: Bytes }[] = [];
  for (const [index, part] of parts.entries()) {
    if (part === "..") {
      trail.pop();
      continue;
    }
    const parent = trail.at(-1)?.node ?? root;
    if (parent.denied) return { refused: "denied" };
    const child = parent.entries?.find(([name]) => name === part)?.[1];
    const here = `/${[...trail.map(({ name }) => name), part].join("/")}`;
    const last = index === parts.length - 1;
    if (child === undefined) return { missing: last && parent.entries ? "last" : "component", path: here };
    if (child.vague) return { refused: "vague" };
    if (child.link !== undefined && (!last || follow)) {
      const base = child.link.startsWith("/") ? "" : `/${trail.map(({ name }) => name).join("/")}`;
      const rest = parts.slice(index + 1).join("/");
      return find(root, `${base}/${child.link}/${rest}`, follow, hops + 1);
    }
    trail.push({ node: child, name: part });
  }
  return { node: trail.at(-1)?.node ?? root, path: `/${trail.map(({ name }) => name).join("/")}` };
}
