/**
 * Talks to a plane over HTTP, or to whichever answers of several that share a log. A write carries
 * a key of its own, so that one whose answer was lost is sent again, there or to another plane, and
 * meets its first outcome instead of event twice.
 */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { recordOf } from "../../steering/api-object.ts";
import { Asking, ROUNDS } from "./asking.ts";
import type { Server } from "./find-server.ts";
import { bodyOf, openRequest, refuse, type Sending } from "./open-request.ts";
import { explained, isBroken } from "./plane-trouble.ts";
import { SeenRevision } from "./seen-revision.ts";

export interface Ask {
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: unknown;
  /** In whose name; left out: the name that the plane derives. */
  readonly as?: string;
  /** Hears what the plane warns of, where the answer is a text. */
  readonly warn?: (warning: string) => void;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** No command waits longer for one answer; watches are streams and have no such limit. */
const ANSWER_MS = 30_000;
/**
 * Where another plane may answer, one that says nothing for so long is left. Only a plane that
 * waits for a leader, or hangs, takes that long, and the next one asked waits for the same leader.
 */
const HEAD_MS = 5_000;
/** Before the first answer of all: a plane that hangs must not delay every command. */
const FIRST_HEAD_MS = 2_000;
/** A log comes from the node that has it, which a plane waits ten seconds for. */
const LOG_HEAD_MS = 15_000;
/**
 * Planes say every five seconds how far a watch has come: three of those missed is a stream that is
 * cut.
 */
const SILENCE_MS = 15_000;

type OneTry = Pick<Sending, "url" | "method" | "path" | "ask" | "key" | "headMs">;

export class ApiClient {
  readonly server: Server;
  private readonly patienceMs: number;
  private readonly seen = new SeenRevision();
  private answering: URL;
  private hasAnswer = false;

  /** `patienceMs`: how long to wait for planes that refuse connections. */
  constructor(server: Server, { patienceMs = 0 }: { readonly patienceMs?: number } = {}) {
    this.server = server;
    this.patienceMs = patienceMs;
    this.answering = server.urls[0] as URL;
  }

  /** The plane that answered last; before any did, the first. */
  get url(): URL {
    return this.answering;
  }

  async get<T>(path: string, ask: Ask = {}): Promise<T> {
    return this.send<T>("GET", path, ask);
  }

  async send<T>(method: Method, path: string, ask: Ask = {}): Promise<T> {
    const key = method === "GET" ? undefined : randomUUID();
    const asking = this.ask({ rounds: ROUNDS });
    for (;;) {
      const url = asking.next();
      try {
        const headMs = this.headMs(asking.isFirstRound ? FIRST_HEAD_MS : HEAD_MS);
        const shown = await this.sendOnce({ url, method, path, ask, key, headMs });
        this.answeredBy(url);
        this.seen.note(path, shown);
        return shown as T;
      } catch (error) {
        await asking.failed(url, error);
      }
    }
  }

  /**
   * The lines of a stream, parsed; ends when the server ends it, throws when it cannot be opened.
   */
  async *lines(path: string, ask: Ask, signal: AbortSignal): AsyncGenerator {
    const response = await this.openStream({ path, ask, signal, headMs: FIRST_HEAD_MS });
    const isSilent = this.watchSilence(response, ask);
    let rest = "";
    response.setEncoding("utf8");
    try {
      for await (const part of response as AsyncIterable<string>) {
        const lines = (rest + part).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line === "") continue;
          const shown: unknown = JSON.parse(line);
          this.seen.note(path, recordOf(shown)["object"]);
          yield shown;
        }
      }
    } catch (error) {
      // The plane went away in the middle of the stream: for the reader that is its end.
      const isItsEnd = (error instanceof Error && isBroken(error)) || isSilent();
      if (!isItsEnd && !signal.aborted) throw error;
    } finally {
      response.destroy();
    }
  }

  /**
   * The bytes of a stream as text; ends when the server ends it, throws when it is refused or cut.
   */
  async *text(path: string, ask: Ask, signal: AbortSignal): AsyncGenerator<string> {
    try {
      const response = await this.openStream({ path, ask, signal, headMs: LOG_HEAD_MS });
      const [, warning] = /^299 \S+ "(.*)"$/.exec(response.headers["warning"] ?? "") ?? [];
      if (warning !== undefined) ask.warn?.(warning);
      response.setEncoding("utf8");
      yield* response as AsyncIterable<string>;
    } catch (error) {
      if (!signal.aborted) throw explained(error, this.url, this.server);
    }
  }

  /** The bytes of a stream; ends when the server ends it, throws when it is refused or cut. */
  async *bytes(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      const ask = { accept: "application/octet-stream" };
      const response = await this.openStream({ path, ask, signal, headMs: LOG_HEAD_MS });
      yield* response as AsyncIterable<Uint8Array>;
    } catch (error) {
      throw explained(error, this.url, this.server);
    }
  }

  private async sendOnce(of: OneTry): Promise<unknown> {
    const { method, path, ask } = of;
    const shown = await this.fetch(of);
    // Where there is one plane only, an older list is that of a log that was put in the place of
    // another.
    if (method !== "GET" || this.server.urls.length === 1) return shown;
    const instead = this.seen.insteadOf(path, ask.query ?? {}, shown);
    if (instead === undefined) return shown;
    return this.fetch({ ...of, ask: { ...ask, query: { ...ask.query, ...instead } } });
  }

  private async fetch(of: OneTry): Promise<unknown> {
    const { server } = this;
    const signal = AbortSignal.timeout(ANSWER_MS);
    const response = await openRequest({ server, ...of, signal });
    if ((response.statusCode ?? 500) >= 300) await refuse(response);
    return JSON.parse(await bodyOf(response)) as unknown;
  }

  private async openStream(of: {
    readonly path: string;
    readonly ask: Ask;
    readonly signal: AbortSignal;
    readonly headMs: number;
  }): Promise<IncomingMessage> {
    const { server } = this;
    const asking = this.ask({ rounds: 1 });
    const headMs = this.headMs(of.headMs);
    for (;;) {
      const url = asking.next();
      try {
        const sending = { server, ...of, url, headMs, method: "GET", key: undefined } as const;
        const response = await openRequest(sending);
        if (response.statusCode !== 200) await refuse(response);
        this.answeredBy(url);
        return response;
      } catch (error) {
        await asking.failed(url, error);
      }
    }
  }

  /** Ends a watch whose plane says nothing any more, where another may; tells whether it did. */
  private watchSilence(response: IncomingMessage, { query = {} }: Ask): () => boolean {
    const { urls } = this.server;
    const silent = this.url;
    let isSilent = false;
    if (urls.length > 1 && query["allowWatchBookmarks"] === "true") {
      response.setTimeout(SILENCE_MS, () => {
        isSilent = true;
        const after = urls[(urls.indexOf(silent) + 1) % urls.length];
        if (this.answering === silent && after !== undefined) this.answering = after;
        response.destroy();
      });
    }
    return () => isSilent;
  }

  private ask({ rounds }: { readonly rounds: number }): Asking {
    const { server, url: first, patienceMs } = this;
    return new Asking({ server, first, rounds, ...(rounds > 1 ? { patienceMs } : {}) });
  }

  private answeredBy(url: URL): void {
    this.answering = url;
    this.hasAnswer = true;
  }

  /** With a single plane, the client waits for it. */
  private headMs(ms: number): number | undefined {
    if (this.server.urls.length === 1) return undefined;
    return this.hasAnswer ? Math.max(ms, HEAD_MS) : ms;
  }
}
