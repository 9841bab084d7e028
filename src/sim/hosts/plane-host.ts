/**
 * Runs the planes and the store under them: claims, appends, publications, failovers. The store
 * decides in the moment of landing whether an append lands and whether its epoch still holds.
 */
import { Authority } from "../../core/commit/authority.ts";
import type { AuthorityEffect, AuthorityInput, Request } from "../../core/kernel/component.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { ClientProcess } from "./client-process.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { isReply, throughGate } from "../roles/roles-gate.ts";
import { landBatch } from "./land-batch.ts";
import type { Link } from "./link.ts";
import type { Message } from "./message.ts";
import { PlaneEntrance } from "./plane-entrance.ts";
import type { PlaneHosting } from "./plane-hosting.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import type { PlaneEvent, PlaneEventOf } from "../sim-event.ts";
import { takeTurn } from "../take-turn.ts";
import type { WatchHost } from "./watch-host.ts";

const CLAIM = hashText("claim-latency");
const LOAD = hashText("load-latency");
const APPEND = hashText("append-latency");
const ORPHAN = hashText("orphaned-append-lands");
const MOVE = hashText("client-moves-to-new-leader");

/** After this long without a plane, the next one is brought in. */
const FAILOVER_MS = 2_000;
/** A deposed plane without writes would never learn of it; its host's own lease ends it. */
const DEPOSED_MS = 15_000;

export class PlaneHost implements PlaneHosting {
  private readonly sim: Sim;
  private readonly planes: readonly PlaneProcess[];
  private readonly clients: readonly ClientProcess[];
  private readonly watch: WatchHost;
  private readonly link: Link;
  /** True time since which no plane is up; -1 while one is. */
  private leaderlessSinceMs = -1;
  private last: PlaneProcess | undefined;
  /** Left out: the plane takes every request at once. */
  private readonly entrance: PlaneEntrance | undefined;

  constructor(of: {
    sim: Sim;
    planes: readonly PlaneProcess[];
    clients: readonly ClientProcess[];
    watch: WatchHost;
    link: Link;
  }) {
    this.sim = of.sim;
    this.planes = of.planes;
    this.clients = of.clients;
    this.watch = of.watch;
    this.link = of.link;
    const { commandsPerSecond } = of.sim.options.world;
    this.entrance =
      commandsPerSecond === undefined ? undefined : new PlaneEntrance(of.sim, commandsPerSecond);
  }

  begin(): void {
    const [first] = this.planes;
    if (first !== undefined) this.start(first);
  }

  private start(plane: PlaneProcess): void {
    plane.beginIncarnation();
    plane.component = new Authority({ name: plane.name });
    plane.isLoaded = false;
    plane.deposedSinceMs = -1;
    plane.inHand.clear();
    this.last = plane;
    this.leaderlessSinceMs = -1;
    this.sim.trace?.say(plane.name, "started");
    this.give(plane, { kind: "started" });
  }

  private stop(plane: PlaneProcess): void {
    plane.up = false;
    this.entrance?.clear();
    plane.component = undefined;
    plane.isLoaded = false;
    plane.inHand.clear();
  }

  crash(plane: PlaneProcess, downMs: number): void {
    this.sim.trace?.say(plane.name, `crashed; could be back in ${downMs} ms`);
    this.stop(plane);
    this.sim.after(downMs, { kind: "restart-plane", plane, incarnation: plane.incarnation });
  }

  /** The plane that holds the log, or would: the running one with the highest epoch. */
  leader(): PlaneProcess | undefined {
    return this.planes
      .filter(({ up }) => up)
      .toSorted((a, b) => b.epoch - a.epoch || a.index - b.index)[0];
  }

  bringIn(): boolean {
    const spare = this.planes.find(({ up }) => !up);
    if (spare !== undefined) this.start(spare);
    return spare !== undefined;
  }

  /** Only planes that share the log have these faults. */
  strike(): boolean {
    return false;
  }

  windowEnds(): void {
    // This plane is never partitioned from the store.
  }

  heal(): void {
    if (this.leader() === undefined) this.failOver();
  }

  /**
   * Once a second: a plane must lead in the end, and a deposed plane must not believe for ever that
   * it leads.
   */
  supervise(): void {
    const { nowMs, store } = this.sim;
    for (const plane of this.planes) {
      if (!plane.up || !plane.isLoaded || !store.isFenced(plane.epoch)) continue;
      if (plane.deposedSinceMs < 0) plane.deposedSinceMs = nowMs;
      if (nowMs - plane.deposedSinceMs < DEPOSED_MS) continue;
      this.sim.trace?.say(plane.name, "stopped by its host: another plane has led for a while");
      this.stop(plane);
    }
    if (this.planes.some(({ up }) => up)) this.leaderlessSinceMs = -1;
    else if (this.leaderlessSinceMs < 0) this.leaderlessSinceMs = nowMs;
    else if (nowMs - this.leaderlessSinceMs >= FAILOVER_MS) this.failOver();
  }

  private failOver(): void {
    const next = this.planes.find((plane) => plane !== this.last) ?? this.planes[0];
    if (next !== undefined) this.start(next);
  }

