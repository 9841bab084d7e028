/** First come, first served, without backfill: the baseline for the product's queue. */
import { type AskShape, WHOLE_UNIT } from "../../src/core/propose/fleet/fleet.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";
import { Packer, type Placement } from "../trace/packer.ts";
import { type GangScheduler, type GangWorld, nodeName, partsOf } from "./gang-scheduler.ts";
import type { Job } from "./philly-trace.ts";

export class FifoScheduler implements GangScheduler {
  private readonly world: GangWorld;
  private readonly policy: ScoringPolicy;
  private readonly packer: Packer;
  private readonly shapes = new Map<number, AskShape>();
  private readonly line = new Set<Job>();
  private readonly places = new Map<number, readonly Placement[]>();

  constructor(world: GangWorld, policy: ScoringPolicy) {
    this.world = world;
    this.policy = policy;
    const nodes = Array.from({ length: world.nodes }, (_, at) => ({
      name: nodeName(at),
      cpuMillis: 0,
      memoryMiB: 0,
      devices: world.devicesEach,
      kind: 0,
    }));
    this.packer = new Packer(nodes, policy);
  }

  submit(job: Job): void {
    const { count, each } = partsOf(job.devices, this.world.devicesEach);
    for (let part = 0; part < count; part += 1) this.policy.arrived(this.shapeOf(each));
    this.line.add(job);
  }

  leave(job: Job): void {
    for (const place of this.places.get(job.id) ?? []) this.packer.giveBack(place);
    this.places.delete(job.id);
  }

  takeTurn(): readonly Job[] {
    const started: Job[] = [];
    for (const job of this.line) {
      const places = this.placesFor(job);
      if (places === undefined) break;
      this.places.set(job.id, places);
      this.line.delete(job);
      started.push(job);
    }
    return started;
  }

  private placesFor(job: Job): readonly Placement[] | undefined {
    const { count, each } = partsOf(job.devices, this.world.devicesEach);
    const places: Placement[] = [];
    while (places.length < count) {
      const place = this.packer.place(this.shapeOf(each));
      if (place === undefined) {
        for (const taken of places) this.packer.giveBack(taken);
        return undefined;
      }
      places.push(place);
    }
    return places;
  }

  private shapeOf(units: number): AskShape {
    let shape = this.shapes.get(units);
    if (shape === undefined) {
      shape = { cpuMillis: 0, memoryMiB: 0, kinds: undefined, units, unitMillis: WHOLE_UNIT };
      this.shapes.set(units, shape);
    }
    return shape;
  }
}
