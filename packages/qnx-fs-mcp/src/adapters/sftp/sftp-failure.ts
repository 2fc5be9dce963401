/** The server answered a request with a status other than OK. */
export class StatusReply extends Error {
  override readonly name = "StatusReply";
  readonly status: number;
  readonly request: string;

  constructor(request: string, status: number, text: string) {
    super(text);
    this.status = status;
    this.request = request;
  }
}

/** There is no answer and there will be none: the channel closed, or it broke the protocol. */
export class ChannelClosed extends Error {
  override readonly name = "ChannelClosed";
}

/** Text came where the first packet was due, such as what a login script prints. */
export class PrintedText extends Error {
  override readonly name = "PrintedText";
  /** On one line, its beginning. */
  readonly text: string;

  constructor(text: string, options?: ErrorOptions) {
    super(`it printed ${JSON.stringify(text)} where SFTP was due`, options);
    this.text = text;
  }
}

/** The entries of a directory come again and again, or never end. */
export class EndlessDirectory extends Error {
  override readonly name = "EndlessDirectory";
}

/** No answer within the time limit; the channel is given up. */
export class RequestTimedOut extends Error {
  override readonly name = "RequestTimedOut";
  readonly request: string;
  readonly milliseconds: number;

  constructor(request: string, milliseconds: number) {
    super(`no answer to ${request} within ${Math.round(milliseconds / 1000)} s`);
    this.request = request;
    this.milliseconds = milliseconds;
  }
}
