import { defaultBudget } from "./budget.ts";
import { logLevels } from "./log.ts";
import { type Options, option, type ValuesOf } from "./option.ts";

/** Settings that every server has. */
export const commonOptions = {
  maxResultBytes: option.integer({
    placeholder: "N",
    description: "most bytes of data in an answer",
    min: 4_000,
    max: 1_000_000,
    byDefault: defaultBudget,
  }),
  logLevel: option.choice({
    placeholder: "LEVEL",
    description: "what is written to stderr",
    words: logLevels,
    byDefault: "info",
  }),
  http: option.text({
    placeholder: "[HOST:]PORT",
    description: "serve over HTTP at /mcp in place of stdin and stdout; without a host on loopback",
  }),
  publicUrl: option.text({
    placeholder: "URL",
    description: "the URL by which clients reach a server behind a proxy",
  }),
  tokens: option.text({
    placeholder: "FILE",
    description: "bearer tokens that may call over HTTP; see the command token",
    isPath: true,
  }),
  oauthIssuer: option.text({
    placeholder: "URL",
    description: "the authorization server whose JWTs may call over HTTP",
  }),
  oauthAudience: option.text({
    placeholder: "AUD",
    description: "what such a JWT must name as its audience",
  }),
  requestsPerMinute: option.integer({
    placeholder: "N",
    description: "requests that a token may make over HTTP",
    min: 1,
    max: 1_000_000,
    byDefault: 1_200,
  }),
  concurrent: option.integer({
    placeholder: "N",
    description: "requests of one token that may run at once",
    min: 1,
    max: 1_000,
    byDefault: 16,
  }),
} satisfies Options;

export type CommonValues = ValuesOf<typeof commonOptions>;
