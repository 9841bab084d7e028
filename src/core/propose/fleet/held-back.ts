/**
 * Nodes that fit and are left alone all the same, for a while: those the authority refused for a
 * reason the view does not show yet, and those that are kept for somebody who waited too long. Ask
 * classes remember what they were told of a row, so whenever the answer for a node may be another,
 * they are told to ask anew.
 */
import type { Revision } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import {
  keptForAnother,
  refusedLately,
  rejectedLately,
} from "../../rules/obstacles/held-back-rules.ts";
import { type Claim, type Keeper, KeptNodes } from "../queue/kept-nodes.ts";
import { AvoidedNodes } from "./avoided-nodes.ts";

type WhyEvenOwner = typeof refusedLately.name | typeof rejectedLately.name;

export class HeldBack {
  readonly kept = new KeptNodes();
  readonly avoided = new AvoidedNodes();
  private readonly askAnew: (node: string) => void;
  /**
   * Nodes the authority refused for a reason our view does not show, and the revision that will.
   */
  private readonly shunned = new Map<string, Revision>();
  /** The workload whose look it is; before the first look nothing is kept from anybody. */
  private looker: Keeper | undefined;

  constructor(askAnew: (node: string) => void) {
    this.askAnew = askAnew;
  }

  why(node: string): string | undefined {
    const refused = this.whyEvenOwner(node);
    if (refused !== undefined) return refused;
    if (this.kept.isEmpty || this.looker === undefined) return undefined;
    return this.kept.isKeptFrom(node, this.looker) ? keptForAnother.name : undefined;
  }

  /**
   * For whom room is held there: no other replica can have it, so it is of no use to keep the node
   * from that one.
   */
  whyEvenOwner(node: string): WhyEvenOwner | undefined {
    if (this.shunned.size > 0 && this.shunned.has(node)) return refusedLately.name;
    if (this.avoided.isEmpty || this.looker === undefined) return undefined;
    return this.avoided.isAvoided(this.looker.workload, node) ? rejectedLately.name : undefined;
  }

  /** What these have met at nodes keeps their whole workload away from there for a while. */
  avoid(workload: Keeper["workload"], replicas: readonly Replica[], nowMs: number): void {
    for (const node of this.avoided.expire(nowMs)) this.askAnew(node);
    for (const node of this.avoided.note(workload, replicas, nowMs)) this.askAnew(node);
  }

  /** What a look sees depends on whose it is. */
  lookFor(looker: Keeper, nowMs: number): void {
    for (const node of this.kept.expire(nowMs)) this.askAnew(node);
    const was = this.looker;
    this.looker = looker;
    if (was?.workload !== looker.workload && !this.avoided.isEmpty) {
      for (const node of this.avoided.nodesOf(looker.workload)) this.askAnew(node);
      if (was !== undefined)
        for (const node of this.avoided.nodesOf(was.workload)) this.askAnew(node);
    }
    if (was?.workload === looker.workload && was.priority === looker.priority) return;
    for (const node of this.kept.nodes()) this.askAnew(node);
  }

  keep(node: string, claim: Claim, nowMs: number): void {
    this.kept.keep(node, claim, nowMs);
    this.askAnew(node);
  }

  release(workload: Keeper["workload"]): void {
    for (const node of this.kept.release(workload)) this.askAnew(node);
  }

  shun(node: string, until: Revision): void {
    if ((this.shunned.get(node) ?? 0) >= until) return;
    this.shunned.set(node, until);
    this.askAnew(node);
  }

  /** Lifts what the view has caught up with. */
  liftShunned(revision: Revision): void {
    for (const [node, until] of this.shunned) {
      if (until > revision) continue;
      this.shunned.delete(node);
      this.askAnew(node);
    }
  }
}
