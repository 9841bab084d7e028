/**
 * One plane of several with all that is its own: log, machines, controllers, people, faults. It is
 * a run of its own; what joins it to others goes through its queue, as every event does.
 */
import { finish, hashText, mix } from "../../core/kernel/keyed-hash.ts";
import { createCheckers } from "../check/all-checkers.ts";
import type { Checker } from "../check/checker.ts";
import { Engine } from "../engine.ts";
import type { RunOptions } from "../report/run-result.ts";
import type { Sim } from "../sim.ts";
import type { Staging } from "../staging.ts";
import type { World } from "../world/world.ts";

export class Estate {
  readonly name: string;
  readonly world: World;
  /** What its host says it is; a restore gives it a larger one. */
  incarnation = 1;
  /** It is gone with all its machines, and never comes back. */
  isLost = false;
  engine: Engine;
  private readonly options: RunOptions;
  private readonly watcher: Checker;

  /** `watcher` is told of everything that happens here, as the checkers of one plane are. */
  constructor(name: string, options: RunOptions, watcher: Checker) {
    this.name = name;
    this.world = options.world;
    this.options = { ...options, seed: ownSeed(options.seed, name) };
    this.watcher = watcher;
    this.engine = this.build();
  }

  get sim(): Sim {
    return this.engine.sim;
  }

  /** Another run takes its place, which `staging` begins. */
  replace(staging: Staging): void {
    this.engine = this.build(staging);
  }

  /** Something happens here; in the same millisecond it comes after all that waits already. */
  at(atMs: number, act: () => void): void {
    this.sim.queue.push(atMs, { kind: "scene", act });
  }

  private build(staging?: Staging): Engine {
    const checkers = [this.watcher, ...createCheckers(this.world)];
    return new Engine(this.options, checkers, undefined, staging);
  }
}

/** One run in a few goes on after it has settled, by its seed: all planes of a run or none. */
const ALIKE = 8;

const ownSeed = (seed: number, name: string): number =>
  (finish(mix(seed, hashText(name))) >>> 3) * ALIKE + (seed % ALIKE);
