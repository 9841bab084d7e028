/**
 * Runs planes that share one log: all of them all the time. One leads; the others follow, show the
 * state they followed and pass requests on to the plane they take for the leader. Their use of the
 * store is in `lease-host.ts`, `follow-host.ts` and `append-host.ts`.
 */
import { Authority } from "../../core/commit/authority.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { AuthorityEffect, AuthorityInput, Request } from "../../core/kernel/component.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import { isGated, isReply, throughGate } from "../roles/roles-gate.ts";
import { AppendHost } from "./append-host.ts";
import type { ClientProcess } from "./client-process.ts";
import { FollowHost } from "./follow-host.ts";
import { holderOf, LeaseHost } from "./lease-host.ts";
import type { Link } from "./link.ts";
import type { Message } from "./message.ts";
import type { PlaneHosting, SharedLogFault } from "./plane-hosting.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import type { PlaneEvent, PlaneEventOf, LeadershipEvent } from "../sim-event.ts";
import { takeTurn } from "../take-turn.ts";
import type { WatchHost } from "./watch-host.ts";

const PASS_ON = hashText("pass-on-latency");
const PASS_BACK = hashText("pass-back-latency");

export class SharedPlaneHost implements PlaneHosting {
  private readonly sim: Sim;
  private readonly planes: readonly PlaneProcess[];
  private readonly clients: readonly ClientProcess[];
  private readonly watch: WatchHost;
  private readonly link: Link;
  private readonly lease: LeaseHost;
  private readonly follow: FollowHost;
  private readonly appends: AppendHost;

  constructor(of: {
    sim: Sim;
    planes: readonly PlaneProcess[];
    clients: readonly ClientProcess[];
    watch: WatchHost;
    link: Link;
  }) {
    const { sim, planes, watch } = of;
    this.sim = sim;
    this.planes = planes;
    this.clients = of.clients;
    this.watch = watch;
    this.link = of.link;
    const tell = (plane: PlaneProcess, inputs: readonly AuthorityInput[]): void => {
      for (const input of inputs) this.give(plane, input);
    };
    this.lease = new LeaseHost({ sim, planes, tell });
    this.follow = new FollowHost({ sim, planes, watch, tell });
    this.appends = new AppendHost({ sim, follow: this.follow, tell });
  }

  begin(): void {
    for (const plane of this.planes) this.start(plane);
  }

  private start(plane: PlaneProcess): void {
    plane.beginIncarnation();
    plane.component = new Authority({ name: plane.name });
    plane.epoch = 0;
    plane.published = 0;
    plane.hosted.shownFrom = 0;
    this.sim.trace?.say(plane.name, "started");
    this.give(plane, { kind: "started" });
  }

  private stop(plane: PlaneProcess): void {
    plane.up = false;
    plane.component = undefined;
    plane.isLoaded = false;
    plane.inHand.clear();
    plane.hosted.clear();
  }

  crash(plane: PlaneProcess, downMs: number): void {
    this.sim.trace?.say(plane.name, `crashed; back in ${downMs} ms`);
    this.stop(plane);
    this.sim.after(downMs, { kind: "restart-plane", plane, incarnation: plane.incarnation });
  }

  leader(): PlaneProcess | undefined {
    const { store } = this.sim;
    return this.planes.find(
      ({ component }) => component?.isLeading === true && !store.isFenced(component.epoch),
    );
  }

  /** All planes run all the time, and none takes the log from another whose lease lasts. */
  bringIn(): boolean {
    return false;
  }

  strike(fault: SharedLogFault, until: (forMs: number) => number): boolean {
    if (fault.fault === "compact-log") return this.compact(fault.keep);
    const plane = this.planes.find(({ name }) => name === fault.plane);
    if (plane === undefined || !plane.up || plane.hosted.isPaused) return false;
    const { sim } = this;
    const { hosted } = plane;
    switch (fault.fault) {
      case "cut-store":
        sim.trace?.say(plane.name, `cannot reach the store for ${fault.forMs} ms`);
        hosted.cutUntilMs = Math.max(hosted.cutUntilMs, until(fault.forMs));
        return true;
      case "stall-follower":
        sim.trace?.say(plane.name, `hears nothing of the log for ${fault.forMs} ms`);
        hosted.stalledUntilMs = Math.max(hosted.stalledUntilMs, until(fault.forMs));
        return true;
      case "pause-plane":
        sim.trace?.say(plane.name, `is paused for ${fault.forMs} ms`);
        hosted.isPaused = true;
        sim.queue.push(until(fault.forMs), {
          kind: "resume-plane",
          plane,
          pauses: ++hosted.pauses,
        });
        return true;
      case "restart-plane":
        this.restart(plane, fault.downMs);
        return true;
    }
  }

