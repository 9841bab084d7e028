/**
 * The protocol of the published runs: an empty cluster, pods one by one, nothing ever leaves, what
 * does not fit is dropped.
 */
import type { AskShape } from "../../src/core/propose/fleet/fleet.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";
import { Packer } from "../trace/packer.ts";
import type { Arrivals, OpenbPod } from "./openb-trace.ts";

export interface OpenbRun {
  /**
   * By per cent of all devices that had been asked for: the mean per cent that was allocated then.
   */
  readonly allocated: ReadonlyMap<number, number>;
  readonly placed: number;
  readonly dropped: number;
}

/**
 * A policy that has to be told what will come is given the shapes of all pods; an honest one
 * ignores them.
 */
export type MakePolicy = (told: readonly AskShape[]) => ScoringPolicy;

export function runOpenb({ pods, nodes }: Arrivals, makePolicy: MakePolicy): OpenbRun {
  const models = [...new Set(nodes.map(({ model }) => model))];
  const shapes = shapesOf(pods, models);
  const policy = makePolicy(shapes);
  const packer = new Packer(
    nodes.map((node) => ({ ...node, kind: models.indexOf(node.model) })),
    policy,
  );
  const curve = new Curve(packer.fleet.unitKind.length * 1000);
  let dropped = 0;
  for (const shape of shapes) {
    const millis = shape.units * shape.unitMillis;
    policy.arrived(shape);
    const isPlaced = packer.place(shape) !== undefined;
    if (!isPlaced) dropped += 1;
    curve.add(millis, isPlaced ? millis : 0);
  }
  return { allocated: curve.means(), placed: shapes.length - dropped, dropped };
}

/** In the order of the pods; equal ones are the same object. */
function shapesOf(pods: readonly OpenbPod[], models: readonly string[]): readonly AskShape[] {
  const known = new Map<string, AskShape>();
  return pods.map((pod) => {
    const name = [pod.cpuMillis, pod.memoryMiB, pod.devices, pod.deviceMillis, ...pod.models].join(
      " ",
    );
    const shape = known.get(name) ?? shapeOf(pod, models);
    known.set(name, shape);
    return shape;
  });
}

const shapeOf = (pod: OpenbPod, models: readonly string[]): AskShape => ({
  cpuMillis: pod.cpuMillis,
  memoryMiB: pod.memoryMiB,
  units: pod.devices,
  unitMillis: pod.deviceMillis,
  kinds:
    pod.models.length === 0
      ? undefined
      : Uint8Array.from(models, (model) => (pod.models.includes(model) ? 1 : 0)),
});

/** What was allocated when so much had been asked for; several pods share a per cent. */
class Curve {
  private readonly capacity: number;
  private readonly sums = new Map<number, { sum: number; count: number }>();
  private arrived = 0;
  private allocated = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  add(arrived: number, allocated: number): void {
    this.arrived += arrived;
    this.allocated += allocated;
    const at = Math.round((100 * this.arrived) / this.capacity);
    const entry = this.sums.get(at) ?? { sum: 0, count: 0 };
    // Rounded to hundredths one by one, as the published values are.
    entry.sum += Math.round((10_000 * this.allocated) / this.capacity) / 100;
    entry.count += 1;
    this.sums.set(at, entry);
  }

  means(): ReadonlyMap<number, number> {
    return new Map([...this.sums].map(([at, { sum, count }]) => [at, sum / count]));
  }
}
