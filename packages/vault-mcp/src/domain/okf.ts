import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { localDate, parseMoment } from "./moment.ts";

/** What the Open Knowledge Format says of a note in an active bundle. Source: OKF specification 0.2. */
export interface OkfFacts {
  readonly type?: string;
  /** `draft`, `stable`, `deprecated`, or another text as it stands. */
  readonly status: string;
  /** Whether `stale_after` is reached. */
  readonly stale: boolean;
  readonly trustTier: "human-reviewed" | "machine-confirmed" | "unverified";
}

export type OkfMode = "auto" | "on" | "off";

/** The file whose frontmatter declares a bundle. */
export const bundleFile = "index.md";

/** Whether the vault is a bundle: by the operator's word, else by `okf_version` in the root's `index.md`. */
export function isBundle(mode: OkfMode, rootIndex: JsonObject | undefined): boolean {
  if (mode !== "auto") return mode === "on";
  const version = rootIndex?.okf_version;
  return typeof version === "number" || (typeof version === "string" && version.trim() !== "");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}

export function okfFacts(frontmatter: JsonObject, now: Date): OkfFacts {
  const type = typeof frontmatter.type === "string" ? frontmatter.type.trim() : "";
  return {
    ...(type !== "" && { type }),
    status: textOf(frontmatter.status) || "stable",
    stale: isStale(frontmatter.stale_after, now),
    trustTier: trustTier(frontmatter.verified),
  };
}

/** A date is reached on that day by the server's clock, a date-time with offset at that instant; others never are. */
function isStale(staleAfter: Json | undefined, now: Date): boolean {
  const moment = typeof staleAfter === "string" ? parseMoment(staleAfter) : undefined;
  if (moment?.kind === "date") return localDate(now) >= moment.date;
  return moment?.kind === "offset" && now.getTime() >= moment.at;
}

function trustTier(verified: Json | undefined): OkfFacts["trustTier"] {
  const entries = (Array.isArray(verified) ? verified : [verified]).filter(isJsonObject);
  if (entries.some(({ by }) => typeof by === "string" && by.startsWith("human:"))) return "human-reviewed";
  return entries.length > 0 ? "machine-confirmed" : "unverified";
}

/** The three keys that have a meaning of their own in a bundle. */
export const bundleKeys: readonly string[] = ["status", "stale", "trust_tier"];

/** Names of files that are about the others. */
export const reservedNames: readonly string[] = ["index.md", "log.md"];
