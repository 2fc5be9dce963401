import { option } from "./option.ts";

/** The command `token` of every server. */
export const tokenCommand = {
  summary: "manages the bearer tokens of --tokens FILE; a new one is shown once",
  usage: "add NAME | remove NAME | list",
  arguments: { min: 1, max: 2 },
  options: {
    readOnly: option.flag({ description: "the token may change nothing" }),
    expires: option.text({ placeholder: "DATE", description: "when it ends, such as 2027-06-30" }),
    scope: option.list({
      placeholder: "NAME=VALUE",
      description: "limits it: values by commas; may be repeated",
    }),
  },
} as const;
