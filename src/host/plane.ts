/**
 * A plane in production: one authority and its controllers, with real time, store and callers. It
 * decides nothing. Every input goes through `give`, one at a time, to the recorder first.
 */
import { Authority } from "../core/commit/authority.ts";
import type { Intent } from "../core/protocol/command.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import { takeSnapshot } from "../core/commit/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientInput,
  Request,
} from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { Actor } from "../core/model/actor.ts";
import type { Epoch, Revision } from "../core/model/ids.ts";
import { FENCE_AFTER_MS } from "../core/model/timing.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Owed } from "../core/runner/runner.ts";
import { createControllers } from "./controllers.ts";
import { DecisionLog } from "./decision-log.ts";
import { dryRun, type Tried } from "./dry-run.ts";
import { HeardFirst, LOOK_IN_MS } from "./heard-first.ts";
import { createHostClock, type HostClock } from "./host-clock.ts";
import type { LocalClient } from "./local-client.ts";
import { BOOKMARK_EVERY_MS, LocalClients } from "./local-clients.ts";
import type { LogAccess, LogListener } from "./log-access.ts";
import { OutsideCalls } from "./outside-calls.ts";
import { PastLog } from "./past-log.ts";
import { PlaneMeter } from "./plane-meter.ts";
import type { PlaneOptions } from "./plane-options.ts";
import type { PlanePort } from "./plane-port.ts";
import { PublishedLog } from "./published-log.ts";
import type { ChapterOf } from "./recording/recorder.ts";
import { showAccounts } from "./show-accounts.ts";
import { SnapshotSchedule } from "./snapshot-schedule.ts";
import { openLogAccess } from "./open-log-access.ts";
import { fillInBefore } from "./store/batch-encoding.ts";
import type { AppendResult, Claimed, StoredCommit } from "./store/log-store.ts";
import type { PlaneAddress } from "./store/shared-log.ts";

type Given =
  | { readonly to: Authority; readonly input: AuthorityInput }
  | { readonly to: LocalClient; readonly input: ClientInput };

export class Plane implements PlanePort, LogListener {
  private readonly authority: Authority;
  private readonly authorityTurn: KeyedTurn;
  private readonly seed: number;
  private readonly access: LogAccess;
  private readonly clients: LocalClients;
  private readonly options: PlaneOptions;
  private readonly clock: HostClock;
  private readonly log = new PublishedLog();
  readonly past: PastLog;
  readonly decisions = new DecisionLog();
  readonly meter: PlaneMeter;
  private readonly calls = new OutsideCalls();
  private readonly listeners = new Set<(commits: readonly Commit[], to: Revision) => void>();
  private readonly inbox: Given[] = [];
  private isGiving = false;
  private isClosed = false;
  private isOpen = false;
  /** With several planes: its controllers run, whether or not its lease still lasts. */
  private hasLed = false;
  private lastLed: Epoch = 0;
  private readonly snapshots = new SnapshotSchedule();
  private readonly heardFirst: HeardFirst;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly pending = new Set<Promise<unknown>>();

  private constructor(options: PlaneOptions) {
    this.options = options;
    this.past = new PastLog(this.log, options.store);
    this.meter = new PlaneMeter(options.shared?.log);
    this.clock = options.clock ?? createHostClock();
    const name = options.name ?? "plane-1";
    this.seed = (this.clock.nowMs() ^ process.pid) >>> 0;
    this.authority = new Authority({ name });
    this.authorityTurn = new KeyedTurn(this.seed, name);
    this.access = openLogAccess(this, name, options);
    this.heardFirst = new HeardFirst({ plane: this, access: this.access, clock: this.clock });
    this.clients = new LocalClients({
      create: options.createControllers ?? (() => createControllers({ schedulers: 1 })),
      seed: this.seed,
      log: this.log,
      clock: this.clock,
      recorder: options.recorder,
      decisions: this.decisions,
      meter: this.meter,
      epoch: () => this.epoch,
      give: (to, input) => this.give({ to, input }),
      request: (from, call, request) =>
        this.tellAuthority({ kind: "request", from, call, request }),
    });
  }

  /** Resolves once the state of the log is served; a log of its own then belongs to this plane. */
  static async open(options: PlaneOptions): Promise<Plane> {
    const plane = new Plane(options);
    const { access, clients } = plane;
    await access.open();
    if (!access.isShared) {
      clients.hire();
      plane.beginChapter({ snapshot: undefined });
    }
    plane.tellAuthority({ kind: "started" });
    await access.loaded;
    plane.isOpen = true;
    if (!access.isShared) plane.track(clients.startOneByOne());
    plane.timers.push(
      setInterval(() => clients.bookmark(), BOOKMARK_EVERY_MS),
      setInterval(
        () => plane.heardFirst.inputs().forEach((first) => plane.tellAuthority(first)),
        LOOK_IN_MS,
      ),
    );
    return plane;
  }

