/**
 * Leader election where several planes share the log: attempts, the lease and its renewals, as a
 * store with leases has them. The store counts a lease from the arrival of a renewal, the plane
 * from its sending, each by its own clock.
 */
import { LEASE_MS, reliableUntil, RENEW_MS } from "../../core/commit/plane-standing.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { AuthorityInput } from "../../core/kernel/component.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import type { PlaneEvent, PlaneEventOf } from "../sim-event.ts";

const ATTEMPT = hashText("lead-attempt-latency");
const ANSWER = hashText("lead-answer-latency");
const RENEWAL = hashText("renewal-latency");
const HEARD = hashText("leader-heard-latency");

/** An attempt without an answer is repeated after this long. */
const ATTEMPT_PATIENCE_MS = 2_000;
/**
 * How often the store looks for expired leases, as etcd does: a lease may outlive its time by this.
 */
const EXPIRY_MS = 500;

/**
 * One incarnation of a plane is one session with the store: the next one also has to wait for the
 * end of its lease.
 */
export const holderOf = (plane: PlaneProcess, incarnation = plane.incarnation): string =>
  `${plane.name}/${incarnation}`;

export class LeaseHost {
  private readonly sim: Sim;
  private readonly planes: readonly PlaneProcess[];
  private readonly tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;
  /** Holders whose lease the store watches. */
  private readonly watched = new Set<string>();
  private heard = 0;

  constructor(of: {
    sim: Sim;
    planes: readonly PlaneProcess[];
    tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;
  }) {
    this.sim = of.sim;
    this.planes = of.planes;
    this.tell = of.tell;
  }

  isCut({ hosted }: PlaneProcess): boolean {
    return hosted.cutUntilMs > this.sim.nowMs;
  }

  /** News of the leader is on its way to the plane; it runs for leader itself if there is none. */
  sendWord(plane: PlaneProcess): void {
    if (!plane.up) return;
    const { sim } = this;
    const draw = keyed(sim.seed, HEARD, plane.nameHash, ++this.heard, 0);
    sim.after(between(draw, 1, 30), {
      kind: "leader-heard",
      plane,
      incarnation: plane.incarnation,
    });
  }

  sendWordToAll(): void {
    for (const plane of this.planes) this.sendWord(plane);
  }

  hear(plane: PlaneProcess): void {
    if (this.isCut(plane)) return;
    const { leadership } = this.sim.store;
    const name = leadership?.holder.split("/")[0];
    plane.hosted.leader = this.planes.find((each) => each.name === name);
    if (leadership === undefined || leadership.holder === holderOf(plane)) this.tryToLead(plane);
  }

  private tryToLead(plane: PlaneProcess): void {
    const { hosted, incarnation } = plane;
    const { standing } = hosted;
    if (standing.leads || standing.term !== undefined || hosted.attempt !== 0) return;
    const { sim } = this;
    const attempt = ++hosted.attempts;
    hosted.attempt = attempt;
    const sentMs = plane.clock.read(sim.nowMs);
    const delay = between(keyed(sim.seed, ATTEMPT, plane.nameHash, attempt, 0), 1, 3);
    sim.after(delay, { kind: "attempt-lands", plane, incarnation, attempt, sentMs });
    sim.after(ATTEMPT_PATIENCE_MS, { kind: "attempt-over", plane, incarnation, attempt });
  }

  attemptLands({ plane, incarnation, attempt, sentMs }: PlaneEventOf<"attempt-lands">): void {
    const { sim } = this;
    if (this.isCut(plane)) return;
    const holder = holderOf(plane, incarnation);
    const won = sim.store.lead(holder, sim.nowMs + LEASE_MS);
    const back = between(keyed(sim.seed, ANSWER, plane.nameHash, attempt, 0), 1, 3);
    if (won === undefined) {
      sim.after(back, { kind: "attempt-over", plane, incarnation, attempt });
      return;
    }
    sim.trace?.say(
      plane.name,
      `was given the log under epoch ${won.epoch}, at revision ${won.end}`,
    );
    sim.checks.claimed(plane.name, won.epoch);
    this.watchLease(plane, incarnation);
    sim.after(back, { kind: "won", plane, incarnation, attempt, sentMs, won });
    this.sendWordToAll();
  }

  attemptOver({ plane, attempt }: PlaneEventOf<"attempt-over">): void {
    if (plane.hosted.attempt !== attempt) return;
    plane.hosted.attempt = 0;
    this.sendWord(plane);
  }

