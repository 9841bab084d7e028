/**
 * What the plane shows of a node: a list, then everything after it, for as long as that goes well.
 * Whenever the stream breaks, a new list is asked for, from the next server if this one failed.
 */
import type { IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientInput } from "../../core/kernel/component.ts";
import type { Revision } from "../../core/model/ids.ts";
import { answerOf, type HttpCaller } from "../../shell/http-caller.ts";
import { AGENT_PROTOCOL } from "../../shell/agent-protocol.ts";
import { type LogRequest, parseLogRequest } from "../logs/log-request.ts";
import { parseSessionRequest, type SessionRequest } from "../sessions/session-request.ts";
import { retryPauseMs } from "../../shell/retry-pause.ts";
import type { ServerList } from "./server-list.ts";
import { TurnedAway } from "./turned-away.ts";

type Listed = Extract<ClientInput, { readonly kind: "listed" }>;
type Watched = Extract<ClientInput, { readonly kind: "watch" }>;

/** A list of one node is small; a plane that needs longer to begin its answer is in trouble. */
const PATIENCE_MS = 10_000;
/** Where another plane may have it: a third of a lease. */
const PATIENCE_OF_SEVERAL_MS = 5_000;
/**
 * Planes say every five seconds how far they are: three of those missed is a stream that is cut.
 */
const SILENCE_MS = 15_000;
/** No line a plane sends is near this; a longer line is not from a plane. */
const LONGEST_LINE = 64 * 2 ** 20;

export interface PlaneStreamOptions {
  readonly node: string;
  readonly servers: ServerList;
  readonly caller: HttpCaller;
  readonly give: (input: Listed | Watched) => void;
  /** Somebody wants to read a log; the answer goes to the server that asked. */
  readonly onLog: (server: URL, asked: LogRequest) => void;
  /** A person wants a session with a replica; the agent connects to the server that asked. */
  readonly onSession: (server: URL, asked: SessionRequest) => void;
}

export class PlaneStream {
  private readonly options: PlaneStreamOptions;
  /** Replaced by every new list: lines of an earlier stream are dropped. */
  private round = new AbortController();
  private failures = 0;

  constructor(options: PlaneStreamOptions) {
    this.options = options;
  }

  list(): void {
    this.round.abort();
    this.round = new AbortController();
    void this.follow(this.round.signal);
  }

  close(): void {
    this.round.abort();
  }

  private take(server: URL, line: string): void {
    const log = parseLogRequest(line);
    const session = log === undefined ? parseSessionRequest(line) : undefined;
    if (log !== undefined) this.options.onLog(server, log);
    else if (session !== undefined) this.options.onSession(server, session);
    else this.options.give(parseWatched(line));
  }

  private get patienceMs(): number {
    return this.options.servers.count > 1 ? PATIENCE_OF_SEVERAL_MS : PATIENCE_MS;
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { servers } = this.options;
    while (!signal.aborted) {
      const server = servers.current;
      let askedMs = 0;
      try {
        await this.listAndWatch(server, signal);
      } catch (error) {
        if (signal.aborted) return;
        const isThere = error instanceof TurnedAway && error.isPassing;
        servers.failed(server, error instanceof Error ? error.message : String(error), { isThere });
        if (error instanceof TurnedAway) askedMs = error.retryAfterMs;
      }
      // Rejects when a new list was asked for meanwhile; that one goes its own way.
      await sleep(retryPauseMs(this.failures, askedMs), undefined, { signal }).catch(
        () => undefined,
      );
      this.failures += 1;
    }
  }

  /**
   * Returns when the stream ended in good order, as when the plane has forgotten so old a revision.
   */
  private async listAndWatch(server: URL, signal: AbortSignal): Promise<void> {
    const listed = await this.fetchList(server, signal);
    if (signal.aborted) return;
    this.options.servers.answered(server);
    this.options.give(listed);
    if (signal.aborted) return;
    await this.watch({ server, from: listed.revision, round: signal });
  }

  private async fetchList(server: URL, signal: AbortSignal): Promise<Listed> {
    const deadline = new Deadline(signal, this.patienceMs);
    const path = `/stream/list?node=${encodeURIComponent(this.options.node)}`;
    try {
      const call = { server, method: "GET", path, signal: deadline.signal } as const;
      const answer = await this.options.caller.call(call);
      if (answer.status !== 200) throw new TurnedAway(answer);
      return parseListed(answer.text);
    } finally {
      deadline.end();
    }
  }

  private async watch(of: {
    readonly server: URL;
    readonly from: Revision;
    readonly round: AbortSignal;
  }): Promise<void> {
    const { server, from, round } = of;
    const { node, caller } = this.options;
    const deadline = new Deadline(round, this.patienceMs);
    const path = `/stream/watch?node=${encodeURIComponent(node)}&from=${from}`;
    try {
      const call = { server, method: "GET", path, signal: deadline.signal } as const;
      const response = await caller.open(call);
      if (response.statusCode !== 200) {
        if (response.statusCode === 410) {
          response.resume();
          return;
        }
        throw new TurnedAway(await answerOf(response));
      }
      for await (const line of linesOf(response)) {
        // Each line gives the next one its time: a stream that falls silent is cut.
        deadline.moveTo(SILENCE_MS);
        if (round.aborted) return;
        this.failures = 0;
        this.take(server, line);
      }
    } finally {
      deadline.end();
    }
  }
}

/** Aborts with the round, or when its time is up, whichever is first. */
class Deadline {
  private readonly both = new AbortController();
  private readonly round: AbortSignal;
  private timer: NodeJS.Timeout;

  constructor(round: AbortSignal, ms: number) {
    this.round = round;
    round.addEventListener("abort", this.abort);
    this.timer = setTimeout(this.abort, ms);
  }

  get signal(): AbortSignal {
    return this.both.signal;
  }

  moveTo(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.abort, ms);
  }

  end(): void {
    clearTimeout(this.timer);
    this.round.removeEventListener("abort", this.abort);
  }

  private readonly abort = (): void => this.both.abort(new Error("it was silent for too long"));
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  response.setEncoding("utf8");
  let rest = "";
  for await (const part of response) {
    rest += String(part);
    if (rest.length > LONGEST_LINE) throw new Error("its stream has a line that is too long");
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line !== "");
  }
}

function parseListed(text: string): Listed {
  const { objects, revision, epoch, protocol } = JSON.parse(text) as Listed & {
    readonly protocol?: unknown;
  };
  // Its replicas would have fields of other names: nothing may be started or stopped by them.
  if (protocol !== AGENT_PROTOCOL) {
    throw new Error("it is of another version of Berth: upgrade the planes before the agents");
  }
  if (!Array.isArray(objects) || !isPosition(revision) || !isPosition(epoch)) {
    throw new Error(`its list is invalid: ${text.slice(0, 300)}`);
  }
  return { kind: "listed", objects, revision, epoch };
}

function parseWatched(line: string): Watched {
  const { commits, to, epoch } = JSON.parse(line) as Watched;
  if (!Array.isArray(commits) || !isPosition(to) || !isPosition(epoch)) {
    throw new Error(`its stream has an unknown message: ${line.slice(0, 300)}`);
  }
  return { kind: "watch", commits, to, epoch };
}

const isPosition = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;
