/**
 * A plane that plays a script: the authority and the controllers run for real, on one thread, in
 * the order in which `host/plane.ts` gives them their turns, and at the times at which the recorded
 * turns were taken. What comes from outside is the script's; what the components tell each other is
 * produced anew. Where a run owes itself something that the recorded run did not, it comes when it
 * is due, before the next line of the script.
 */
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import { restoreLedger } from "../../core/commit/snapshot.ts";
import { Authority } from "../../core/commit/authority.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
  Request,
} from "../../core/kernel/component.ts";
import { KeyedTurn } from "../../core/kernel/keyed-turn.ts";
import type { Revision } from "../../core/model/ids.ts";
import { wants } from "../../core/observe/interest.ts";
import { listObjects } from "../../core/observe/list-objects.ts";
import type { ClientComponent } from "../../host/local-client.ts";
import { OutsideCalls } from "../../host/outside-calls.ts";
import { PublishedLog } from "../../host/published-log.ts";
import { type ChapterStart, contentsFormatOf } from "../../host/recording/entry.ts";
import { recordedControllers } from "../recorded-controllers.ts";
import { recordedKeys } from "../recorded-keys.ts";
import { agentOf, AgentsAgain } from "./agents-again.ts";
import { RunAccount } from "./run-account.ts";
import { restated } from "./restated.ts";
import type { Cue, OutsideRequest, Script, ScriptLine, Standing } from "./script.ts";

/**
 * A plane tells its controllers every second how far the log has come; twice that is later than it
 * ever was on time.
 */
const BOOKMARK_AFTER_MS = 2_000;

export interface PlayOf {
  readonly script: Script;
  /** With which the run begins: the script's own, or a copy in which another policy is in force. */
  readonly beginning: Snapshot;
  /** Requests from outside that this run leaves out. */
  readonly isLeftOut: (request: Request) => boolean;
}

interface Client {
  readonly component: ClientComponent;
  readonly turn: KeyedTurn;
  cursor: Revision | undefined;
}

type Given =
  | { readonly to: "plane"; readonly input: AuthorityInput }
  | { readonly to: Client; readonly input: ClientInput };

export class PlayedPlane {
  readonly account = new RunAccount();
  private readonly of: PlayOf;
  private readonly log = new PublishedLog();
  private readonly agents: AgentsAgain;
  private readonly inbox: Given[] = [];
  private readonly durable: Commit[] = [];
  private authority: Authority | undefined;
  private authorityTurn = new KeyedTurn(0, "");
  private client: Client | undefined;
  private nowMs = 0;
  private timerMs: number | undefined;
  private behindSinceMs: number | undefined;
  private inFlight:
    | { readonly commits: readonly Commit[]; readonly epoch: number; readonly sinceMs: number }
    | undefined;
  /** Was on its way when the log was asked for again. */
  private unsettled: readonly Commit[] = [];

  constructor(of: PlayOf) {
    this.of = of;
    this.agents = new AgentsAgain(of.script.stories, of.beginning.objects);
  }

  play(onLine: (done: number) => void = () => undefined): RunAccount {
    const { lines, end } = this.of.script;
    for (const [index, line] of lines.entries()) {
      if (line.cue.kind !== "page") this.catchUp(line);
      this.perform(line);
      onLine(index + 1);
    }
    this.catchUp(end);
    this.account.end(this.log.objects);
    return this.account;
  }

  /** What this run owes itself by then, and the recorded run did not. */
  private catchUp(to: Standing): void {
    for (let next = this.owed(to); next !== undefined; next = this.owed(to)) {
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
      this.drain([]);
    }
  }

  private owed(to: Standing): { readonly atMs: number; readonly act: () => void } | undefined {
    const { inFlight, timerMs, behindSinceMs } = this;
    const all = [
      { atMs: this.agents.nextMs, act: () => this.agentSpeaks() },
      // One that the recorded run has set, too, fires when it did there.
      { atMs: timerMs === to.timerMs ? undefined : timerMs, act: () => this.wake() },
      {
        atMs: inFlight && !to.isAppending ? inFlight.sinceMs + this.of.script.appendMs : undefined,
        act: () => this.appended("durable"),
      },
      {
        atMs: behindSinceMs === undefined ? undefined : behindSinceMs + BOOKMARK_AFTER_MS,
        act: () => this.bookmark(),
      },
    ];
    let first: { readonly atMs: number; readonly act: () => void } | undefined;
    for (const { atMs, act } of all) {
      if (atMs === undefined || atMs > to.atMs || (first && first.atMs <= atMs)) continue;
      first = { atMs, act };
    }
    return first;
  }

