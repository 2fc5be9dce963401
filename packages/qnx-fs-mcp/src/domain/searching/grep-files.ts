import type { Entry } from "../entry.ts";
import { statedEntry } from "../entry.ts";
import { QnxFsError } from "../errors.ts";
import { assertDirectory } from "../list-directory.ts";
import { matchingPaths } from "../name-pattern.ts";
import { displayPath, type RawName, rawNameOf } from "../raw-name.ts";
import { isProcessFile } from "../reading/readable-kind.ts";
import { nameOf, parentOf } from "../remote-path.ts";
import { lstatWithinRoots, type Place, resolveWithinRoots } from "../roots.ts";
import { type BegunFile, beginFile } from "./begun-file.ts";
import type { GrepMatch, GrepPage, GrepPosition, GrepRequest, GrepServices } from "./grep-request.ts";
import { LineSplitter } from "./line-splitter.ts";
import { LineSearch } from "./search-lines.ts";
import { newWalkReport, walkTree } from "./walk-tree.ts";

const longestLine = 1024 * 1024;
const filesAhead = 8;
/** Files that are compared with `include` at a time, and the milliseconds that they may wait for it. */
const matchedAtOnce = 256;
const matchedWithinMs = 300;

/** Searches the lines of a file or of every file below a directory. */
export async function grepFiles(
  place: Place,
  request: GrepRequest,
  services: GrepServices,
  signal: AbortSignal,
): Promise<GrepPage> {
  const realPath = await resolveWithinRoots(place, request.path, signal);
  return new Grep(place, realPath, request, services, signal).run();
}

class Grep {
  readonly #place: Place;
  readonly #realPath: string;
  readonly #request: GrepRequest;
  readonly #services: GrepServices;
  readonly #signal: AbortSignal;
  readonly #report = newWalkReport();
  readonly #until: number;
  readonly #matches: GrepMatch[] = [];
  #end: GrepPosition | undefined;
  #stopped = false;
  #files = 0;
  #bytes = 0;
  #binaries = 0;
  #longLines = 0;
  readonly #failed: string[] = [];
  #failedCount = 0;

  constructor(
    place: Place,
    realPath: string,
    request: GrepRequest,
    services: GrepServices,
    signal: AbortSignal,
  ) {
    this.#place = place;
    this.#realPath = realPath;
    this.#request = request;
    this.#services = services;
    this.#signal = signal;
    this.#until = services.now() + services.budget.ms;
  }

  async run(): Promise<GrepPage> {
    const { path, count } = this.#request;
    const attributes = await lstatWithinRoots(this.#place, path, this.#realPath, this.#signal);
    const name = nameOf(this.#realPath) || "/";
    const { type } = statedEntry(rawNameOf(name), attributes, parentOf(this.#realPath));
    if (type === "dir") {
      await assertDirectory(this.#place, path, this.#realPath, this.#signal);
      await this.#searchTree();
    } else {
      await this.#search(await this.#begin("" as RawName, this.#request.after));
    }
    const full = this.#matches.length > count;
    return {
      realPath: this.#realPath,
      matches: this.#matches.slice(0, count),
      more: full || this.#stopped,
      end: full ? undefined : this.#stopped ? this.#end : undefined,
      stopped: this.#stopped && !full,
      files: this.#files,
      bytes: this.#bytes,
      binaries: this.#binaries,
      longLines: this.#longLines,
      failed: this.#failed,
      failedCount: this.#failedCount,
      report: this.#report,
    };
  }

  get #full(): boolean {
    return this.#matches.length > this.#request.count;
  }

  #overBudget(): boolean {
    const { budget, now } = this.#services;
    return this.#bytes >= budget.bytes || now() >= this.#until;
  }

  async #searchTree(): Promise<void> {
    const ahead: { readonly path: RawName; readonly begun: Promise<BegunFile | undefined> }[] = [];
    const source = this.#filesInOrder();
    try {
      for (;;) {
        while (ahead.length < filesAhead) {
          const next = await source.next();
          if (next.done) break;
          const { path, at } = next.value;
          const begun = this.#begin(path, at).catch((error: unknown) => {
            if (!isUnreadable(error)) throw error;
            this.#fail(path);
            return undefined;
          });
          begun.catch(() => {});
          ahead.push({ path, begun });
        }
        const first = ahead.shift();
        if (first === undefined) return this.#finishWalk();
        const begun = await first.begun;
        if (begun !== undefined) {
          try {
            await this.#search(begun);
          } catch (error) {
            if (!isUnreadable(error)) throw error;
            this.#fail(first.path);
          }
        }
        if (this.#full || this.#stopped) return;
        this.#end = { path: first.path, line: 0, offset: null };
        if (this.#overBudget()) {
          this.#stopped = true;
          return;
        }
      }
    } finally {
      await source.return(undefined);
      for (const { begun } of ahead) begun.then((late) => late?.release()).catch(() => {});
    }
  }

  /** The walk has ended: on its budget, or at the end of the tree. */
  #finishWalk(): void {
    const { stopped, last } = this.#report;
    this.#stopped = stopped;
    if (stopped && last !== undefined) this.#end = { path: last, line: 0, offset: null };
  }

