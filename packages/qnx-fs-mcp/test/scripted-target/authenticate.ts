import { createHash, timingSafeEqual } from "node:crypto";
import type { AuthContext, KeyboardAuthContext, PasswordAuthContext, PublicKeyAuthContext } from "ssh2";
import ssh2 from "ssh2";

export type Method = "none" | "publickey" | "password" | "keyboard-interactive";

/** Who may log in, and how. */
export interface Account {
  readonly methods?: readonly Method[];
  /** Demands a new password from whoever has the right one. */
  readonly newPassword?: boolean;
  /** A second hidden prompt of keyboard-interactive, after the password. */
  readonly secondPrompt?: string;
  readonly user: string;
  readonly password: string;
  readonly userKey: string;
  readonly userPassphrase?: string;
}

/** Answers one attempt to log in. */
export function authenticate(context: AuthContext, account: Account): void {
  const methods = account.methods ?? ["publickey", "password"];
  const allowed = methods.includes(context.method as Method) && context.username === account.user;
  if (allowed && context.method === "none") context.accept();
  else if (allowed && context.method === "password") checkPassword(context, account);
  else if (allowed && context.method === "keyboard-interactive") ask(context, account);
  else if (allowed && context.method === "publickey") checkKey(context, account);
  else refuse(context, account);
}

function refuse(context: AuthContext, { methods = ["publickey", "password"] }: Account): void {
  context.reject(methods.filter((method) => method !== "none"));
}

function checkPassword(context: PasswordAuthContext, account: Account): void {
  if (!sameText(context.password, account.password)) refuse(context, account);
  else if (account.newPassword)
    context.requestChange("Your password has expired", () => refuse(context, account));
  else context.accept();
}

function ask(context: KeyboardAuthContext, account: Account): void {
  context.prompt([{ prompt: "Password:", echo: false }], (answers) => {
    if (!sameText(answers[0] ?? "", account.password)) refuse(context, account);
    else if (account.newPassword) {
      context.prompt([{ prompt: "New password:", echo: false }], () => refuse(context, account));
    } else if (account.secondPrompt !== undefined) {
      context.prompt([{ prompt: account.secondPrompt, echo: false }], () => refuse(context, account));
    } else context.accept();
  });
}

function checkKey(context: PublicKeyAuthContext, account: Account): void {
  const { blob, verify } = publicKeyOf(account.userKey, account.userPassphrase);
  const { signature, blob: signed } = context;
  if (!context.key.data.equals(blob)) refuse(context, account);
  else if (signature === undefined || signed === undefined || verify(signed, signature)) context.accept();
  else refuse(context, account);
}

/** The public half of an OpenSSH private key. */
export function publicKeyOf(
  privateKey: string,
  passphrase?: string,
): {
  type: string;
  blob: Buffer;
  verify: (data: Buffer, signature: Buffer) => boolean;
} {
  const key = ssh2.utils.parseKey(privateKey, passphrase);
  if (key instanceof Error) throw key;
  const one = Array.isArray(key) ? (key[0] as Exclude<typeof key, unknown[]>) : key;
  return {
    type: one.type,
    blob: one.getPublicSSH(),
    verify: (data, signature) => one.verify(data, signature) === true,
  };
}

function sameText(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(a), hash(b));
}