  private perform({ cue, atMs, caused, revision }: ScriptLine): void {
    if (cue.kind === "page") return this.turnPage(cue.start, cue.landed);
    this.nowMs = atMs;
    if (cue.kind === "request") this.outside(cue, revision);
    else this.happen(cue);
    this.drain(caused);
  }

  private happen(cue: Exclude<Cue, OutsideRequest | { kind: "page" }>): void {
    switch (cue.kind) {
      case "started":
      case "lapsed":
      case "stalled":
        return this.tellAuthority({ kind: cue.kind });
      case "took-over": {
        const end = this.authority?.ledger.revision ?? 0;
        return this.tellAuthority({ kind: "took-over", epoch: cue.epoch, end });
      }
      case "claimed":
        return this.claimed(cue.epoch, cue.landed);
      case "appended":
        return this.appended(cue.result);
      case "hired":
        return this.tellClient({ kind: "started" });
      case "timer":
        if (this.timerMs !== undefined && this.timerMs <= this.nowMs) this.wake();
        return;
      case "bookmark":
        return this.bookmark();
    }
  }

  private turnPage(start: ChapterStart, landed: boolean): void {
    const { plane: name, seed, state, isStandby } = start;
    const isFirst = this.authority === undefined;
    // A page that is turned in the middle of a leadership changes nothing about the authority.
    if (isFirst || state === undefined || isStandby) {
      this.unsettled = this.inFlight?.commits ?? this.unsettled;
      this.inFlight = undefined;
      this.authority = new Authority({ name });
      if (state !== undefined) this.enter(name, { isStandby, landed });
    }
    const keys = recordedKeys(contentsFormatOf(start));
    this.authorityTurn = keys.turnOf(seed, name);
    this.timerMs = undefined;
    this.behindSinceMs = undefined;
    const [component] = recordedControllers(start);
    this.client = component && {
      component,
      turn: keys.turnOf(seed, component.name),
      cursor: undefined,
    };
  }

  private enter(
    name: string,
    { isStandby, landed }: { readonly isStandby: true | undefined; readonly landed: boolean },
  ): void {
    const { beginning } = this.of;
    if (this.durable.length === 0) this.load();
    if (landed) this.keep(this.unsettled);
    this.unsettled = [];
    const ledger = restoreLedger(beginning);
    for (const commit of this.durable) ledger.fold(commit);
    this.log.load(beginning, this.durable);
    this.authority = isStandby
      ? Authority.following({ name, ledger })
      : Authority.resumed({ name, ledger });
  }

  /** Shows what the run begins with. */
  private load(): void {
    const { beginning } = this.of;
    this.log.load(beginning, []);
    if (beginning.revision > 0) return;
    // A log that is empty but for the policy that was put in: there is nothing to leap over.
    for (const after of beginning.objects) {
      this.log.objects.fold({ key: after.key, before: undefined, after });
    }
  }

  private claimed(epoch: number, landed: boolean): void {
    const { beginning: snapshot } = this.of;
    if (this.log.revision === 0 && this.durable.length === 0) this.load();
    if (landed) this.keep(this.unsettled);
    this.unsettled = [];
    const commits = [...this.durable];
    this.log.load(snapshot, commits);
    this.tellAuthority({ kind: "claimed", epoch, snapshot, commits });
  }

  private appended(result: "durable" | "fenced" | "unknown"): void {
    const { inFlight } = this;
    this.inFlight = undefined;
    if (inFlight === undefined) {
      // The trouble was there all the same, and every controller noticed that the plane had to ask
      // for its log.
      if (result !== "durable") this.tellAuthority({ kind: "lapsed" });
      return;
    }
    if (result === "durable") this.keep(inFlight.commits);
    else this.unsettled = inFlight.commits;
    this.tellAuthority({ kind: "appended", result, epoch: inFlight.epoch });
  }

  private keep(commits: readonly Commit[]): void {
    for (const commit of commits) this.durable.push(commit);
  }

