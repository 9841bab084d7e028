/**
 * A plane in production: one authority and the controllers around it, fed by real time, a real store and
 * whoever calls in. It decides nothing. Every input goes through `give`, one at a time, and is shown to the
 * recorder before the component sees it.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Applied, apply } from "../core/commit/apply.ts";
import { Authority } from "../core/commit/authority.ts";
import type { Intent } from "../core/commit/command.ts";
import type { Commit } from "../core/commit/commit-record.ts";
import type { Reply } from "../core/commit/outcome.ts";
import { type Snapshot, takeSnapshot } from "../core/commit/snapshot.ts";
import type {
  AuthorityEffect,
  AuthorityInput,
  ClientEffect,
  ClientInput,
  Request,
} from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { Actor } from "../core/model/actor.ts";
import type { Epoch, Revision } from "../core/model/ids.ts";
import { wants } from "../core/observe/interest.ts";
import { listObjects } from "../core/observe/list-objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Owed } from "../core/runner.ts";
import { type Controllers, createControllers } from "./controllers.ts";
import { DecisionLog } from "./decision-log.ts";
import { createHostClock, type HostClock } from "./host-clock.ts";
import { LocalClient } from "./local-client.ts";
import { OutsideCalls } from "./outside-calls.ts";
import type { PlanePort } from "./plane-port.ts";
import { PublishedLog } from "./published-log.ts";
import { showBooks } from "./show-books.ts";
import { SnapshotPace } from "./snapshot-pace.ts";
import type { Recorder } from "./recording/recorder.ts";
import type { AppendResult, Claimed, LogStore } from "./store/log-store.ts";

/** The store is asked again this much later when it could not be read at all. */
const CLAIM_AGAIN_MS = 1_000;

/** Well below every patience of the runner that counts on the view moving on. */
const BOOKMARK_EVERY_MS = 1_000;

export interface PlaneOptions {
  readonly name?: string;
  readonly store: LogStore;
  readonly clock?: HostClock;
  /** Makes the controllers this plane runs; called again for every chapter of the recording. */
  readonly createControllers?: () => Controllers;
  readonly recorder?: Recorder;
  /** Told when the store fails and when another plane has taken the log. */
  readonly onTrouble?: (message: string) => void;
  readonly onResigned?: () => void;
}

type Given =
  | { readonly to: Authority; readonly input: AuthorityInput }
  | { readonly to: LocalClient; readonly input: ClientInput };

export class Plane implements PlanePort {
  private readonly authority: Authority;
  private readonly authorityTurn: KeyedTurn;
  private readonly seed: number;
  private clients: readonly LocalClient[] = [];
  private byName: ReadonlyMap<string, LocalClient> = new Map();
  private readonly options: PlaneOptions;
  private readonly clock: HostClock;
  private readonly log = new PublishedLog();
  readonly decisions = new DecisionLog();
  private readonly calls = new OutsideCalls();
  private readonly listeners = new Set<(commits: readonly Commit[], to: Revision) => void>();
  private readonly inbox: Given[] = [];
  private isGiving = false;
  private isClosed = false;
  private readonly snapshots = new SnapshotPace();
  private bookmarks: NodeJS.Timeout | undefined;
  private readonly pending = new Set<Promise<unknown>>();

  private constructor(options: PlaneOptions) {
    this.options = options;
    this.clock = options.clock ?? createHostClock();
    const name = options.name ?? "plane-1";
    // Jitter must differ between planes and lives, or they would all come back at the same moment.
    this.seed = (this.clock.nowMs() ^ process.pid) >>> 0;
    this.authority = new Authority({ name });
    this.authorityTurn = new KeyedTurn(this.seed, name);
    this.hireControllers();
  }

  private hireControllers(): void {
    for (const client of this.clients) client.stop();
    const create =
      this.options.createControllers ?? ((): Controllers => createControllers({ schedulers: 1 }));
    this.clients = create().map((component) => new LocalClient(component, this.seed, this.log));
    this.byName = new Map(this.clients.map((client) => [client.name, client]));
  }

  /** Resolves once the log is ours and what it held is served. */
  static async open(options: PlaneOptions): Promise<Plane> {
    const plane = new Plane(options);
    const first = await plane.claim();
    plane.beginChapter(undefined);
    plane.give({ to: plane.authority, input: { kind: "started" } }, first);
    plane.track(plane.startControllers());
    plane.bookmarks = setInterval(() => plane.bookmark(), BOOKMARK_EVERY_MS);
    return plane;
  }

  /** Each in a turn of its own: on a large plane their first lists take a while, and others have to be answered. */
  private async startControllers(): Promise<void> {
    for (const client of this.clients) {
      await nextTurn();
      // A new chapter of the recording has hired others in its place, and started them.
      if (this.clients.includes(client)) this.give({ to: client, input: { kind: "started" } });
    }
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
    return this.authority.isLeading;
  }