  won({ plane, attempt, sentMs, won }: PlaneEventOf<"won">): void {
    const { hosted, incarnation } = plane;
    if (hosted.attempt !== attempt || this.isCut(plane)) return;
    const { sim } = this;
    hosted.attempt = 0;
    this.tell(plane, hosted.standing.wins(won, reliableUntil(sentMs), plane.clock.read(sim.nowMs)));
    const { epoch } = won;
    this.queueOwn(plane, sentMs + RENEW_MS, { kind: "renewal-due", plane, incarnation, epoch });
    this.queueOwn(plane, hosted.standing.untilMs, {
      kind: "lease-look",
      plane,
      incarnation,
      epoch,
    });
  }

  renew({ plane, epoch }: PlaneEventOf<"renewal-due">): void {
    const { hosted, incarnation } = plane;
    if (hosted.standing.term !== epoch) return;
    const { sim } = this;
    const renewal = ++hosted.renewals;
    const sentMs = plane.clock.read(sim.nowMs);
    const delay = between(keyed(sim.seed, RENEWAL, plane.nameHash, renewal, 0), 1, 3);
    const late = sim.injector.onRenewal(plane, renewal, sim.nowMs)?.byMs ?? 0;
    if (late > 0) sim.trace?.say(plane.name, `renewal ${renewal} is ${late} ms late`);
    sim.after(delay + late, { kind: "renewal-lands", plane, incarnation, epoch, sentMs });
    this.queueOwn(plane, sentMs + RENEW_MS, { kind: "renewal-due", plane, incarnation, epoch });
  }

  renewalLands({ plane, incarnation, epoch, sentMs }: PlaneEventOf<"renewal-lands">): void {
    const { sim } = this;
    if (this.isCut(plane)) return;
    const granted = sim.store.renew(holderOf(plane, incarnation), sim.nowMs + LEASE_MS);
    const draw = keyed(sim.seed, RENEWAL, plane.nameHash, plane.hosted.renewals, 1);
    sim.after(between(draw, 1, 3), { kind: "renewed", plane, incarnation, epoch, sentMs, granted });
  }

  renewed({ plane, epoch, sentMs, granted }: PlaneEventOf<"renewed">): void {
    const { standing } = plane.hosted;
    if (standing.term !== epoch || this.isCut(plane)) return;
    // Answers to renewals may arrive out of order.
    if (granted) standing.reliesUntil(Math.max(standing.untilMs, reliableUntil(sentMs)));
    else {
      standing.reliesUntil(0);
      this.look(plane);
    }
  }

  lookDue({ plane, epoch }: PlaneEventOf<"lease-look">): void {
    const { hosted, incarnation } = plane;
    if (hosted.standing.term !== epoch) return;
    this.look(plane);
    if (hosted.standing.term !== epoch) return;
    this.queueOwn(plane, hosted.standing.untilMs, {
      kind: "lease-look",
      plane,
      incarnation,
      epoch,
    });
  }

  /** Whether the lease may be over by now; the authority hears of it first. */
  look(plane: PlaneProcess): void {
    const { sim } = this;
    const { standing } = plane.hosted;
    if (standing.term === undefined && !standing.leads) return;
    const lapsed = standing.lapses(plane.clock.read(sim.nowMs));
    if (standing.term !== undefined) return;
    if (lapsed.length > 0) sim.trace?.say(plane.name, "does not rely on its lease any more");
    this.tell(plane, lapsed);
    this.sendWord(plane);
  }

  /** The store ends the lease of a session that was not renewed. */
  leaseEnds({ plane, incarnation }: PlaneEventOf<"lease-ends">): void {
    const { sim } = this;
    const { store } = sim;
    const holder = holderOf(plane, incarnation);
    if (store.leadership?.holder !== holder) {
      this.watched.delete(holder);
      return;
    }
    if (!store.expire(sim.nowMs)) {
      this.queueExpiry(plane, incarnation);
      return;
    }
    this.watched.delete(holder);
    sim.trace?.say(plane.name, "its lease is over in the store");
    this.sendWordToAll();
  }

  private watchLease(plane: PlaneProcess, incarnation: number): void {
    const holder = holderOf(plane, incarnation);
    if (this.watched.has(holder)) return;
    this.watched.add(holder);
    this.queueExpiry(plane, incarnation);
  }

  private queueExpiry(plane: PlaneProcess, incarnation: number): void {
    const endsMs = this.sim.store.leadership?.endsMs ?? this.sim.nowMs;
    const lookMs = (Math.floor(endsMs / EXPIRY_MS) + 1) * EXPIRY_MS;
    this.sim.queue.push(lookMs, { kind: "lease-ends", plane, incarnation });
  }

  /**
   * At a time of the plane's own clock, as that clock runs now; time passes for every component.
   */
  private queueOwn(plane: PlaneProcess, ownMs: number, event: PlaneEvent): void {
    const dueMs = Math.max(this.sim.nowMs + 1, plane.clock.trueTimeOf(ownMs));
    this.sim.queue.push(dueMs, event);
  }
}
