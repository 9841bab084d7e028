/**
 * The operator's keys for secrets, from a file or from a command that prints them, and read again
 * when the file changes, on SIGHUP and before a rotation. Keys that cannot be read change nothing:
 * those that were read before stay in force. No message has a part of a key.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import {
  type HeldSecretKeys,
  KEY_BYTES,
  parseSecretKeys,
  type SecretKeys,
} from "../host/seal/secret-keys.ts";
import { UserError } from "../shell/errors.ts";
import { readInput } from "../shell/read-input.ts";
import { writeDurably } from "../shell/write-durably.ts";
import type { ReloadLog } from "./plane-credentials.ts";
import { WatchedFiles } from "./watched-files.ts";

/** What a plane is told of its keys. Neither: it keeps no secrets. */
export interface SecretKeySource {
  readonly file?: string | undefined;
  readonly command?: string | undefined;
}

/** A command that asks a key service takes a second; a start must not hang on one. */
const COMMAND_MS = 30_000;
const OUTPUT_BYTES = 64 * 1024;
const BEYOND_OWNER = 0o077;

export class PlaneSecretKeys implements HeldSecretKeys {
  private keys: SecretKeys | undefined;
  private readonly source: SecretKeySource;
  private watched: WatchedFiles | undefined;
  private log: ReloadLog | undefined;

  private constructor(source: SecretKeySource, keys: SecretKeys | undefined) {
    this.source = source;
    this.keys = keys;
  }

  /** Throws what is wrong with the source: a plane that has never read a key does not start. */
  static async open(source: SecretKeySource): Promise<PlaneSecretKeys> {
    return new PlaneSecretKeys(source, await readKeys(source));
  }

  get current(): SecretKeys | undefined {
    return this.keys;
  }

  watch(log: ReloadLog): void {
    this.log = log;
    const { file } = this.source;
    if (file === undefined) return;
    this.watched = new WatchedFiles({ files: [file], onChange: () => void this.reload() });
  }

  async reload(): Promise<void> {
    try {
      this.keys = await readKeys(this.source);
      this.log?.info({ keys: this.keys?.ids }, "Reloaded the keys for secrets.");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log?.error({ reason }, "Cannot load the keys for secrets: the previous ones stay.");
    }
  }

  close(): void {
    this.watched?.close();
  }
}

async function readKeys({ file, command }: SecretKeySource): Promise<SecretKeys | undefined> {
  if (file !== undefined) {
    checkOwnerOnly(file);
    return parsed(readInput(file), { file });
  }
  if (command === undefined) return undefined;
  return parsed(await outputOf(command), {});
}

function parsed(text: string, place: { readonly file?: string }): SecretKeys {
  const read = parseSecretKeys(text);
  if (!("mistake" in read)) return read;
  const from = place.file === undefined ? "--secret-key-command: the output" : "The key file";
  const make = "`openssl rand -base64 32` makes a key";
  throw new UserError(
    "invalid-file",
    `${from} is not a list of keys: ${read.mistake}; ${make}.`,
    place,
  );
}

function checkOwnerOnly(file: string): void {
  const mode = modeOf(file);
  if (mode === undefined || (mode & BEYOND_OWNER) === 0) return;
  throw new UserError(
    "invalid-file",
    `Other users of this machine can read the key: run chmod 600 ${file}.`,
    { file },
  );
}

/** Undefined where there is none: reading it says so. */
function modeOf(file: string): number | undefined {
  try {
    return statSync(file).mode;
  } catch {
    return undefined;
  }
}

const outputOf = (command: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const limits = { timeout: COMMAND_MS, maxBuffer: OUTPUT_BYTES };
    execFile("/bin/sh", ["-c", command], limits, (error, stdout) => {
      if (error === null) return resolve(stdout);
      const why = error.killed === true ? "it took too long" : `it ended with ${error.code}`;
      // What it printed may be a part of a key.
      reject(new UserError("unreadable-file", `--secret-key-command gave no key: ${why}.`));
    });
  });

/** Makes a key file that is not there yet. */
export function ensureSecretKeyFile(file: string): void {
  if (modeOf(file) !== undefined) return;
  addSecretKey(file);
}

/** Puts a new key before those that the file has: it seals from now on. */
export function addSecretKey(file: string): void {
  const earlier = modeOf(file) === undefined ? "" : readInput(file);
  const key = randomBytes(KEY_BYTES).toString("base64");
  writeDurably(file, `${key}\n${earlier}`);
}