  private outside(cue: OutsideRequest, recordedRevision: Revision): void {
    const { request } = cue.input;
    if (this.of.isLeftOut(request)) return;
    const aimed = this.agents.reaimed(cue, this.nowMs);
    if (aimed === undefined) return;
    const shift = this.log.revision - recordedRevision;
    const said = restated(aimed, { cue, shift, objects: this.log.objects });
    this.tellAuthority({ ...cue.input, request: said });
  }

  private agentSpeaks(): void {
    const intent = this.agents.take();
    if (intent === undefined || this.authority === undefined) return;
    const { epoch } = this.authority;
    const command = { intent, epoch, basis: this.log.revision, actor: agentOf(intent.node) };
    const request = { kind: "command", attempt: 1, command } as const;
    this.tellAuthority({ kind: "request", from: OutsideCalls.SENDER, call: 0, request });
  }

  private wake(): void {
    this.timerMs = undefined;
    this.tellClient({ kind: "timer" });
  }

  private bookmark(): void {
    this.behindSinceMs = undefined;
    const { client } = this;
    if (client?.cursor !== undefined && client.cursor < this.log.revision) this.show(client, []);
  }

  private show(client: Client, commits: readonly Commit[]): void {
    const { revision: to } = this.log;
    client.cursor = to;
    this.behindSinceMs = undefined;
    const epoch = this.authority?.epoch ?? 0;
    this.inbox.push({ to: client, input: { kind: "watch", commits, to, epoch } });
  }

  private tellAuthority(input: AuthorityInput): void {
    this.inbox.push({ to: "plane", input });
  }

  private tellClient(input: ClientInput): void {
    if (this.client !== undefined) this.inbox.push({ to: this.client, input });
  }

  /**
   * All that comes of what was given, each at the time of the recorded turn of the same place, as
   * far as there are any.
   */
  private drain(times: readonly number[]): void {
    let taken = 0;
    for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
      if (taken > 0) this.nowMs = times[taken - 1] ?? this.nowMs;
      taken += 1;
      if (next.to === "plane") this.turnOfAuthority(next.input);
      else this.turnOfClient(next.to, next.input);
    }
  }

  private turnOfAuthority(input: AuthorityInput): void {
    this.authorityTurn.now = this.nowMs;
    const effects = this.authority?.receive(input, this.authorityTurn) ?? [];
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: AuthorityEffect): void {
    switch (effect.kind) {
      case "claim":
        if (this.inFlight !== undefined) this.unsettled = this.inFlight.commits;
        this.inFlight = undefined;
        return;
      case "append":
        this.log.stage(effect.commits);
        this.inFlight = { commits: effect.commits, epoch: effect.epoch, sinceMs: this.nowMs };
        return;
      case "publish":
        return this.publish(effect.to);
      case "respond": {
        const { to, call, reply } = effect;
        if (to === this.client?.component.name) this.tellClient({ kind: "reply", call, reply });
        return;
      }
      case "resigned":
        return;
    }
  }

  private publish(to: Revision): void {
    const commits = this.log.publish(to);
    for (const commit of commits) {
      this.account.committed(commit);
      this.agents.committed(commit);
    }
    const { client } = this;
    if (client?.cursor === undefined) return;
    const { interest } = client.component.view;
    const shown = commits.filter(({ changes }) =>
      changes.some((change) => wants(interest, change)),
    );
    if (shown.length > 0) this.show(client, shown);
    else if (client.cursor < this.log.revision) this.behindSinceMs ??= this.nowMs;
  }

  private turnOfClient(client: Client, input: ClientInput): void {
    if (client !== this.client) return;
    client.turn.now = this.nowMs;
    for (const effect of client.component.receive(input, client.turn)) {
      this.carryOutOf(client, effect);
    }
  }

  private carryOutOf(client: Client, effect: ClientEffect): void {
    switch (effect.kind) {
      case "request": {
        const { call, request } = effect;
        const from = client.component.name;
        return this.tellAuthority({ kind: "request", from, call, request });
      }
      case "list": {
        const objects = listObjects(this.log.objects, client.component.view.interest);
        const { revision } = this.log;
        client.cursor = revision;
        const epoch = this.authority?.epoch ?? 0;
        return this.tellClient({ kind: "listed", objects, revision, epoch });
      }
      case "timer":
        this.timerMs = effect.atMs;
        return;
      case "decision":
        return this.account.decided(effect.record);
    }
  }
}
