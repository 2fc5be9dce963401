import type { FileRecord } from "../domain/file-record.ts";

/** The entity tag of a content. */
export function etagOf({ sha256 }: Pick<FileRecord, "sha256">): string {
  return `"${sha256}"`;
}

/** Whether a list of entity tags, or `*`, names a file's content. Source: RFC 9110, 13.1. */
export function names(list: string, current: Pick<FileRecord, "sha256"> | undefined): boolean {
  if (current === undefined) return false;
  const tags = list.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes("*") || tags.includes(etagOf(current));
}

/** A part of a content that a request asks for, `end` not included. */
export type Range = { readonly start: number; readonly end: number } | "whole" | "beyond";

/** Reads a Range header: one range of bytes; several, or what is none, stand for the whole. Source: RFC 9110, 14.2. */
export function readRange(header: string | null, size: number): Range {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "") ?? [];
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "beyond" : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "beyond";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}
