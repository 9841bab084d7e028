/**
 * Appends of planes that share the log: a batch travels to the store and its answer back, and
 * either may be lost, late, or delayed until the end of a partition. The store decides in the
 * moment of arrival whether the batch lands and whether its epoch still holds.
 */
import type { AuthorityEffect, AuthorityInput } from "../../core/kernel/component.ts";
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { FollowHost } from "./follow-host.ts";
import { landBatch } from "./land-batch.ts";
import type { PlaneProcess } from "./plane-process.ts";
import type { Sim } from "../sim.ts";
import type { PlaneEvent, PlaneEventOf } from "../sim-event.ts";

const OUT = hashText("shared-append-latency");
const BACK = hashText("shared-append-answer-latency");
const KEPT = hashText("kept-by-the-network");
const ORPHAN = hashText("orphaned-append-lands");

/**
 * After this long without an answer, the plane cannot know whether a batch landed. As long as a
 * lease lasts.
 */
const APPEND_PATIENCE_MS = 5_000;

type Append = Extract<AuthorityEffect, { readonly kind: "append" }>;

export class AppendHost {
  private readonly sim: Sim;
  private readonly follow: FollowHost;
  private readonly tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;

  constructor(of: {
    sim: Sim;
    follow: FollowHost;
    tell: (plane: PlaneProcess, inputs: readonly AuthorityInput[]) => void;
  }) {
    this.sim = of.sim;
    this.follow = of.follow;
    this.tell = of.tell;
  }

  send(plane: PlaneProcess, { epoch, commits }: Append): void {
    const { sim } = this;
    const { incarnation } = plane;
    const append = ++plane.appends;
    plane.hosted.unanswered.add(append);
    plane.hosted.sentTo = commits.at(-1)?.revision ?? 0;
    const delay = between(keyed(sim.seed, OUT, plane.nameHash, append, 0), 1, 2);
    const late = sim.injector.onLateAppend(plane, append, sim.nowMs);
    const lands = { kind: "append-lands", plane, incarnation, append, epoch, commits } as const;
    sim.after(delay + (late?.byMs ?? 0), lands);
    const unknown = {
      kind: "append-answered",
      plane,
      incarnation,
      append,
      epoch,
      result: "unknown",
    } as const;
    if (late === undefined) sim.after(APPEND_PATIENCE_MS, unknown);
    else {
      sim.trace?.say(plane.name, `append ${append} answered unknown; it is ${late.byMs} ms late`);
      sim.after(delay, unknown);
    }
  }

  lands(event: PlaneEventOf<"append-lands">): void {
    const { sim } = this;
    const { plane, incarnation, append, epoch, commits, wasKept } = event;
    const { cutUntilMs } = plane.hosted;
    const isDead = !plane.up || plane.incarnation !== incarnation;
    const isKept = keyed(sim.seed, KEPT, plane.nameHash, append, 0) % 2 === 0;
    if (cutUntilMs > sim.nowMs) {
      if (isKept && wasKept !== true) this.keep(plane, { ...event, wasKept: true });
      return;
    }
    // Its plane died meanwhile: chance decides whether the network had taken the batch already.
    if (isDead && keyed(sim.seed, ORPHAN, plane.nameHash, append, 0) % 2 !== 0) return;
    const isFenced = sim.store.isFenced(epoch);
    const unknown = isDead ? undefined : sim.injector.onAppend(plane, append, sim.nowMs);
    const isLanding = !isFenced && unknown?.landed !== false;
    if (isLanding) landBatch(sim, plane, commits);
    const isAwaited = !isDead && plane.hosted.unanswered.has(append);
    if (!isAwaited || wasKept === true || unknown !== undefined) {
      const what = isLanding ? "landed" : "did not land";
      sim.trace?.say(plane.name, `append ${append} ${what}${isFenced ? ": it was fenced" : ""}`);
    }
    if (isLanding) this.follow.wakeAll();
    const result = unknown !== undefined ? "unknown" : isFenced ? "fenced" : "durable";
    const delay = between(keyed(sim.seed, BACK, plane.nameHash, append, 0), 1, 2);
    sim.after(delay, { kind: "append-answered", plane, incarnation, append, epoch, result });
  }

  answered(event: PlaneEventOf<"append-answered">): void {
    const { sim } = this;
    const { plane, append, epoch, result } = event;
    const { unanswered, cutUntilMs } = plane.hosted;
    if (!unanswered.has(append)) return;
    // During a partition the plane cannot hear the store's answer, which may come after it; the
    // plane measures a timeout itself.
    if (cutUntilMs > sim.nowMs && result !== "unknown") {
      if (keyed(sim.seed, KEPT, plane.nameHash, append, 1) % 2 === 0) this.keep(plane, event);
      return;
    }
    unanswered.delete(append);
    this.tell(plane, [{ kind: "appended", result, epoch }]);
  }

  private keep(plane: PlaneProcess, event: PlaneEvent & { readonly append: number }): void {
    const { sim } = this;
    const draw = keyed(sim.seed, KEPT, plane.nameHash, event.append, 2);
    sim.queue.push(plane.hosted.cutUntilMs + between(draw, 1, 40), event);
  }
}