  get objects(): ObjectIndex {
    return this.log.objects;
  }
  get revision(): Revision {
    return this.log.revision;
  }
  get epoch(): Epoch {
    return this.authority.epoch;
  }
  get isLeading(): boolean {
    return this.authority.isLeading && this.access.isCertain;
  }
  get isShared(): boolean {
    return this.access.isShared;
  }
  get leader(): PlaneAddress | undefined {
    return this.access.leader;
  }

  newest(): Promise<Revision> {
    // A leader's batch may have landed, and followers may show it, before the leader hears of it.
    return this.isLeading ? Promise.resolve(this.log.sentTo) : this.access.newest();
  }

  submit(intent: Intent, actor: Actor): Promise<Reply> {
    const command = { intent, epoch: this.epoch, basis: this.revision, actor };
    return this.request(actor.name, { kind: "command", attempt: 1, command });
  }

  dryRun(intent: Intent, actor: Actor): Tried {
    return dryRun(this.authority.ledger, intent, { actor, nowMs: this.clock.nowMs() });
  }

  request(_from: string, request: Request): Promise<Reply> {
    if (this.isClosed) return Promise.resolve({ kind: "unavailable" });
    const { call, reply } = this.calls.open(request);
    this.tellAuthority({ kind: "request", from: OutsideCalls.SENDER, call, request });
    return reply;
  }

  since(from?: Revision): readonly Commit[] | undefined {
    return this.log.since(from);
  }

  onPublish(listener: (commits: readonly Commit[], to: Revision) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  owed(): readonly (Owed & { readonly controller: string })[] {
    return this.clients.owed();
  }

  /**
   * A chapter of the recording begins with the authority's state and fresh controllers, so that it
   * can be replayed alone. The controllers are level-triggered: a fresh start only costs a list.
   */
  private beginChapter(of: Pick<ChapterOf, "snapshot" | "isStandby">): void {
    const { names: controllers } = this.clients;
    const { name: plane } = this.authority;
    this.options.recorder?.beginChapter({ plane, seed: this.seed, controllers, ...of });
  }

  /** True when a new chapter was begun. */
  private turnThePage(): boolean {
    const { recorder } = this.options;
    if (recorder?.isChapterFull !== true || !this.authority.isQuiet || this.isClosed) return false;
    // The first state of a chapter does not record that the plane stood still.
    if (this.clock.nowMs() - this.authority.ledger.wokeMs < FENCE_AFTER_MS) return false;
    this.clients.hire();
    this.beginChapter({ snapshot: takeSnapshot(this.authority.ledger) });
    this.clients.startAll();
    return true;
  }

  /** Gives up the lead once open requests are answered. It then follows, and can be read. */
  async handOver(): Promise<void> {
    if (!this.access.isShared) return;
    await Promise.allSettled(this.pending);
    const resigned = this.access.resign();
    this.tellAuthority({ kind: "lapsed" });
    await resigned;
  }

  /** Waits for open work; nothing acknowledged is lost. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearInterval(timer);
    this.clients.letGo();
    await Promise.allSettled(this.pending);
    await this.access.close();
    this.calls.abandon();
    this.options.recorder?.close();
    await this.options.store.close();
  }

  private tellAuthority(input: AuthorityInput): void {
    this.give({ to: this.authority, input });
  }

  /** Takes inputs one after the other, from all senders. */
  private give(given: Given): void {
    this.inbox.push(given);
    if (this.isGiving) return;
    this.isGiving = true;
    // At most once per outside input: a new chapter causes inputs itself, and these must not turn
    // the page again.
    let mayTurnPage = true;
    try {
      for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
        this.take(next);
        if (this.inbox.length > 0 || !mayTurnPage) continue;
        mayTurnPage = !this.turnThePage();
      }
    } finally {
      this.isGiving = false;
    }
  }

  private take({ to, input }: Given): void {
    if (to !== this.authority) {
      if (!this.isClosed) this.clients.take(to as LocalClient, input as ClientInput);
      return;
    }
    for (const first of this.heardFirst.inputs()) this.turnOfAuthority(first);
    this.turnOfAuthority(input as AuthorityInput);
  }

  private turnOfAuthority(input: AuthorityInput): void {
    const now = this.clock.nowMs();
    const { recorder } = this.options;
    recorder?.input(this.authority.name, now, input, 0);
    this.authorityTurn.now = now;
    const effects = this.authority.receive(input, this.authorityTurn);
    recorder?.effects(effects);
    for (const effect of effects) this.carryOut(effect);
  }

