import { QnxFsError } from "../../domain/errors.ts";
import { statusCode } from "./packet-type.ts";
import { ChannelClosed, EndlessDirectory, RequestTimedOut, StatusReply } from "./sftp-failure.ts";
import { MalformedPacket } from "./wire.ts";

/** Makes a failure of the SFTP session one of this server's errors; leaves others as they are. */
export function translateFailure(error: unknown, path: string, at: { target: string; user: string }): Error {
  const { target, user } = at;
  if (error instanceof StatusReply) {
    const options = { cause: error };
    if (error.status === statusCode.noSuchFile) return new QnxFsError("NOT_FOUND", { target, path }, options);
    if (error.status === statusCode.permissionDenied) {
      return new QnxFsError("PERMISSION_DENIED", { target, path, user }, options);
    }
    const details = {
      target,
      path,
      operation: error.request,
      reply: error.message,
      causes: likelyCauses(error),
    };
    return new QnxFsError("REFUSED_BY_TARGET", details, options);
  }
  if (error instanceof EndlessDirectory) {
    const causes = ["a manager that serves its directory wrongly"];
    const details = { target, path, operation: "READDIR", reply: error.message, causes };
    return new QnxFsError("REFUSED_BY_TARGET", details, { cause: error });
  }
  if (
    error instanceof ChannelClosed ||
    error instanceof RequestTimedOut ||
    error instanceof MalformedPacket
  ) {
    const step = error instanceof RequestTimedOut ? error.request : "SFTP";
    return new QnxFsError("CONNECTION_LOST", { target, step, reason: error.message }, { cause: error });
  }
  return error instanceof Error ? error : new Error(String(error));
}

function likelyCauses({ status, request }: StatusReply): readonly string[] {
  if (status === statusCode.unsupported) return [`its SFTP server does not know ${request}`];
  if (request === "READLINK") return ["it is not a link"];
  if (request === "OPENDIR" || request === "READDIR") {
    return [
      "an input/output error of the file system",
      "too many open files on the target",
      "a manager that serves no directory",
    ];
  }
  return ["an input/output error of the file system", "a loop of links"];
}
