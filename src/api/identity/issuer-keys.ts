/**
 * The keys of one issuer, read from a file or found through its discovery document, and read again
 * when they are old or a token names one that is not there. All requests that need keys wait for
 * one answer, which is bounded in time; between two questions is a pause, whatever callers send.
 */
import type { JWTHeaderParameters } from "jose";
import { readInput } from "../../shell/read-input.ts";
import { ApiError } from "../errors.ts";
import { fetchJson } from "./fetch-json.ts";
import { JWT_LIMITS } from "./jwt-limits.ts";
import { type IssuerKey, keyFor, readKeySet } from "./key-set.ts";
import { recordOf } from "./record-of.ts";

export type KeySource =
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "discovery"; readonly url: string; readonly ca?: string | undefined };

export interface IssuerKeysOf {
  readonly issuer: string;
  readonly source: KeySource;
  /** A clock that is never set back; left out: that of the process. */
  readonly nowMs?: () => number;
  /** Told of the keys that are in force after each reading. */
  readonly onRead: (ids: ReadonlySet<string>) => void;
  readonly onTrouble: (message: string) => void;
}

export class IssuerKeys {
  private readonly of: IssuerKeysOf;
  private readonly nowMs: () => number;
  private keys: readonly IssuerKey[] | undefined;
  private readMs = 0;
  private triedMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<void> | undefined;
  private waiting = 0;
  private trouble = "";

  constructor(of: IssuerKeysOf) {
    this.of = of;
    this.nowMs = of.nowMs ?? (() => performance.now());
  }

  /** Undefined: the issuer has no such key. Throws if its keys cannot be read. */
  async find(header: JWTHeaderParameters): Promise<IssuerKey | undefined> {
    const ageMs = this.nowMs() - this.readMs;
    if (ageMs > JWT_LIMITS.staleMs.value) this.keys = undefined;
    if (this.keys !== undefined) {
      const found = keyFor(this.keys, header);
      if (found !== undefined) {
        if (ageMs > JWT_LIMITS.freshMs.value) void this.read();
        return found;
      }
    }
    await this.waitForRead();
    if (this.keys !== undefined) return keyFor(this.keys, header);
    const seconds = JWT_LIMITS.askAgainMs.value / 1_000;
    throw new ApiError("keys-unreachable", `${this.of.issuer}: ${this.trouble}.`, {
      retryAfterSeconds: seconds,
    });
  }

  /** By a timer, so that a key that was withdrawn ends what is open under it. */
  refresh(): void {
    const isOld = this.nowMs() - this.readMs > JWT_LIMITS.freshMs.value;
    if (this.keys !== undefined && isOld) void this.read();
  }

  private async waitForRead(): Promise<void> {
    if (this.waiting >= JWT_LIMITS.waiting.value) {
      this.trouble = `${this.waiting} requests wait for its keys already`;
      throw new ApiError("keys-unreachable", `${this.of.issuer}: ${this.trouble}.`, {
        retryAfterSeconds: 1,
      });
    }
    this.waiting += 1;
    try {
      await this.read();
    } finally {
      this.waiting -= 1;
    }
  }

  /** Resolves also when nothing was read: what was read before stays in force. */
  private read(): Promise<void> {
    if (this.reading !== undefined) return this.reading;
    if (this.nowMs() - this.triedMs < JWT_LIMITS.askAgainMs.value) return Promise.resolve();
    this.triedMs = this.nowMs();
    this.reading = this.readOnce().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readOnce(): Promise<void> {
    try {
      const keys = readKeySet(await this.fetchSet());
      this.keys = keys;
      this.readMs = this.nowMs();
      this.of.onRead(new Set(keys.map(({ id }) => id)));
    } catch (error) {
      this.trouble = error instanceof Error ? error.message : String(error);
      this.of.onTrouble(this.trouble);
    }
  }

  private async fetchSet(): Promise<unknown> {
    const { source, issuer } = this.of;
    if (source.kind === "file") return JSON.parse(readInput(source.file)) as unknown;
    const bounds = { withinMs: JWT_LIMITS.answerMs.value, mostBytes: JWT_LIMITS.answerBytes.value };
    const found = recordOf(await fetchJson({ url: new URL(source.url), ca: source.ca, ...bounds }));
    const { issuer: named, jwks_uri: address } = found;
    if (named !== issuer) {
      throw new Error(`${source.url}: found the issuer "${short(named)}", expected "${issuer}"`);
    }
    if (typeof address !== "string" || !URL.canParse(address) || !address.startsWith("https://")) {
      throw new Error(
        `${source.url}: jwks_uri: found "${short(address)}", expected an https address`,
      );
    }
    return fetchJson({ url: new URL(address), ca: source.ca, ...bounds });
  }
}

const short = (text: unknown): string => String(text).slice(0, 200);