  handle(event: PlaneEvent): void {
    const { plane } = event;
    switch (event.kind) {
      case "request":
        this.request(event);
        break;
      case "serve-next":
        this.serveNext();
        break;
      case "list-asked":
        this.watch.asked(event);
        break;
      case "claim-lands":
        if (plane.up && plane.incarnation === event.incarnation) this.claimLands(plane);
        break;
      case "claimed":
        if (plane.up && plane.incarnation === event.incarnation) this.claimed(event);
        break;
      case "append-lands":
        this.appendLands(event);
        break;
      case "restart-plane":
        // If another plane leads, there is no reason to come back.
        if (plane.incarnation !== event.incarnation || this.planes.some(({ up }) => up)) break;
        this.start(plane);
        break;
      default:
        // The other events concern planes that share the log.
        break;
    }
  }

  private request({ plane, message }: PlaneEventOf<"request">): void {
    if (!plane.up) {
      this.sim.trace?.say(
        message.client.name,
        `${message.label} reached no plane: ${plane.name} is down`,
      );
      return;
    }
    const call = this.link.arrive(plane, message);
    if (this.sim.nowMs < this.sim.overloadedUntilMs) {
      this.link.respond(plane, call, { kind: "unavailable" });
      return;
    }
    if (this.entrance === undefined) this.take(plane, call, message);
    else if (!this.entrance.enter(plane, call, message)) {
      this.link.respond(plane, call, { kind: "unavailable" });
    }
  }

  private serveNext(): void {
    const next = this.entrance?.next();
    if (next === undefined || !next.plane.up) return;
    this.take(next.plane, next.call, next.message);
  }

  private take(plane: PlaneProcess, call: number, message: Message): void {
    const request = throughGate(this.sim, plane, message);
    if (isReply(request)) this.link.respond(plane, call, request);
    else this.give(plane, { kind: "request", from: message.client.name, call, request });
  }

  submit(plane: PlaneProcess, request: Request, answered: (reply: Reply) => void): void {
    this.give(plane, plane.ownRequest(request, answered));
  }

  private give(plane: PlaneProcess, input: AuthorityInput): void {
    const effects = takeTurn(this.sim, plane, input);
    for (const effect of effects) this.carryOut(plane, effect);
  }

  private carryOut(plane: PlaneProcess, effect: AuthorityEffect): void {
    const { sim } = this;
    const { incarnation } = plane;
    switch (effect.kind) {
      case "claim": {
        plane.isLoaded = false;
        plane.claims++;
        const delay = between(keyed(sim.seed, CLAIM, plane.nameHash, plane.claims, 0), 1, 3);
        sim.after(delay, { kind: "claim-lands", plane, incarnation });
        break;
      }
      case "append": {
        const append = ++plane.appends;
        const { epoch, commits } = effect;
        const delay = between(keyed(sim.seed, APPEND, plane.nameHash, append, 0), 1, 4);
        sim.after(delay, { kind: "append-lands", plane, incarnation, append, epoch, commits });
        break;
      }
      case "respond":
        if (plane.answersItself(effect.call, effect.reply)) break;
        this.link.decided(plane, effect.call, effect.reply);
        this.link.respond(plane, effect.call, effect.reply);
        break;
      case "publish":
        this.watch.publish(plane, effect.to);
        break;
      case "resigned":
        sim.trace?.say(plane.name, "resigned: another holds the log");
        this.stop(plane);
        break;
    }
  }

  private claimLands(plane: PlaneProcess): void {
    const { sim } = this;
    const epoch = sim.store.claim();
    const commits = sim.store.commits.slice();
    const delay = between(keyed(sim.seed, LOAD, plane.nameHash, plane.claims, 0), 1, 5);
    const input = { kind: "claimed", epoch, commits } as const;
    sim.after(delay, { kind: "claimed", plane, incarnation: plane.incarnation, input });
  }

  private claimed({ plane, input }: PlaneEventOf<"claimed">): void {
    const { sim } = this;
    plane.isLoaded = true;
    plane.epoch = input.epoch;
    plane.deposedSinceMs = -1;
    sim.trace?.say(
      plane.name,
      `claimed the log under epoch ${input.epoch} at revision ${input.commits.length}`,
    );
    this.watch.publish(plane, input.commits.length);
    this.give(plane, input);
    // Some clients hear of a new leader at once and some only when the old one fails them. Because
    // of the second kind, a deposed plane still receives requests.
    for (const client of this.clients) {
      if (client.plane === plane) this.watch.kick(client);
      else if (
        !client.plane.up ||
        keyed(sim.seed, MOVE, client.nameHash, input.epoch, 0) % 2 === 0
      ) {
        client.plane = plane;
        this.watch.kick(client);
      }
    }
  }

  private appendLands({
    plane,
    incarnation,
    append,
    epoch,
    commits,
  }: PlaneEventOf<"append-lands">): void {
    const { sim } = this;
    const isAwaited = plane.up && plane.incarnation === incarnation;
    const isFenced = sim.store.isFenced(epoch);
    if (!isAwaited) {
      // Its plane died meanwhile: chance decides whether the store had taken the batch already.
      const lands = keyed(sim.seed, ORPHAN, plane.nameHash, append, 0) % 2 === 0;
      if (lands && !isFenced) landBatch(sim, plane, commits);
      return;
    }
    const unknown = sim.injector.onAppend(plane, append, sim.nowMs);
    if (!isFenced && unknown?.landed !== false) landBatch(sim, plane, commits);
    if (sim.checks.violation !== undefined) return;
    const result = unknown !== undefined ? "unknown" : isFenced ? "fenced" : "durable";
    if (unknown !== undefined) {
      sim.trace?.say(
        plane.name,
        `append ${append} answered unknown; it ${unknown.landed && !isFenced ? "landed" : "did not land"}`,
      );
    }
    this.give(plane, { kind: "appended", result });
  }
}
