/**
 * An agent's link to its plane. Requests go out and their replies come back whenever they do; a
 * request without an answer simply gets none, because the component has its own patience.
 */
import type { Reply } from "../../core/protocol/outcome.ts";
import type { ClientInput, Request } from "../../core/kernel/component.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import { answerPatienceMs } from "./answer-patience.ts";
import { parseKey } from "../../core/model/ids.ts";
import { type Credentials, HttpCaller } from "../../shell/http-caller.ts";
import { type Drivers, plainDrivers } from "../drivers/drivers.ts";
import { LogAnswers } from "../logs/log-answers.ts";
import type { LogRequest } from "../logs/log-request.ts";
import { PlaneStream } from "./plane-stream.ts";
import { RequestLane } from "./request-lane.ts";
import type { Measured } from "../samples/sample-loop.ts";
import { SessionAnswers } from "../sessions/session-answers.ts";
import type { SessionRequest } from "../sessions/session-request.ts";
import type { AskSecrets } from "./ask-secrets.ts";
import { ServerList } from "./server-list.ts";
import { TurnedAway } from "./turned-away.ts";

/** What the plane has to say is an input of the component. */
export type PlaneInput = Extract<ClientInput, { readonly kind: "reply" | "listed" | "watch" }>;

export interface PlaneLink {
  send(call: number, request: Request): void;
  /** Asks for a list; the stream goes on from it. */
  list(): void;
  /**
   * Says what was measured; no caller waits for it. Resolves with how many samples somebody decides
   * by.
   */
  measured(samples: readonly Measured[]): Promise<number>;
  close(): void;
}

/**
 * Senders give an operation up after this long (OP3), so no sender waits for its answer any more.
 */
const GIVE_UP_MS = 30_000;

/** By then the next samples are due. */
const SAMPLES_GIVE_UP_MS = 5_000;

/** A third of a lease: whatever a server asks for, a renewal has to be tried in time. */
const LONGEST_PAUSE_MS = 5_000;

export interface HttpPlaneLinkOptions {
  readonly node: string;
  readonly servers: readonly URL[];
  readonly credentials: Credentials;
  /** The agent's, where the logs of its processes are. */
  readonly folder: string;
  /** What runs the commands of sessions; left out: they are plain processes. */
  readonly drivers?: Drivers;
  /** Asks for values of secrets and keeps them; left out: none are needed. */
  readonly askSecrets?: AskSecrets;
  readonly give: (input: PlaneInput) => void;
  readonly note: (message: string) => void;
}

/** How a request goes: over which connections, and who asked to be left alone by those like it. */
interface Way {
  readonly caller: HttpCaller;
  readonly pauses: Map<URL, number>;
}

interface Begun {
  readonly call: number;
  readonly request: Request;
  readonly way: Way;
  /** Called when there was no answer for too long; the answer is still welcome. */
  readonly onSilence: () => void;
}

interface Asked extends Omit<Begun, "call"> {
  readonly server: URL;
}

export class HttpPlaneLink implements PlaneLink {
  private readonly options: HttpPlaneLinkOptions;
  private readonly servers: ServerList;
  private readonly caller: HttpCaller;
  /** Renewals have connections of their own: nothing else is ever in front of one (LB6). */
  private readonly renewals: HttpCaller;
  private readonly lane = new RequestLane();
  private readonly stream: PlaneStream;
  private readonly logs: LogAnswers;
  private readonly sessions: SessionAnswers;
  /**
   * Nothing heard for so long: the next request goes to another plane. The answer is still welcome.
   */
  private readonly patienceMs: number;
  private isClosed = false;
  /** Until when a server has asked to be left alone: nothing is sent to it meanwhile. */
  private readonly pauses = new Map<URL, number>();
  /** The same for renewals, which only another renewal that was turned away holds back. */
  private readonly renewalPauses = new Map<URL, number>();

  constructor(options: HttpPlaneLinkOptions) {
    this.options = options;
    const { node, give, folder, drivers = plainDrivers(folder) } = options;
    this.servers = new ServerList(options.servers, options.note);
    this.caller = new HttpCaller(options.credentials);
    this.renewals = new HttpCaller(options.credentials);
    const { servers, caller } = this;
    this.patienceMs = answerPatienceMs(servers.count);
    this.logs = new LogAnswers({ folder, caller });
    const onLog = (server: URL, asked: LogRequest): void => this.logs.answer(server, asked);
    this.sessions = new SessionAnswers({ folder, caller, drivers });
    const onSession = (server: URL, asked: SessionRequest): void =>
      this.sessions.answer(server, asked);
    this.stream = new PlaneStream({ node, servers, caller, give, onLog, onSession });
  }

