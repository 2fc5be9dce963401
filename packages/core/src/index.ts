export type { Access, ScopeSpec } from "./access.ts";
export { Answer, type Extras, type Image, type Link } from "./answer.ts";
export type { App } from "./app.ts";
export { cutText, takeWithin } from "./budget.ts";
export { type CollectGarbage, createCollectGarbage } from "./collect-garbage.ts";
export {
  type CommandCall,
  type CommandLine,
  type CommandSpec,
  parseCommandLine,
  type Values,
} from "./command-line.ts";
export type { Effect } from "./effect.ts";
export {
  type CoreFailureDetails,
  coreFailures,
  type FailureText,
  type FailureTexts,
  quote,
} from "./failure.ts";
export { anyJson, cursorArgument, dateTime, eot, limitArgument, pageFields } from "./fields.ts";
export { type FolderKind, type Surroundings, userFolder } from "./folders.ts";
export { holdHeap } from "./heap.ts";
export { type Json, jsonBytes } from "./json.ts";
export type { Log, LogLevel } from "./log.ts";
export { option } from "./option.ts";
export type {
  Resource,
  ResourceContents,
  ResourceListener,
  Resources,
  ResourceTemplate,
} from "./resource.ts";
export { type Program, runMain, type Terminal } from "./run.ts";
export type { OpenRoutes, Readiness, RouteAnswer, Routes, Running, Served } from "./running.ts";
export { ConfigurationError } from "./settings.ts";
export {
  type CallContext,
  definersFor,
  type Page,
  type PageContext,
  type PagedTool,
  type Paging,
  type PartContext,
  type PlainTool,
  type Result,
  type Resuming,
  type Tool,
} from "./tool.ts";