  submit(intent: Intent, actor: Actor): Promise<Reply> {
    const command = { intent, epoch: this.epoch, basis: this.revision, actor };
    return this.request(actor.name, { kind: "command", attempt: 1, command });
  }

  dryRun(intent: Intent, actor: Actor): Applied {
    const { ledger } = this.authority;
    const command = { intent, epoch: ledger.epoch, basis: ledger.revision, actor };
    return apply(ledger, command, this.clock.nowMs());
  }

  request(_from: string, request: Request): Promise<Reply> {
    if (this.isClosed) return Promise.resolve({ kind: "unavailable" });
    const { call, reply } = this.calls.open(request);
    const input = { kind: "request", from: OutsideCalls.SENDER, call, request } as const;
    this.give({ to: this.authority, input });
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
    return this.clients.flatMap(({ name, component }) =>
      component.owed().map((owed) => ({ controller: name, ...owed })),
    );
  }

  /**
   * A chapter of the recording begins with the authority's state and fresh controllers, so that it can be
   * replayed by itself. They are level-triggered: starting them anew costs a list and changes nothing.
   */
  private beginChapter(snapshot: Snapshot | undefined): void {
    const { recorder } = this.options;
    const controllers = this.clients.flatMap(({ name, component }) =>
      component.members === undefined ? [name] : component.members.map((member) => member.name),
    );
    recorder?.beginChapter({ plane: this.authority.name, seed: this.seed, controllers, snapshot });
  }

  /** True when a new chapter was begun. */
  private turnThePage(): boolean {
    const { recorder } = this.options;
    if (recorder?.isChapterFull !== true || !this.authority.isQuiet || this.isClosed) return false;
    this.hireControllers();
    this.beginChapter(takeSnapshot(this.authority.ledger));
    for (const client of this.clients) this.inbox.push({ to: client, input: { kind: "started" } });
    return true;
  }

