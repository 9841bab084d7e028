/**
 * How an agent is let in and whom it trusts: its token and a certificate, read from files and read
 * again when these change or on SIGHUP. A file that cannot be read then changes nothing.
 */
import { createSecureContext } from "node:tls";
import type { Credentials } from "../../shell/http-caller.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import { WatchedFiles } from "../../serve/watched-files.ts";

export interface AgentCredentialFiles {
  readonly token?: string | undefined;
  readonly ca?: string | undefined;
  /**
   * Where no file was named: looks for one, and again until there is one, since an agent may be
   * there before its plane.
   */
  readonly findToken?: (() => string | undefined) | undefined;
}

export class AgentCredentials implements Credentials {
  private files: AgentCredentialFiles;
  private readonly note: (message: string) => void;
  private watched: WatchedFiles;
  private read: Credentials;

  /** Throws what is wrong with a file. */
  constructor(files: AgentCredentialFiles, note: (message: string) => void) {
    this.files = { ...files, token: files.token ?? files.findToken?.() };
    this.note = note;
    this.read = readAll(this.files);
    this.watched = this.watch();
  }

  get token(): string | undefined {
    return this.read.token;
  }

  get ca(): string | undefined {
    return this.read.ca;
  }

  /** For SIGHUP. */
  reloadNow(): void {
    this.watched.reload();
  }

  close(): void {
    this.watched.close();
  }

  private watch(): WatchedFiles {
    const { token, ca } = this.files;
    return new WatchedFiles({
      files: [token, ca].flatMap((file) => file ?? []),
      onChange: () => this.reload(),
      onLook: () => this.find(),
    });
  }

  private find(): void {
    const token = this.files.token === undefined ? this.files.findToken?.() : undefined;
    if (token === undefined) return;
    this.files = { ...this.files, token };
    this.watched.close();
    this.watched = this.watch();
    this.reload();
  }

  private reload(): void {
    try {
      this.read = readAll(this.files);
      this.note("reloaded the token and the certificate");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.note(
        `cannot load the new token or certificate, the previous one stays in use: ${reason}`,
      );
    }
  }
}

function readAll({ token, ca }: AgentCredentialFiles): Credentials {
  const trusted = ca === undefined ? undefined : readInput(ca);
  if (trusted !== undefined) createSecureContext({ ca: trusted });
  return {
    ...(token === undefined ? {} : { token: readToken(token) }),
    ...(trusted === undefined ? {} : { ca: trusted }),
  };
}

/** A header carries nothing else; an empty file is one that is being written. */
function readToken(file: string): string {
  const token = readInput(file).trim();
  if (/^[\x21-\x7E]+$/.test(token)) return token;
  throw new UserError("invalid-file", "Expected exactly one token.", { file });
}
