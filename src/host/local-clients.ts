/**
 * The controllers of a plane, while it leads: hired with fresh state, given their turns, shown what
 * is published, and let go. What they do is carried out here; their requests go to the authority
 * like all others.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ClientEffect, ClientInput, Request } from "../core/kernel/component.ts";
import type { Epoch } from "../core/model/ids.ts";
import { wants } from "../core/observe/interest.ts";
import { listObjects } from "../core/observe/list-objects.ts";
import type { Owed } from "../core/runner/runner.ts";
import type { Controllers } from "./controllers.ts";
import type { DecisionLog } from "./decision-log.ts";
import type { HostClock } from "./host-clock.ts";
import { LocalClient, type OneController } from "./local-client.ts";
import type { OwedCount, PlaneMeter } from "./plane-meter.ts";
import type { PublishedLog } from "./published-log.ts";
import type { Recorder } from "./recording/recorder.ts";

/** Well below every patience of the runner that counts on the view moving on. */
export const BOOKMARK_EVERY_MS = 1_000;

export interface ClientsOf {
  readonly create: () => Controllers;
  /**
   * Jitter must differ between planes and incarnations, or they would all come back at the same
   * moment.
   */
  readonly seed: number;
  readonly log: PublishedLog;
  readonly clock: HostClock;
  readonly recorder: Recorder | undefined;
  readonly decisions: DecisionLog;
  readonly meter: PlaneMeter;
  readonly epoch: () => Epoch;
  /** Queues an input; `take` is called with it when its turn has come. */
  readonly give: (client: LocalClient, input: ClientInput) => void;
  readonly request: (from: string, call: number, request: Request) => void;
}

export class LocalClients {
  private readonly of: ClientsOf;
  private clients: readonly LocalClient[] = [];
  private byName: ReadonlyMap<string, LocalClient> = new Map();

  constructor(of: ClientsOf) {
    this.of = of;
    of.meter.countOwed = () => this.owedByReason();
    of.decisions.owedAbout = (key) =>
      this.each().flatMap(({ name, waits }) => {
        const owed = waits.get(key);
        return owed === undefined ? [] : [{ ...owed, controller: name }];
      });
  }

  hire(): void {
    this.letGo();
    const { create, seed, log } = this.of;
    this.clients = create().map((component) => new LocalClient(component, seed, log));
    this.byName = new Map(this.clients.map((client) => [client.name, client]));
    const { decisions } = this.of;
    for (const { name, waits } of this.each()) {
      waits.onMove = (key) => decisions.owedMoved(name, key);
    }
  }

  letGo(): void {
    for (const client of this.clients) client.stop();
    const owed = this.owed();
    this.clients = [];
    this.byName = new Map();
    this.of.meter.forget();
    for (const { controller, key } of owed) this.of.decisions.owedMoved(controller, key);
  }

  /** Every controller by itself, also where several share one component. */
  private each(): readonly OneController[] {
    return this.clients.flatMap(
      ({ name, component: { members, waits } }) =>
        members ?? (waits === undefined ? [] : [{ name, waits }]),
    );
  }

  /** Of every controller, also where several share one component. */
  get names(): readonly string[] {
    return this.clients.flatMap(({ name, component }) =>
      component.members === undefined ? [name] : component.members.map((member) => member.name),
    );
  }

  /**
   * Each in a turn of its own: on a large plane their first lists take a while, and others have to
   * be answered.
   */
  async startOneByOne(): Promise<void> {
    for (const client of this.clients) {
      await nextTurn();
      // A new chapter of the recording has hired others in its place, and started them.
      if (this.clients.includes(client)) this.of.give(client, { kind: "started" });
    }
  }

  startAll(): void {
    for (const client of this.clients) this.of.give(client, { kind: "started" });
  }

  owed(): readonly (Owed & { readonly controller: string })[] {
    return this.clients.flatMap(({ name, component }) =>
      component.owed().map((owed) => ({ controller: name, ...owed })),
    );
  }

  private owedByReason(): readonly OwedCount[] {
    return this.each().flatMap(({ name, waits }) =>
      [...waits.byReason].map(([reason, count]) => ({ controller: name, reason, count })),
    );
  }

  answer(name: string, input: Extract<ClientInput, { kind: "reply" }>): void {
    const client = this.byName.get(name);
    if (client !== undefined) this.of.give(client, input);
  }

  show(commits: readonly Commit[]): void {
    for (const client of this.clients) {
      if (client.cursor === undefined) continue;
      const { interest } = client.component.view;
      const of = commits.filter(({ changes }) => changes.some((change) => wants(interest, change)));
      if (of.length > 0) this.tell(client, of);
    }
  }

  /** Tells streams that nothing concerned how far the log has come: refusals wait for that. */
  bookmark(): void {
    for (const client of this.clients) {
      if (client.cursor !== undefined && client.cursor < this.of.log.revision) {
        this.tell(client, []);
      }
    }
  }

  private tell(client: LocalClient, commits: readonly Commit[]): void {
    const { revision } = this.of.log;
    client.cursor = revision;
    this.of.give(client, { kind: "watch", commits, to: revision, epoch: this.of.epoch() });
  }

  /** The turn of one of them. Who was let go meanwhile has none. */
  take(client: LocalClient, input: ClientInput): void {
    if (!this.clients.includes(client)) return;
    const { clock, recorder, meter } = this.of;
    const beganMs = performance.now();
    const now = clock.nowMs();
    recorder?.input(client.name, now, input, client.component.view.revision);
    client.turn.now = now;
    const effects = client.component.receive(input, client.turn);
    recorder?.effects(effects);
    for (const effect of effects) this.carryOut(client, effect);
    meter.turn(client.name, input.kind, performance.now() - beganMs);
  }

  private carryOut(client: LocalClient, effect: ClientEffect): void {
    const { log, clock, decisions, give, request, epoch } = this.of;
    switch (effect.kind) {
      case "request":
        this.of.meter.ask(client.name, effect.call, effect.request);
        request(client.name, effect.call, effect.request);
        return;
      case "list": {
        const objects = listObjects(log.objects, client.component.view.interest);
        client.cursor = log.revision;
        give(client, { kind: "listed", objects, revision: log.revision, epoch: epoch() });
        return;
      }
      case "timer":
        client.setTimer(effect.atMs - clock.nowMs(), () => give(client, { kind: "timer" }));
        return;
      case "decision":
        decisions.add(effect.record);
        return;
    }
  }
}
