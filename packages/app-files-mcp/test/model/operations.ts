import fc from "fast-check";
import type { ToolBench } from "../../src/testing/tool-bench.ts";
import { fileCopy } from "../../src/tools/file-copy.ts";
import { fileDelete } from "../../src/tools/file-delete.ts";
import { fileEdit } from "../../src/tools/file-edit.ts";
import { fileMove } from "../../src/tools/file-move.ts";
import { fileRestore } from "../../src/tools/file-restore.ts";
import { fileWrite } from "../../src/tools/file-write.ts";
import { type AppModel, Refused } from "./app-model.ts";

type Tool = Parameters<ToolBench["call"]>[0];

/** A call, and what it comes to in the model, which throws `Refused` where the call must be refused. */
export interface Operation {
  readonly tool: Tool;
  readonly args: Record<string, unknown>;
  /** The arguments that depend on what is there. */
  readonly more?: (model: Models) => Record<string, unknown>;
  apply(models: Models): void;
  toString(): string;
}

export type Models = Readonly<Record<string, AppModel>>;

export const appNames = ["one", "two"] as const;

// Few enough to meet again, in all the relations that paths can have.
const path = fc.constantFrom("a", "A", "b", "b/c", "d/e", "d/f", "D/e");
const prefix = fc.constantFrom("", "a", "b", "d/", "b/");
const app = fc.constantFrom(...appNames);
const text = fc.constantFrom("", "x", "xx x", "12345678", "0123456789abcdef");
const part = fc.nat({ max: 100 });

function operation(of: Omit<Operation, "toString">): Operation {
  return { ...of, toString: () => `${of.tool.name} ${JSON.stringify(of.args)}` };
}

const modelOf = (models: Models, name: string): AppModel => {
  const model = models[name];
  if (model === undefined) throw new Error(`no model of ${name}`);
  return model;
};

const write = fc.record({ app, path, text, append: fc.boolean() }).map((args) =>
  operation({
    tool: fileWrite,
    args,
    apply(models) {
      const model = modelOf(models, args.app);
      const before = args.append ? (model.files.get(args.path)?.text ?? "") : "";
      model.change([], [[args.path, before + args.text]]);
    },
  }),
);

const edit = fc.record({ app, path, by: fc.constantFrom("x", "y$&", "") }).map(({ app: of, path: at, by }) =>
  operation({
    tool: fileEdit,
    args: { app: of, path: at, edits: [{ old_text: "x", new_text: by, replace_all: true }] },
    apply(models) {
      const model = modelOf(models, of);
      const before = model.need(at).text;
      if (!before.includes("x")) throw new Refused();
      const after = before.split("x").join(by);
      if (after !== before) model.change([], [[at, after]]);
    },
  }),
);

const transfer = fc
  .record({ app, path, new_app: app, new_path: path, overwrite: fc.boolean(), moves: fc.boolean() })
  .map(({ moves, ...args }) =>
    operation({
      tool: moves ? fileMove : fileCopy,
      args,
      apply(models) {
        const from = modelOf(models, args.app);
        const to = modelOf(models, args.new_app);
        const { text: content } = from.need(args.path);
        if (from === to && args.path === args.new_path) throw new Refused();
        if (!args.overwrite && to.files.has(args.new_path)) throw new Refused();
        if (from === to) from.change(moves ? [args.path] : [], [[args.new_path, content]]);
        else {
          to.change([], [[args.new_path, content]]);
          if (moves) from.change([args.path], []);
        }
      },
    }),
  );

const remove = fc.record({ app, path }).map((args) =>
  operation({
    tool: fileDelete,
    args,
    apply(models) {
      const model = modelOf(models, args.app);
      model.need(args.path);
      model.change([args.path], []);
    },
  }),
);

const startsWith = (model: AppModel, start: string) =>
  [...model.files.keys()].filter((each) => each.startsWith(start)).sort();

const removeAll = fc.record({ app, prefix, off: fc.constantFrom(0, 0, 0, 1) }).map(({ off, ...args }) =>
  operation({
    tool: fileDelete,
    args,
    more: (models) => ({ expected_count: startsWith(modelOf(models, args.app), args.prefix).length + off }),
    apply(models) {
      if (off !== 0) throw new Refused();
      const model = modelOf(models, args.app);
      model.change(startsWith(model, args.prefix), []);
    },
  }),
);

const restore = fc
  .record({ app, path, version: fc.option(fc.integer({ min: 1, max: 5 })) })
  .map(({ version, ...args }) =>
    operation({
      tool: fileRestore,
      args: { ...args, ...(version !== null && { version }) },
      apply(models) {
        const model = modelOf(models, args.app);
        const written = model.contents.get(args.path)?.length ?? 0;
        if (version === null && model.files.has(args.path)) throw new Refused();
        model.change([], [[args.path, model.contentOf(args.path, version ?? written)]]);
      },
    }),
  );

const restoreAll = fc.record({ app, prefix, part, dry_run: fc.boolean() }).map(({ part: share, ...args }) => {
  const asOf = (model: AppModel) => Math.round(((model.states.length - 1) * share) / 100);
  return operation({
    tool: fileRestore,
    args,
    more: (models) => ({ as_of: asOf(modelOf(models, args.app)) }),
    apply(models) {
      const model = modelOf(models, args.app);
      const then = model.states[asOf(model)] ?? new Map();
      const paths = [...new Set([...model.files.keys(), ...then.keys()])]
        .filter((each) => each.startsWith(args.prefix))
        .sort();
      const deletions = paths.filter((each) => model.files.has(each) && !then.has(each));
      const writes = paths.flatMap((each): [string, string][] => {
        const wanted = then.get(each)?.text;
        return wanted === undefined || wanted === model.files.get(each)?.text ? [] : [[each, wanted]];
      });
      if (args.dry_run) model.rehearse(deletions, writes);
      else model.change(deletions, writes);
    },
  });
});

export const operations = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: write },
    { weight: 1, arbitrary: edit },
    { weight: 3, arbitrary: transfer },
    { weight: 2, arbitrary: remove },
    { weight: 1, arbitrary: removeAll },
    { weight: 2, arbitrary: restore },
    { weight: 2, arbitrary: restoreAll },
  ),
  { maxLength: 30, size: "max" },
);
