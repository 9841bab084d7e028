/**
 * The scheduler's own columns and ask classes with nothing around them: asks are placed by a policy
 * the moment they come and give back what they took when they go. What a trace is played against.
 */
import { AskClass } from "../../src/core/propose/fleet/ask-class.ts";
import type { NodeChecks } from "../../src/core/propose/fleet/check-nodes.ts";
import { type AskShape, Fleet, type Row } from "../../src/core/propose/fleet/fleet.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";

export interface TraceNode {
  readonly name: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly devices: number;
  /** Interned model of its devices. */
  readonly kind: number;
}

export interface Placement {
  readonly row: number;
  readonly shape: AskShape;
  readonly units: readonly number[];
}

/** Nodes are alike but for what they have. */
const NO_RULES: NodeChecks = {
  turnsAway: () => undefined,
  holdsBack: () => undefined,
  points: () => 0,
  domain: () => undefined,
};

/** What the published openb cluster allows; no trace comes near it. */
const REPLICAS_A_NODE = 1_001;

export class Packer {
  readonly fleet: Fleet;
  private readonly policy: ScoringPolicy;
  private readonly classes = new Map<AskShape, AskClass>();

  /** `nodes` in the order in which ties are broken. */
  constructor(nodes: readonly TraceNode[], policy: ScoringPolicy) {
    this.fleet = new Fleet(nodes.map(rowOf));
    this.policy = policy;
  }

  /**
   * One more ask of this shape; equal asks come as the same object. Undefined when it fits nowhere.
   */
  place(shape: AskShape): Placement | undefined {
    const best = this.classOf(shape).best();
    if (best === undefined) return undefined;
    const units = this.policy.units(this.fleet, best.row, shape);
    this.fleet.take(best.row, shape, units, 1);
    return { row: best.row, shape, units };
  }

  giveBack({ row, shape, units }: Placement): void {
    this.fleet.take(row, shape, units, -1);
  }

  private classOf(shape: AskShape): AskClass {
    let known = this.classes.get(shape);
    if (known === undefined) {
      const { fleet, policy } = this;
      known = new AskClass({ fleet, policy, shape, check: NO_RULES, rules: [] });
      this.classes.set(shape, known);
    }
    return known;
  }
}

const rowOf = ({ name, cpuMillis, memoryMiB, devices, kind }: TraceNode): Row => ({
  name,
  cpuMillis,
  memoryMiB,
  cpuUsedMillis: 0,
  memoryUsedMiB: 0,
  replicasLeft: REPLICAS_A_NODE,
  deviceMillisLeft: devices * 1000,
  units: Array.from({ length: devices }, (_, at) => ({ id: `${name}-${at}`, kind, usedMillis: 0 })),
});
