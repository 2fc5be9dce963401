import { expect, test } from "vitest";
import { kindOf, modeText } from "./entry-type.ts";

test.each([
  [0o100644, "file"],
  [0o040755, "dir"],
  [0o120777, "symlink"],
  [0o020666, "char"],
  [0o060660, "block"],
  [0o010644, "fifo"],
  [0o140755, "socket"],
  [0o110000, "other"],
])("mode %o is of type %s", (mode, type) => {
  expect(kindOf(mode, undefined, "/data")).toEqual({ type });
});

test("QNX's named files are other, with what they are", () => {
  expect(kindOf(0o050644, undefined, "/proc")).toEqual({ type: "other", detail: "named" });
  expect(kindOf(0o050644, undefined, "/dev/shmem")).toEqual({ type: "other", detail: "shm" });
  expect(kindOf(0o050644, undefined, "/dev/shmem/slogger2")).toEqual({ type: "other", detail: "shm" });
  expect(kindOf(0o050644, undefined, "/dev/shmem2")).toEqual({ type: "other", detail: "named" });
});

test("QNX's flag for access control lists, above the type bits, changes nothing", () => {
  expect(kindOf(0o200000 | 0o100644, undefined, "/")).toEqual({ type: "file" });
});

test("without type bits the line of ls tells, and without both nothing does", () => {
  expect(kindOf(0o755, "drwxr-xr-x    2 0 0 4096 Jan  1 00:00 d", "/")).toEqual({ type: "dir" });
  expect(kindOf(undefined, "lrwxrwxrwx    1 0 0 4 Jan  1 00:00 l", "/")).toEqual({ type: "symlink" });
  expect(kindOf(0o644, "nrw-rw-rw-    1 0 0 0 Jan  1 00:00 shm", "/dev/shmem")).toMatchObject({
    detail: "shm",
  });
  expect(kindOf(0o644, "dumper.core", "/")).toBeUndefined();
  expect(kindOf(undefined, undefined, "/")).toBeUndefined();
});

test("permission bits are octal text of four digits", () => {
  expect([0o100644, 0o104755, 0o100000, undefined].map(modeText)).toEqual(["0644", "4755", "0000", null]);
});