  /**
   * It was asked to stop: it gives up the lead if it can, so that no plane waits for its lease to
   * end.
   */
  private restart(plane: PlaneProcess, downMs: number): void {
    const { sim } = this;
    sim.trace?.say(plane.name, `stops; back in ${downMs} ms`);
    if (!this.lease.isCut(plane)) sim.store.resign(holderOf(plane));
    this.stop(plane);
    this.lease.sendWordToAll();
    sim.after(downMs, { kind: "restart-plane", plane, incarnation: plane.incarnation });
  }

  private compact(keep: number): boolean {
    const { sim } = this;
    const { store } = sim;
    const to = store.commits.length - keep;
    if (this.leader() === undefined || to <= store.compactedTo) return false;
    sim.trace?.say("world", `the log is dropped up to revision ${to}`);
    store.compact(to);
    return true;
  }

  windowEnds(): void {
    for (const plane of this.planes) {
      if (!plane.up || plane.hosted.isPaused) continue;
      this.lease.sendWord(plane);
      this.follow.wake(plane);
    }
  }

  heal(): void {
    for (const plane of this.planes) {
      plane.hosted.cutUntilMs = 0;
      plane.hosted.stalledUntilMs = 0;
      if (plane.hosted.isPaused) this.resume(plane);
      if (!plane.up) this.start(plane);
    }
    this.windowEnds();
  }

  /** The watch on the leader may be lost: a waiting plane asks once a second. */
  supervise(): void {
    for (const plane of this.planes) {
      if (plane.up && !plane.hosted.isPaused && !plane.hosted.standing.leads)
        this.lease.sendWord(plane);
    }
  }

  handle(event: PlaneEvent): void {
    const { plane } = event;
    switch (event.kind) {
      case "append-lands":
        return this.appends.lands(event);
      case "attempt-lands":
        return this.lease.attemptLands(event);
      case "renewal-lands":
        return this.lease.renewalLands(event);
      case "lease-ends":
        return this.lease.leaseEnds(event);
      case "resume-plane":
        if (plane.hosted.isPaused && plane.hosted.pauses === event.pauses) this.resume(plane);
        return undefined;
      case "restart-plane":
        if (!plane.up && plane.incarnation === event.incarnation) this.start(plane);
        return undefined;
      case "claim-lands":
      case "claimed":
        // No plane claims a shared log without asking for its leader.
        return undefined;
      case "serve-next":
        // Only a single plane has a bounded capacity.
        return undefined;
      default:
        if (!plane.hosted.isPaused) return this.live(event);
        plane.hosted.held.push(event);
        return this.sim.witness?.hold();
    }
  }

  private live(event: LeadershipEvent | PlaneEventOf<"request" | "list-asked">): void {
    const { plane } = event;
    if (event.kind === "request") return this.request(event);
    if (event.kind === "passed-on") return this.passedOn(event);
    if (event.kind === "list-asked") {
      this.lease.look(plane);
      return this.follow.list(event);
    }
    if (!plane.up || plane.incarnation !== event.incarnation) return undefined;
    switch (event.kind) {
      case "won":
        return this.lease.won(event);
      case "attempt-over":
        return this.lease.attemptOver(event);
      case "leader-heard":
        return this.lease.hear(plane);
      case "renewal-due":
        return this.lease.renew(event);
      case "renewed":
        return this.lease.renewed(event);
      case "lease-look":
        return this.lease.lookDue(event);
      case "news":
        return this.follow.news(event);
      case "append-answered":
        return this.appends.answered(event);
      case "passed-back":
        return this.link.respond(plane, event.call, event.reply);
    }
  }

  private resume(plane: PlaneProcess): void {
    this.sim.trace?.say(plane.name, "goes on after its pause");
    plane.hosted.isPaused = false;
    for (const event of plane.hosted.held.splice(0)) {
      this.sim.witness?.begin(event);
      this.handle(event);
    }
    for (const client of this.clients) if (client.plane === plane) this.watch.kick(client);
  }

  private request({ plane, message }: PlaneEventOf<"request">): void {
    if (!plane.up) {
      const text = `${message.label} reached no plane: ${plane.name} is down`;
      this.sim.trace?.say(message.client.name, text);
      return;
    }
    const call = this.link.arrive(plane, message);
    const { leader, standing } = plane.hosted;
    if (standing.leads || leader === undefined || leader === plane)
      this.check(plane, call, message);
    else this.passOn(plane, leader, { call, message });
  }

