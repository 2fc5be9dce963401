/** How one setting is given and read. */
export interface Option<Value> {
  /** What stands for the value in the help; undefined for a switch. */
  readonly placeholder: string | undefined;
  readonly description: string;
  /** The variable that gives the value where the flag does not. */
  readonly env: string | undefined;
  readonly isPath: boolean;
  readonly isList: boolean;
  /** The values as they were written (one, but for a list); undefined when none was. Throws Error with what is accepted. */
  read(texts: readonly string[] | undefined): Value;
}

interface Common {
  readonly description: string;
  readonly env?: string;
}

type TextOption = Common & { readonly placeholder: string; readonly isPath?: boolean };

function last(texts: readonly string[] | undefined): string | undefined {
  return texts?.at(-1);
}

const switchWords: Readonly<Record<string, boolean>> = {
  "": false,
  "0": false,
  false: false,
  no: false,
  off: false,
  "1": true,
  true: true,
  yes: true,
  on: true,
};

/** Builders of options. */
export const option = {
  /** A switch: present or absent; as a variable 1/true/yes/on or 0/false/no/off. */
  flag: ({ description, env }: Common): Option<boolean> => ({
    placeholder: undefined,
    description,
    env,
    isPath: false,
    isList: false,
    read: (texts) => {
      const word = last(texts);
      if (word === undefined) return false;
      const value = switchWords[word.toLowerCase()];
      if (value === undefined) throw new Error("must be true or false");
      return value;
    },
  }),

  /** Any text. */
  text: ({ description, env, placeholder, isPath = false }: TextOption): Option<string | undefined> => ({
    placeholder,
    description,
    env,
    isPath,
    isList: false,
    read: last,
  }),

  /** Texts: the flag may be repeated, the variable separates them by commas. */
  list: ({ description, env, placeholder, isPath = false }: TextOption): Option<readonly string[]> => ({
    placeholder,
    description,
    env,
    isPath,
    isList: true,
    read: (texts) => texts ?? [],
  }),

  /** A whole number within bounds. */
  integer: (
    spec: Common & { placeholder: string; min: number; max: number; byDefault: number },
  ): Option<number> => ({
    placeholder: spec.placeholder,
    description: `${spec.description} (${spec.min} to ${spec.max}; default ${spec.byDefault})`,
    env: spec.env,
    isPath: false,
    isList: false,
    read: (texts) => {
      const text = last(texts);
      if (text === undefined) return spec.byDefault;
      const value = Number(text);
      if (/^\d+$/.test(text) && value >= spec.min && value <= spec.max) return value;
      throw new Error(`must be a whole number from ${spec.min} to ${spec.max}`);
    },
  }),

  /** One of a few words. */
  choice: <const Word extends string>(
    spec: Common & { placeholder: string; words: readonly Word[]; byDefault: Word },
  ): Option<Word> => ({
    placeholder: spec.placeholder,
    description: `${spec.description} (${spec.words.join(", ")}; default ${spec.byDefault})`,
    env: spec.env,
    isPath: false,
    isList: false,
    read: (texts) => {
      const text = last(texts);
      if (text === undefined) return spec.byDefault;
      const word = spec.words.find((candidate) => candidate === text);
      if (word === undefined) throw new Error(`must be one of ${spec.words.join(", ")}`);
      return word;
    },
  }),
};

// biome-ignore lint/suspicious/noExplicitAny: options of every type stand in one table.
export type Options = Readonly<Record<string, Option<any>>>;

/** The value of every option of a table. */
export type ValuesOf<Table extends Options> = {
  readonly [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};