  send(call: number, request: Request): void {
    if (request.kind === "lookup" && request.secrets !== undefined) {
      void this.askSecrets(call, request.secrets);
      return;
    }
    const isRenewal = request.kind === "command" && request.command.intent.kind === "lease";
    const way: Way = isRenewal
      ? { caller: this.renewals, pauses: this.renewalPauses }
      : { caller: this.caller, pauses: this.pauses };
    const begin = (onSilence: () => void): Promise<void> =>
      this.begin({ call, request, way, onSilence });
    if (isRenewal) void begin(() => undefined);
    else if (!this.lane.send(begin)) queueMicrotask(() => this.turnedAway(call));
  }

  private async askSecrets(call: number, ask: SecretsAsk): Promise<void> {
    const { askSecrets: from } = this.options;
    const reply = await from?.({ server: this.servers.current, ask, caller: this.caller });
    if (reply !== undefined && !this.isClosed) this.options.give({ kind: "reply", call, reply });
  }

  /**
   * To the server that is asked at this moment: what waited in the lane may have been meant for
   * another.
   */
  private async begin({ call, request, way, onSilence }: Begun): Promise<void> {
    const server = this.servers.current;
    if (performance.now() < (way.pauses.get(server) ?? 0)) {
      await Promise.resolve();
      this.turnedAway(call);
      return;
    }
    await this.ask({ server, request, way, onSilence }).then(
      (reply) => this.replied(server, call, reply),
      (error: unknown) => this.failed({ server, call, way }, error),
    );
  }

  list(): void {
    this.stream.list();
  }

  /** A sample that is lost is measured anew: a failure here is not reported. */
  async measured(all: readonly Measured[]): Promise<number> {
    const samples = all.map(({ replica, ...said }) => {
      const { namespace, name } = parseKey(replica);
      return { namespace, replica: name, ...said };
    });
    const signal = AbortSignal.timeout(SAMPLES_GIVE_UP_MS);
    const call = {
      server: this.servers.current,
      method: "POST",
      path: "/metrics-samples",
    } as const;
    try {
      const answer = await this.caller.call({ ...call, body: { samples }, signal });
      if (answer.status !== 200) return 0;
      return (JSON.parse(answer.text) as { readonly taken: number }).taken;
    } catch {
      return 0;
    }
  }

  close(): void {
    this.isClosed = true;
    this.stream.close();
    this.logs.close();
    this.sessions.close();
    // Ends what is under way, too.
    this.lane.close();
    this.caller.close();
    this.renewals.close();
  }

  private async ask({ server, request, way, onSilence }: Asked): Promise<Reply> {
    const impatience = setTimeout(() => {
      this.servers.failed(server, `no response within ${this.patienceMs} ms`);
      onSilence();
    }, this.patienceMs);
    try {
      const answer = await way.caller.call({
        server,
        method: "POST",
        path: "/commands",
        body: { from: `agent:${this.options.node}`, request },
        signal: AbortSignal.timeout(GIVE_UP_MS),
      });
      if (answer.status !== 200) throw new TurnedAway(answer);
      return JSON.parse(answer.text) as Reply;
    } finally {
      clearTimeout(impatience);
    }
  }

  private replied(server: URL, call: number, reply: Reply): void {
    if (this.isClosed) return;
    if (reply.kind === "unavailable") {
      this.servers.failed(server, "it is not the leader", { isThere: true });
    } else this.servers.answered(server);
    this.options.give({ kind: "reply", call, reply });
  }

  private failed(
    { server, call, way }: { readonly server: URL; readonly call: number; readonly way: Way },
    error: unknown,
  ): void {
    if (this.isClosed) return;
    const isThere = error instanceof TurnedAway && error.isPassing;
    const reason = error instanceof Error ? error.message : String(error);
    this.servers.failed(server, reason, { isThere });
    if (!isThere) return;
    const pauseMs = Math.min(error.retryAfterMs, LONGEST_PAUSE_MS);
    way.pauses.set(server, performance.now() + pauseMs);
    this.turnedAway(call);
  }

  /** The component backs off for itself; it need not wait for an answer that will not come. */
  private turnedAway(call: number): void {
    if (!this.isClosed) this.options.give({ kind: "reply", call, reply: { kind: "unavailable" } });
  }
}
