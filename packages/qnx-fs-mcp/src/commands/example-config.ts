/** A configuration to begin with, as `check --example` prints it. */
export const exampleConfig = `# The targets that an assistant may use, and what it may do on each.
targets:
  tb:                                  # lowercase letters, digits, - and _
    host: 192.0.2.10                   # address or name; with ssh_config: true an alias of ~/.ssh/config
    # port: 22
    user: qnxuser
    identity_file: ~/.ssh/id_ed25519   # or agent: true, or password_env: NAME
    # passphrase_env: NAME             # the variable that holds the passphrase of the key
    # host_key: "SHA256:..."           # else: qnx-fs-mcp trust tb
    # algorithms: legacy               # for QNX 6.5 and other old servers
    # jump: bastion                    # a name under jumps
    read_roots: ["/"]                  # what may be listed and read
    write_roots: ["/tmp", "/data"]     # what may be changed; left out: nothing
    # sftp_server: /usr/libexec/sftp-server   # only where sshd has no sftp subsystem

# jumps:
#   bastion: { host: bastion.example.com, user: me, agent: true }

local_roots: ["~/qnx"]                 # directories of this host that files may be copied to and from
`;