  private passOn(
    by: PlaneProcess,
    leader: PlaneProcess,
    { call, message }: { readonly call: number; readonly message: Message },
  ): void {
    const { sim } = this;
    if (sim.partitions.isCut(by, leader, sim.nowMs)) {
      sim.trace?.say(by.name, `could not pass ${message.label} on to ${leader.name}`);
      return;
    }
    const { client, labelHash, attempt } = message;
    const delay = between(keyed(sim.seed, PASS_ON, client.nameHash, labelHash, attempt), 1, 10);
    sim.after(delay, {
      kind: "passed-on",
      plane: leader,
      by,
      incarnation: by.incarnation,
      call,
      message,
    });
  }

  private passedOn({ plane, by, incarnation, call, message }: PlaneEventOf<"passed-on">): void {
    if (!plane.up) {
      // The plane there is down, so the request had no effect.
      this.sim.after(1, { kind: "passed-back", plane: by, incarnation, call, reply: UNAVAILABLE });
      return;
    }
    const own = this.link.arrive(plane, message);
    plane.hosted.passedOn.set(own, { by, incarnation, call });
    this.check(plane, own, message);
  }

  private check(plane: PlaneProcess, call: number, message: Message): void {
    if (this.sim.nowMs < this.sim.overloadedUntilMs) return this.answer(plane, call, UNAVAILABLE);
    // Roles, too, are asked of a plane that has heard first whether its lease has lapsed.
    if (isGated(message)) this.lease.look(plane);
    const request = throughGate(this.sim, plane, message);
    if (isReply(request)) this.answer(plane, call, request);
    else this.give(plane, { kind: "request", from: message.client.name, call, request });
  }

  private answer(plane: PlaneProcess, call: number, reply: Reply): void {
    const { sim } = this;
    sim.checks.answered(plane.name, reply);
    this.link.decided(plane, call, reply);
    const passed = plane.hosted.passedOn.get(call);
    if (passed === undefined) {
      this.link.respond(plane, call, reply);
      return;
    }
    plane.hosted.passedOn.delete(call);
    plane.inHand.delete(call);
    const { by, incarnation } = passed;
    if (sim.partitions.isCut(plane, by, sim.nowMs)) {
      sim.trace?.say(plane.name, `could not send an answer back to ${by.name}`);
      sim.witness?.lost("reply");
      return;
    }
    const delay = between(keyed(sim.seed, PASS_BACK, plane.nameHash, call, 0), 1, 10);
    sim.after(delay, { kind: "passed-back", plane: by, incarnation, call: passed.call, reply });
  }

  /**
   * The lease is checked before every turn, as a host does: the plane hears first that it has
   * lapsed.
   */
  submit(plane: PlaneProcess, request: Request, answered: (reply: Reply) => void): void {
    this.give(plane, plane.ownRequest(request, answered));
  }

  private give(plane: PlaneProcess, input: AuthorityInput): void {
    if (input.kind !== "lapsed") this.lease.look(plane);
    const effects = takeTurn(this.sim, plane, input);
    if (input.kind === "took-over") this.tookOver(plane, input);
    for (const effect of effects) this.carryOut(plane, effect);
    const epoch = plane.component?.epoch ?? 0;
    if (input.kind === "followed" && epoch > plane.epoch) plane.epoch = epoch;
  }

  private tookOver(plane: PlaneProcess, { epoch, end }: { epoch: number; end: number }): void {
    plane.epoch = epoch;
    this.sim.trace?.say(plane.name, `leads under epoch ${epoch} from revision ${end}`);
  }

  private carryOut(plane: PlaneProcess, effect: AuthorityEffect): void {
    switch (effect.kind) {
      case "claim":
        plane.hosted.standing.follow();
        // The batch it waited for may never land: the clients ask again.
        plane.hosted.lists.length = 0;
        this.follow.wake(plane);
        this.lease.sendWord(plane);
        break;
      case "append":
        this.appends.send(plane, effect);
        break;
      case "respond":
        if (plane.answersItself(effect.call, effect.reply)) break;
        this.answer(plane, effect.call, effect.reply);
        break;
      case "publish":
        this.sim.checks.shown(plane.name, effect.to);
        this.watch.publish(plane, effect.to);
        if (plane.hosted.lists.length > 0) this.follow.answerLists(plane);
        break;
      case "resigned":
        this.sim.trace?.say(plane.name, "resigned: another holds the log; it begins anew");
        this.stop(plane);
        this.start(plane);
        break;
    }
  }
}

const UNAVAILABLE: Reply = { kind: "unavailable" };
