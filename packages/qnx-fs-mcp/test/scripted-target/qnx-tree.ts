import {
  blockDevice,
  charDevice,
  directory,
  fifo,
  file,
  link,
  type Node,
  named,
  rawText,
  socket,
} from "./tree.ts";

const boot = 1_900_000_000;

/** The files of a small QNX 8 target as one meets them on a bench: RAM behind /tmp, cores, named files, odd names. */
export function qnxTree(): Node {
  return directory({
    bin: link("/system/bin"),
    data: directory({
      home: directory({
        qnxuser: directory(
          { ".profile": file(112, { uid: 1000 }), "notes.txt": file(2_048, { uid: 1000 }) },
          { uid: 1000 },
        ),
      }),
      var: directory({
        dumper: directory({
          "can-gateway.1.core": file(18_874_368, { mtime: boot + 3_600, mode: 0o600 }),
          "can-gateway.2.core": file(18_907_136, { mtime: boot + 90_000, mode: 0o600 }),
          "hmi.core.gz": file(4_194_304, { mtime: boot + 86_400 }),
        }),
        log: directory({
          "boot.log": file(51_200, { mtime: boot + 12 }),
          "can.log": file(7_340_032, { mtime: boot + 90_100 }),
          "slog.txt": file(0, { mtime: boot + 90_101 }),
        }),
        ssh: directory({}, { mode: 0o700, denied: true }),
        tmp: directory([
          [rawText("Übersicht.txt"), file(18)],
          ["caf\xe9.txt", file(5)],
          [rawText("日本語.csv"), file(96)],
          [rawText("out"), link("/etc/passwd")],
        ]),
      }),
    }),
    dev: directory({
      console: charDevice(),
      hd0: blockDevice(),
      mem: named(0),
      null: charDevice(),
      random: named(0),
      shmem: directory({
        "frame-buffer": named(8_294_400),
        slogger2: directory({ "can-gateway.1": named(32_768) }),
        "trace.kev": named(1_048_576),
      }),
      slog2: directory({ info: named(0) }),
    }),
    etc: directory({ hosts: file(74), passwd: file(312), sshd_config: file(1_204) }),
    proc: directory({
      "1": directory({ as: file(0), cmdline: file(0), ctl: file(0, { mode: 0o600 }), exefile: file(0) }),
      boot: directory({ ".script": file(3_412), "procnto-smp-instr": file(2_219_876, { mode: 0o755 }) }),
      self: link("1"),
    }),
    system: directory({
      bin: directory({
        ksh: file(301_224, { mode: 0o755 }),
        "sftp-server": file(98_112, { mode: 0o755 }),
        slog2info: file(41_008, { mode: 0o755 }),
      }),
      // Two managers serve this path: names come twice.
      lib: directory([
        ["libc.so.6", file(812_344, { mode: 0o755 })],
        ["libm.so.3", file(212_980, { mode: 0o755 })],
        ["libc.so.6", file(799_112, { mode: 0o755 })],
      ]),
    }),
    tmp: link("/dev/shmem"),
    var: directory({ pipe: fifo(), "pps.sock": socket(), run: link("/data/var/tmp") }),
  });
}
