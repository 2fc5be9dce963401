import { compilePattern } from "@mcp-file-servers/glob";
import { fold } from "./fold.ts";

export type FileKind = "note" | "attachment";

/** Extensions that attachments have unless the operator says otherwise. */
export const defaultAttachments: readonly string[] =
  "pdf png jpg jpeg gif webp svg bmp tiff avif heic docx xlsx pptx odt ods odp epub zip tar gz mp3 mp4 wav ogg m4a webm txt csv tsv json yaml toml xml html css js ts canvas base excalidraw".split(
    " ",
  );

const noteExtensions = ["md", "markdown"];

/** Which files of the folder a vault consists of: one rule for notes and attachments, and for every tool. */
export interface Visibility {
  /** Whether a path is kept from every tool: a name in it begins with a dot, is `node_modules` or is excluded. */
  isHidden(path: string): boolean;
  /** What a file is by its name; undefined for a kind that is not served. */
  kindOf(path: string): FileKind | undefined;
  /** The extensions of attachments; `*` for any. */
  readonly attachments: readonly string[];
}

export interface VisibilityRules {
  /** Patterns; what matches is hidden, and everything below it. */
  readonly exclude: readonly string[];
  /** Extensions without a dot, or `*`. */
  readonly attachments: readonly string[];
}

/** @throws InvalidPattern, PatternTooCostly for an exclusion that is none. */
export function createVisibility({ exclude, attachments }: VisibilityRules): Visibility {
  const exclusions = exclude.map((pattern) => compilePattern(pattern.replace(/\/+$/, "")));
  const extensions = new Set(attachments.map((extension) => fold(extension)));
  const isExcluded = (path: string) => exclusions.some((matches) => matches(path));
  return {
    attachments,
    isHidden(path) {
      const names = path.split("/");
      if (names.some((name) => name.startsWith(".") || fold(name) === "node_modules")) return true;
      return (
        exclusions.length > 0 && names.some((_, index) => isExcluded(names.slice(0, index + 1).join("/")))
      );
    },
    kindOf(path) {
      const extension = fold(extensionOf(path));
      if (noteExtensions.includes(extension)) return "note";
      return extensions.has("*") || extensions.has(extension) ? "attachment" : undefined;
    },
  };
}

/** The extension without its dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 1 ? "" : name.slice(dot + 1);
}