  /** Waits for what is under way; nothing acknowledged is left behind. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.bookmarks);
    for (const client of this.clients) client.stop();
    await Promise.allSettled(this.pending);
    this.options.recorder?.close();
    await this.options.store.close();
  }

  /** Inputs are taken one after the other, whoever gives them and whatever they cause. */
  private give(given: Given, claimed?: Claimed): void {
    this.inbox.push(given);
    if (this.isGiving) return;
    this.isGiving = true;
    // At most once for what was given from outside: a page that is full of what turning it caused would be
    // turned again and again.
    let mayTurnPage = true;
    try {
      for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
        if (next.to instanceof LocalClient) this.turnOfClient(next.to, next.input as ClientInput);
        else this.turnOfAuthority(next.input as AuthorityInput, claimed);
        if (this.inbox.length > 0 || !mayTurnPage) continue;
        mayTurnPage = !this.turnThePage();
      }
    } finally {
      this.isGiving = false;
    }
  }

  private turnOfAuthority(input: AuthorityInput, claimed: Claimed | undefined): void {
    const now = this.clock.nowMs();
    const { recorder } = this.options;
    recorder?.input(this.authority.name, now, input, 0);
    this.authorityTurn.now = now;
    const effects = this.authority.receive(input, this.authorityTurn);
    recorder?.effects(effects);
    for (const effect of effects) this.carryOut(effect, claimed);
  }

  private carryOut(effect: AuthorityEffect, claimed: Claimed | undefined): void {
    switch (effect.kind) {
      case "claim":
        // The first claim was made before the plane existed, so that opening can fail with its reason.
        if (claimed === undefined) this.claimAgain();
        else this.claimed(claimed);
        return;
      case "append":
        return this.append(effect.epoch, effect.commits);
      case "publish":
        return this.publish(effect.to);
      case "respond":
        return this.respond(effect.to, effect.call, effect.reply);
      case "resigned":
        this.calls.abandon();
        this.options.onResigned?.();
        return;
    }
  }

  private claimed(claimed: Claimed): void {
    const { epoch, snapshot, commits } = claimed;
    this.log.load(snapshot, commits);
    this.snapshots.begin(commits);
    const input = { kind: "claimed", epoch, commits, ...(snapshot ? { snapshot } : {}) } as const;
    this.give({ to: this.authority, input });
    // What an unknown append left open is decided now: the old epoch can write no more.
    for (const { call, operation } of this.calls.orphans()) {
      const request = { kind: "lookup", operation, attempt: 1 } as const;
      this.give({
        to: this.authority,
        input: { kind: "request", from: OutsideCalls.SENDER, call, request },
      });
    }
  }

  private claimAgain(): void {
    this.calls.orphanAll();
    this.track(this.claimUntilHeld());
  }

  private async claim(): Promise<Claimed> {
    const { store, recorder } = this.options;
    const claimed = await store.claim(recorder?.copyTo());
    recorder?.copied(claimed.copiedBytes);
    return claimed;
  }

  /** Reads go on meanwhile; writes are answered `unavailable`. */
  private async claimUntilHeld(): Promise<void> {
    while (!this.isClosed) {
      try {
        this.claimed(await this.claim());
        return;
      } catch (error) {
        this.trouble("claim the log", error);
        await sleep(CLAIM_AGAIN_MS);
      }
    }
  }

  private append(epoch: Epoch, commits: readonly Commit[]): void {
    this.log.stage(commits);
    this.track(this.appendAndTell(epoch, commits));
  }

  private async appendAndTell(epoch: Epoch, commits: readonly Commit[]): Promise<void> {
    let result: AppendResult;
    try {
      result = await this.options.store.append(epoch, commits);
    } catch (error) {
      this.trouble("append to the log", error);
      // Whether it failed before or after it landed is for the next claim to find out.
      result = "unknown";
    }
    this.give({ to: this.authority, input: { kind: "appended", result } });
  }

  private publish(to: Revision): void {
    const commits = this.log.publish(to);
    const wrong = showBooks(this.authority.ledger.objects, this.objects);
    if (wrong !== undefined) this.trouble("add the quota books up", new Error(wrong));
    for (const client of this.clients) this.show(client, commits);
    for (const listener of this.listeners) listener(commits, this.revision);
    this.snapshots.note(commits);
    this.keepSnapshot();
  }

  private show(client: LocalClient, commits: readonly Commit[]): void {
    if (client.cursor === undefined) return;
    const { interest } = client.component.view;
    const of = commits.filter(({ changes }) => changes.some((change) => wants(interest, change)));
    if (of.length > 0) this.tell(client, of);
  }

  private tell(client: LocalClient, commits: readonly Commit[]): void {
    client.cursor = this.revision;
    const input = { kind: "watch", commits, to: this.revision, epoch: this.epoch } as const;
    this.give({ to: client, input });
  }

  /** Tells streams that nothing concerned how far the log has come: refusals wait for that. */
  private bookmark(): void {
    for (const client of this.clients) {
      if (client.cursor !== undefined && client.cursor < this.revision) this.tell(client, []);
    }
  }

  private keepSnapshot(): void {
    const { ledger } = this.authority;
    if (!this.snapshots.isDue(ledger.objects.size)) return;
    // Only when nothing is judged beyond what is durable: a snapshot must not promise what may be lost.
    if (ledger.revision !== this.revision) return;
    this.snapshots.begin([]);
    const kept = this.options.store.compact(this.epoch, takeSnapshot(ledger));
    this.track(kept.catch((error: unknown) => this.trouble("keep a snapshot", error)));
  }

  private respond(to: string, call: number, reply: Reply): void {
    if (to === OutsideCalls.SENDER) this.calls.answer(call, reply);
    else {
      const client = this.byName.get(to);
      if (client !== undefined) this.give({ to: client, input: { kind: "reply", call, reply } });
    }
  }

  private turnOfClient(client: LocalClient, input: ClientInput): void {
    if (this.isClosed) return;
    const now = this.clock.nowMs();
    const { recorder } = this.options;
    recorder?.input(client.name, now, input, client.component.view.revision);
    client.turn.now = now;
    const effects = client.component.receive(input, client.turn);
    recorder?.effects(effects);
    for (const effect of effects) this.doFor(client, effect);
  }

  private doFor(client: LocalClient, effect: ClientEffect): void {
    switch (effect.kind) {
      case "request": {
        const { call, request } = effect;
        const input = { kind: "request", from: client.name, call, request } as const;
        this.give({ to: this.authority, input });
        return;
      }
      case "list": {
        const objects = listObjects(this.objects, client.component.view.interest);
        client.cursor = this.revision;
        const { revision, epoch } = this;
        this.give({ to: client, input: { kind: "listed", objects, revision, epoch } });
        return;
      }
      case "timer":
        client.setTimer(effect.atMs - this.clock.nowMs(), () =>
          this.give({ to: client, input: { kind: "timer" } }),
        );
        return;
      case "decision":
        this.decisions.add(effect.record);
        return;
    }
  }

  private track(work: Promise<unknown>): void {
    this.pending.add(work);
    void work.finally(() => this.pending.delete(work));
  }

  private trouble(what: string, error: unknown): void {
    const said = error instanceof Error ? error.message : String(error);
    this.options.onTrouble?.(`Could not ${what}: ${said}`);
  }
}
