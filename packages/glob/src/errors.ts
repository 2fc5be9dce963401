/** A pattern that could cost more time than a caller may take. `limit` names the bound, such as `3 "**"`. */
export class PatternTooCostly extends Error {
  override readonly name = "PatternTooCostly";
  readonly limit: string;

  constructor(limit: string, options?: ErrorOptions) {
    super(`the pattern is over the limit of ${limit}`, options);
    this.limit = limit;
  }
}

/** A text that is no pattern. `problem` continues "the pattern …". */
export class InvalidPattern extends Error {
  override readonly name = "InvalidPattern";
  readonly problem: string;

  constructor(problem: string) {
    super(`the pattern ${problem}`);
    this.problem = problem;
  }
}
