/**
 * How evenly a workload would stand once all it has outside the regions of its objective is lost
 * and its reserve is used. Room in a place that would then be too far ahead of another is no
 * reserve: no replica could be bound to it (PR1).
 */
import { STATIC_RULES } from "../feasibility/feasibility.ts";
import type { Misfit } from "../feasibility/misfit.ts";
import type { Node, Replica, Topology } from "../../model/objects.ts";
import { domainOf } from "../../model/topology.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { spreadInForce } from "../../observe/policy-in-force.ts";

interface HardSpread {
  readonly by: Topology;
  readonly maxSkew: number;
  /** Replicas and kept rooms by place, in the regions of the objective. */
  readonly counts: Map<string, number>;
}

export class SpareSpread {
  private readonly objects: ObjectIndex;
  private readonly replica: Replica;
  private readonly rules: readonly HardSpread[];
  /** By the places of a node; what is noted may lift a verdict and make another. */
  private readonly verdicts = new Map<string, Misfit | undefined>();

  /** `replica` stands for whichever needs the room, and asks for the regions of the objective. */
  constructor(objects: ObjectIndex, replica: Replica) {
    this.objects = objects;
    this.replica = replica;
    const { template } = replica.spec;
    // Its own regions are those of the objective; which policy it is under depends on those of its
    // workload.
    const own = objects.workload(workloadOf(replica))?.spec.template ?? template;
    const spread = template.spread.length > 0 ? template.spread : spreadInForce(objects, own);
    this.rules = spread
      .filter(({ soft }) => soft !== true)
      .map(({ by, maxSkew }) => ({ by, maxSkew, counts: new Map() }));
    if (this.rules.length > 0) this.countSiblings();
  }

  /** One more is there, or kept there. */
  note(node: Node): void {
    if (this.rules.length === 0) return;
    this.verdicts.clear();
    for (const { by, counts } of this.rules) {
      const place = domainOf(node, by);
      if (place !== undefined) counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }

  /** Undefined: one more there is not too many. */
  misfit(node: Node): Misfit | undefined {
    if (this.rules.length === 0) return undefined;
    const places = this.rules.map(({ by }) => domainOf(node, by) ?? "").join("\n");
    if (!this.verdicts.has(places)) this.verdicts.set(places, this.check(node));
    const verdict = this.verdicts.get(places);
    return verdict && { ...verdict, node: node.key };
  }

  private check(node: Node): Misfit | undefined {
    for (const rule of this.rules) {
      const { by, maxSkew, counts } = rule;
      const place = domainOf(node, by);
      const after = place === undefined ? maxSkew + 1 : (counts.get(place) ?? 0) + 1;
      if (place !== undefined && !this.isAnyBelow(rule, after - maxSkew)) continue;
      return {
        code: "too-uneven",
        node: node.key,
        what: by,
        expected: `at most ${maxSkew} above the lowest count`,
        actual: after,
      };
    }
    return undefined;
  }

  /**
   * Whether a place that could take a replica, but for room, has fewer. Only those that have are
   * looked at closely.
   */
  private isAnyBelow({ by, counts }: HardSpread, least: number): boolean {
    if (least <= 0) return false;
    const { ask } = this.replica.spec.template;
    const isOpen = (node: Node): boolean => {
      const candidate = { node, use: this.objects.useOf(node.meta.name) };
      return STATIC_RULES.every((rule) => rule.check(candidate, ask) === undefined);
    };
    for (const node of this.objects.all("Node").values()) {
      const place = domainOf(node, by);
      if (place === undefined || (counts.get(place) ?? 0) >= least) continue;
      if (isOpen(node)) return true;
    }
    return false;
  }

  private countSiblings(): void {
    const { workloadUid, generation, template } = this.replica.spec;
    for (const { spec, status } of this.objects.replicasOf(workloadOf(this.replica)).values()) {
      if (spec.workloadUid !== workloadUid || spec.generation !== generation) continue;
      const node = this.objects.nodeNamed(status.node ?? "");
      if (node !== undefined && template.ask.regions.includes(node.spec.region)) this.note(node);
    }
  }
}