  async *#filesInOrder(): AsyncGenerator<{ readonly path: RawName; readonly at?: GrepPosition }> {
    const { after, maxDepth, include } = this.#request;
    const { budget, now } = this.#services;
    if (after !== undefined && after.offset !== null) yield { path: after.path, at: after };
    const walk = walkTree(
      this.#place,
      this.#realPath,
      {
        maxDepth,
        after: after?.path,
        enough: (entries) => entries >= budget.entries || this.#overBudget(),
      },
      this.#report,
      this.#signal,
    );
    let waiting: RawName[] = [];
    let since = now();
    for await (const { path, realPath, entry } of walk) {
      if (realPath !== undefined && isSearched(entry, realPath)) waiting.push(path);
      if (include !== undefined && waiting.length < matchedAtOnce && now() - since < matchedWithinMs)
        continue;
      for (const path of included(waiting, include)) yield { path };
      waiting = [];
      since = now();
    }
    for (const path of included(waiting, include)) yield { path };
  }

  #begin(path: RawName, at: GrepPosition | undefined): Promise<BegunFile> {
    const searched = { path: this.#request.path, realPath: this.#realPath };
    return beginFile(this.#place, searched, path, at, this.#signal);
  }

  async #search({ path, offset, line, bytes, to, rest, release }: BegunFile): Promise<void> {
    try {
      this.#files++;
      this.#read(bytes.length);
      if (bytes.includes(0)) {
        this.#binaries++;
        return;
      }
      const lines = new LineSplitter(longestLine, { number: line, offset });
      const search = new LineSearch(this.#request.matcher, this.#request.context);
      const wanted = this.#request.count - this.#matches.length;
      const take = (): void => {
        this.#matches.push(...search.matches.map((match) => ({ ...match, path })));
      };
      let last = { line: line - 1, end: offset };
      const isEnough = (): boolean => search.matches.length > wanted && search.isComplete(wanted);
      /** Whether the search goes on. */
      const look = (chunk: Buffer): boolean => {
        for (const found of lines.push(chunk)) {
          search.push(found);
          if (found.cut) this.#longLines++;
          last = { line: found.number, end: found.end };
          if (isEnough()) return false;
        }
        return true;
      };
      if (!look(bytes)) return take();
      if (offset + bytes.length < to) {
        for await (const chunk of rest(offset + bytes.length)) {
          this.#read(chunk.length);
          if (!look(chunk)) return take();
          if (last.end > offset && this.#overBudget()) {
            this.#stopped = true;
            this.#end = { path, line: last.line, offset: last.end };
            return take();
          }
        }
      }
      const rest_ = lines.finish();
      if (rest_ !== undefined) search.push(rest_);
      take();
    } finally {
      release();
    }
  }

  #read(bytes: number): void {
    this.#bytes += bytes;
    this.#services.progress(this.#bytes);
  }

  #fail(path: RawName): void {
    this.#failedCount++;
    if (this.#failed.length < 3) this.#failed.push(displayPath(path).text);
  }
}

function included(paths: readonly RawName[], include: string | undefined): readonly RawName[] {
  if (include === undefined || paths.length === 0) return paths;
  const shown = paths.map((path) => displayPath(path).text);
  return matchingPaths(include, shown).map((index) => paths[index] as RawName);
}

/** Files that hold something; those that tell no size may. */
function isSearched({ type, detail, size }: Entry, realPath: string): boolean {
  return (type === "file" || detail === "shm") && (size !== 0 || isProcessFile(realPath));
}

function isUnreadable(error: unknown): boolean {
  const timedOut = error instanceof DOMException && error.name === "TimeoutError";
  return (
    timedOut ||
    (error instanceof QnxFsError && error.code !== "CONNECTION_LOST" && error.code !== "HANDSHAKE_FAILED")
  );
}
