/**
 * The certificate by which planes know an agent. A bootstrap token buys the first one; the agent
 * asks for the next with the one it has, after about half of its life. The key is made here and
 * never leaves the machine: a plane gets a request that the key has signed.
 */
import { X509Certificate } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeDurably } from "../../shell/write-durably.ts";
import { retryPauseMs } from "../../shell/retry-pause.ts";
import { type Credentials, HttpCaller } from "../../shell/http-caller.ts";
import { ServerList } from "./server-list.ts";
import { answerText, TurnedAway } from "./turned-away.ts";

export interface NodeCertificateOf {
  readonly node: string;
  readonly folder: string;
  readonly servers: readonly URL[];
  /** The bootstrap token, or a token of the node itself, and whom to trust. */
  readonly base: Credentials;
  readonly note: (message: string) => void;
}

interface Held {
  readonly key: string;
  readonly cert: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const PATIENCE_MS = 10_000;
/** A clock that is set, or a machine that slept: looked at again at least so often. */
const LOOK_MS = 3_600_000;
const FIRST_PAUSE_MS = 10_000;

export class NodeCertificate implements Credentials {
  private readonly of: NodeCertificateOf;
  private readonly file: string;
  /** The key and the request of a token that may have been used. */
  private readonly begun: string;
  private readonly over = new AbortController();
  private held: Held | undefined;
  private renewal: Promise<void> = Promise.resolve();

  constructor(of: NodeCertificateOf) {
    this.of = of;
    this.file = join(of.folder, "node.pem");
    this.begun = join(of.folder, "node-request.pem");
    this.held = readHeld(this.file);
  }

  get token(): string | undefined {
    return this.of.base.token;
  }

  get ca(): string | undefined {
    return this.of.base.ca;
  }

  get pair(): Held | undefined {
    return this.held;
  }

  /** It has one that has not ended. */
  get isValid(): boolean {
    return this.held !== undefined && this.held.untilMs > Date.now();
  }

  /**
   * Resolves when it has one. Throws what a plane refused for good; a plane that is not there is
   * asked again.
   */
  async join(): Promise<void> {
    if (this.isValid) return;
    // With one that has ended, the plane would not look at the token.
    this.held = undefined;
    await this.ask(Number.POSITIVE_INFINITY);
    this.of.note(`got the certificate of node ${this.of.node}`);
  }

  /** From now on it renews by itself. */
  start(): void {
    this.renewal = this.keepFresh();
  }

  /** At once. Throws if no plane signs one in a few tries. */
  async renew(): Promise<void> {
    await this.ask(this.of.servers.length + 1);
    this.of.note(`renewed the certificate of node ${this.of.node}`);
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.renewal;
  }

  private async keepFresh(): Promise<void> {
    let atMs = this.renewalMs();
    for (let failures = 0; !this.over.signal.aborted;) {
      await this.pause(Math.min(Math.max(0, atMs - Date.now()), LOOK_MS), false);
      if (this.over.signal.aborted || Date.now() < atMs) continue;
      try {
        await this.renew();
        failures = 0;
        atMs = this.renewalMs();
      } catch (error) {
        failures += 1;
        const pauseMs = Math.min(LOOK_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
        atMs = Date.now() + pauseMs * (0.5 + Math.random() / 2);
        const reason = error instanceof Error ? error.message : String(error);
        const until = new Date(this.held?.untilMs ?? 0).toISOString();
        this.of.note(`cannot renew the certificate, which ends at ${until}: ${reason}`);
      }
    }
  }

  private renewalMs(): number {
    const { fromMs, untilMs } = this.held ?? { fromMs: 0, untilMs: 0 };
    return renewalAtMs({ fromMs, untilMs }, Math.random());
  }

  /** The same request in every try: an answer that was lost is given again. */
  private async ask(tries: number): Promise<void> {
    const { note, servers: all } = this.of;
    const { key, request } = await this.newRequest();
    const servers = new ServerList(all, (message) => note(`asking for a certificate: ${message}`));
    const caller = new HttpCaller(this);
    try {
      for (let failures = 0; ; failures += 1) {
        try {
          const answer = await this.send(caller, servers.current, request);
          this.take(key, answer);
          return;
        } catch (error) {
          const isRefused = error instanceof TurnedAway && !mayPass(error.status);
          if (isRefused || failures + 1 >= tries || this.over.signal.aborted) throw error;
          const isThere = error instanceof TurnedAway;
          servers.failed(servers.current, error instanceof Error ? error.message : "no answer", {
            isThere,
          });
          // While an agent joins, nothing else may keep its process alive.
          await this.pause(retryPauseMs(failures, isThere ? error.retryAfterMs : 0), true);
        }
      }
    } finally {
      caller.close();
    }
  }

  /** A bootstrap token is good for one key, so that key is kept before the token is used. */
  private async newRequest(): Promise<{ readonly key: string; readonly request: string }> {
    const name = `system:node:${this.of.node}`;
    const { makeRequest } = await import("../../shell/certificates/sign-certificate.ts");
    if (this.held !== undefined) return makeRequest(name);
    const begun = readParts(this.begun);
    if (begun !== undefined) return { key: begun.key, request: begun.rest };
    const made = await makeRequest(name);
    writeDurably(this.begun, `${made.key.trim()}\n${made.request.trim()}\n`);
    return made;
  }

  private async send(caller: HttpCaller, server: URL, request: string): Promise<string> {
    const { node } = this.of;
    const answer = await caller.call({
      server,
      method: "POST",
      path: "/node-certificates",
      body: { node, request },
      signal: AbortSignal.any([this.over.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    if (answer.status !== 200) throw new TurnedAway(answer);
    const { certificate } = JSON.parse(answer.text) as { readonly certificate?: unknown };
    if (typeof certificate === "string") return certificate;
    throw new Error(`its answer has no certificate: ${answerText(answer)}`);
  }

  /** On disk before it is used: the key of a certificate that is lost cannot be made again. */
  private take(key: string, cert: string): void {
    const held = heldOf(key, cert);
    writeDurably(this.file, `${key.trim()}\n${cert.trim()}\n`);
    this.held = held;
    rmSync(this.begun, { force: true });
  }

  private async pause(ms: number, ref: boolean): Promise<void> {
    const { signal } = this.over;
    await sleep(ms, undefined, { signal, ref }).catch(() => undefined);
  }
}

/** After half to two thirds of its life, so that agents which joined together spread out. */
export const renewalAtMs = (
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  random: number,
): number => fromMs + (untilMs - fromMs) * (0.5 + random / 6);

/**
 * The plane may not know the token yet, or the node, which is being registered beside this; a
 * follower without a leader says 503.
 */
const mayPass = (status: number): boolean =>
  status === 401 || status === 404 || status === 429 || status >= 500;

const PARTS = /(-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n)([\s\S]+)/;

/** Undefined: there is none, or it was damaged, and another is to be made. */
function readParts(file: string): { readonly key: string; readonly rest: string } | undefined {
  try {
    const [, key, rest] = PARTS.exec(readFileSync(file, "utf8")) ?? [];
    return key === undefined || rest === undefined ? undefined : { key, rest };
  } catch {
    return undefined;
  }
}

function readHeld(file: string): Held | undefined {
  const parts = readParts(file);
  try {
    return parts === undefined ? undefined : heldOf(parts.key, parts.rest);
  } catch {
    return undefined;
  }
}

function heldOf(key: string, cert: string): Held {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { key, cert, fromMs: Date.parse(validFrom), untilMs: Date.parse(validTo) };
}