  private carryOut(effect: AuthorityEffect): void {
    switch (effect.kind) {
      case "claim":
        return this.claim();
      case "append":
        return this.append(effect.epoch, effect.commits);
      case "publish":
        return this.publish(effect.to);
      case "respond":
        return this.respond(effect.to, effect.call, effect.reply);
      case "resigned":
        return this.resigned();
    }
  }

  private claim(): void {
    this.calls.orphanAll();
    if (this.access.isShared) this.standDown();
    this.access.claim();
  }

  private resigned(): void {
    if (this.access.isShared) this.tellAuthority({ kind: "started" });
    else {
      this.calls.abandon();
      this.options.onResigned?.();
    }
  }

  /** A plane that does not lead decides nothing, so there is nothing to record. */
  private standDown(): void {
    if (this.hasLed) this.options.onLead?.(false, this);
    this.hasLed = false;
    this.clients.letGo();
    this.options.recorder?.close();
  }

  claimed({ epoch, snapshot, commits }: Claimed): void {
    this.log.load(snapshot, commits);
    this.snapshots.begin(commits);
    this.tellAuthority({ kind: "claimed", epoch, commits, ...(snapshot ? { snapshot } : {}) });
    this.settleOrphans();
  }

  filledIn(stored: readonly StoredCommit[]): readonly Commit[] {
    return fillInBefore(stored, this.authority.ledger.objects);
  }

  followed(news: Extract<AuthorityInput, { kind: "followed" }>): void {
    const { snapshot, commits } = news;
    const { leaps } = this.log;
    // Restarted from a snapshot or from nothing; published commits stay published.
    if (commits.length === 0) {
      this.log.load(snapshot, []);
      this.snapshots.begin([]);
    }
    this.log.stage(commits.filter(({ revision }) => revision > this.revision));
    this.tellAuthority(news);
    if (this.isOpen && this.log.leaps > leaps) this.options.onLeap?.();
  }

  tookOver(won: Extract<AuthorityInput, { kind: "took-over" }>): void {
    this.clients.hire();
    const snapshot = this.options.recorder && takeSnapshot(this.authority.ledger);
    this.beginChapter({ snapshot, isStandby: true });
    this.lastLed = won.epoch;
    this.tellAuthority(won);
    this.settleOrphans();
    this.hasLed = true;
    this.options.onLead?.(true, this);
    this.track(this.clients.startOneByOne());
  }

  /** Decides appends with unknown outcome: the old epoch can write no more. */
  private settleOrphans(): void {
    for (const { call, operation, actor } of this.calls.orphans()) {
      const request = { kind: "lookup", operation, actor, attempt: 1 } as const;
      this.tellAuthority({ kind: "request", from: OutsideCalls.SENDER, call, request });
    }
  }

  private append(epoch: Epoch, commits: readonly Commit[]): void {
    this.log.stage(commits);
    this.track(this.appendAndTell(epoch, commits));
  }

  private async appendAndTell(epoch: Epoch, commits: readonly Commit[]): Promise<void> {
    let result: AppendResult;
    try {
      const append = () => this.options.store.append(epoch, commits);
      result = await this.meter.append(commits.length, append);
    } catch (error) {
      this.trouble("append to the log", error);
      // The next claim finds out whether it failed before or after it landed.
      result = "unknown";
    }
    this.tellAuthority({ kind: "appended", result, epoch });
  }

  private publish(to: Revision): void {
    const commits = this.log.publish(to);
    if (this.access.isShared && this.epoch > this.lastLed)
      this.calls.settleBy(this.authority.ledger);
    const wrong = showAccounts(this.authority.ledger.objects, this.objects);
    if (wrong !== undefined) this.trouble("check the quota accounts", new Error(wrong));
    this.clients.show(commits);
    for (const listener of this.listeners) listener(commits, this.revision);
    this.snapshots.note(commits);
    this.keepSnapshot();
  }

  private keepSnapshot(): void {
    const { ledger } = this.authority;
    if (!this.isLeading || !this.snapshots.isDue(ledger.objects.size)) return;
    // Only if all checked commands are durable: a snapshot must not promise what may be lost.
    if (ledger.revision !== this.revision) return;
    this.snapshots.begin([]);
    const kept = this.options.store.compact(this.epoch, takeSnapshot(ledger));
    this.track(kept.catch((error: unknown) => this.trouble("keep a snapshot", error)));
  }

  private respond(to: string, call: number, reply: Reply): void {
    this.meter.answer(to, call, reply);
    if (to === OutsideCalls.SENDER) this.calls.answer(call, reply);
    else this.clients.answer(to, { kind: "reply", call, reply });
  }

  private track(work: Promise<unknown>): void {
    this.pending.add(work);
    void work.finally(() => this.pending.delete(work));
  }

  trouble(what: string, error: unknown): void {
    const said = error instanceof Error ? error.message : String(error);
    this.options.onTrouble?.(`Could not ${what}: ${said}`);
  }
}
