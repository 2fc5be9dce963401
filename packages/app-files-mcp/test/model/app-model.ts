/** What a file is in the model: its content, and the number of its last write. */
export interface ModelFile {
  readonly text: string;
  readonly version: number;
}

export interface ModelLimits {
  readonly bytes: number;
  readonly files: number;
}

type Write = readonly [path: string, text: string];
type Files = ReadonlyMap<string, ModelFile>;

/** The model's refusal of a call. */
export class Refused extends Error {}

/** An app as simple as can be: every state that it ever had, and every content of every path. */
export class AppModel {
  readonly #limits: ModelLimits;
  /** The files after each change; the index is the files_version. */
  readonly states: Files[] = [new Map()];
  readonly contents = new Map<string, string[]>();

  constructor(limits: ModelLimits) {
    this.#limits = limits;
  }

  get files(): Files {
    return this.states.at(-1) ?? new Map();
  }

  get usage() {
    const texts = [...this.files.values()].map(({ text }) => text);
    const bytes = texts.join("").length;
    const all = [...this.contents.values()].flat().join("").length;
    return { bytes, count: texts.length, history_bytes: all - bytes };
  }

  need(path: string): ModelFile {
    const file = this.files.get(path);
    if (file === undefined) throw new Refused();
    return file;
  }

  /** The content of a version, current or not. */
  contentOf(path: string, version: number): string {
    const text = this.contents.get(path)?.[version - 1];
    if (text === undefined) throw new Refused();
    return text;
  }

  /** Changes that happen together: deletions first, then writes; or none where the end may not be. */
  change(deletions: readonly string[], writes: readonly Write[]): void {
    this.rehearse(deletions, writes);
    let files = new Map(this.files);
    for (const path of deletions) {
      files = new Map(files);
      files.delete(path);
      this.states.push(files);
    }
    for (const [path, text] of writes) {
      files = new Map(files);
      const all = [...(this.contents.get(path) ?? []), text];
      this.contents.set(path, all);
      files.set(path, { text, version: all.length });
      this.states.push(files);
    }
  }

  /** Refuses the same, and changes nothing. */
  rehearse(deletions: readonly string[], writes: readonly Write[]): void {
    const end = new Map(this.files);
    for (const path of deletions) end.delete(path);
    for (const [path, text] of writes) {
      end.set(path, { text, version: (this.contents.get(path)?.length ?? 0) + 1 });
    }
    this.#check(end);
  }

  #check(files: Files): void {
    const bytes = [...files.values()].map(({ text }) => text).join("").length;
    if (bytes > this.#limits.bytes || files.size > this.#limits.files) throw new Refused();
    const folded = [...files.keys()].map((path) => path.toLowerCase());
    const collide = folded.some((a, i) =>
      folded.some((b, j) => i !== j && (a === b || b.startsWith(`${a}/`))),
    );
    if (collide) throw new Refused();
  }
}
