/**
 * The loop of a simulated run: takes the next event, passes it to its host, and stops at the first
 * violation. Two phases: during faults it demands only safety; then everything heals and the world
 * must settle.
 */
import type { Cast } from "./world/cast.ts";
import type { Checker } from "./check/checker.ts";
import { isAtRest } from "./check/liveness/progress.ts";
import { ClientHost } from "./hosts/client-host.ts";
import { FaultHost } from "./hosts/fault-host.ts";
import { gatherBeliefs } from "./report/gather-beliefs.ts";
import { Link } from "./hosts/link.ts";
import { attackOver } from "./hostile/attack.ts";
import { NodeHost } from "./hosts/node-host.ts";
import { PlaneHost } from "./hosts/plane-host.ts";
import type { PlaneHosting } from "./hosts/plane-hosting.ts";
import { RecoveryTally } from "./report/recovery-tally.ts";
import type { RunOptions, RunResult } from "./report/run-result.ts";
import { isScheduled } from "./faults/scheduled-faults.ts";
import { SharedPlaneHost } from "./hosts/shared-plane-host.ts";
import { Sim } from "./sim.ts";
import type { Staging } from "./staging.ts";
import type { SimEvent } from "./sim-event.ts";
import { User } from "./world/user.ts";
import { WatchHost } from "./hosts/watch-host.ts";
import { WORLD_STAGING } from "./world/world-staging.ts";

/** How often hosts check on their components: short compared with every timeout. */
const SWEEP_MS = 1_000;
/** One stream in this many gets a bookmark at each sweep, so each gets one every five seconds. */
const BOOKMARK_SWEEPS = 5;
const SAMPLE_MS = 5_000;
/**
 * One run in this many goes on after the world has settled: it must stay so, and views must
 * converge.
 */
const LINGER_EVERY = 8;

export interface RunWork {
  /** Inputs that components received. */
  readonly turns: number;
  /** Of them, those that a watch brought. */
  readonly deliveries: number;
  readonly commits: number;
  /** How often a checker was asked about a commit, a request, a decision, a view or a sample. */
  readonly checks: number;
}

export class Engine {
  readonly sim: Sim;
  readonly planes: PlaneHosting;
  readonly watch: WatchHost;
  private readonly cast: Cast;
  private readonly clients: ClientHost;
  private readonly nodes: NodeHost;
  private readonly faults: FaultHost;
  private readonly tally: RecoveryTally;
  private readonly staging: Staging;
  /** At the last sample the world had settled, or its time was up. */
  isOver = false;
  private sweeps = 0;

  constructor(
    options: RunOptions,
    checkers: readonly Checker[],
    tally: RecoveryTally = new RecoveryTally(),
    staging: Staging = WORLD_STAGING,
  ) {
    const sim = new Sim(options, [...checkers, tally]);
    this.tally = tally;
    this.staging = staging;
    this.sim = sim;
    this.cast = staging.cast(sim);
    const { planes, clients } = this.cast;
    const watch = new WatchHost(sim, planes);
    const link = new Link(sim, watch);
    this.watch = watch;
    this.nodes = new NodeHost(sim, () => this.clients);
    this.cast.provider.switchOff = (machine) => this.nodes.switchOff(machine);
    this.clients = new ClientHost({ sim, watch, link, machines: this.nodes });
    const parts = { sim, planes, clients, watch, link };
    const isShared = (options.world.planes ?? 1) > 1;
    this.planes = isShared ? new SharedPlaneHost(parts) : new PlaneHost(parts);
    const hosts = { planes: this.planes, clients: this.clients, nodes: this.nodes, watch };
    this.faults = new FaultHost({ sim, planes, clients, hosts });
  }

  /** What the run has taken so far, counted: a busy machine does not change it. */
  get work(): RunWork {
    const { turns, deliveries, store, checks } = this.sim;
    return { turns, deliveries, commits: store.commits.length, checks: checks.calls };
  }

  run(): RunResult {
    this.begin();
    const { sim } = this;
    const { checks } = sim;
    while (!this.isOver && checks.violation === undefined && sim.turns < sim.maxTurns) {
      if (!this.step()) break;
    }
    if (this.isOver && checks.violation === undefined) checks.atEnd();
    return this.tell();
  }

  /** The next event happens; false: there is none. */
  step(): boolean {
    const { sim } = this;
    const { queue, truth } = sim;
    sim.nowMs = queue.nextMs;
    truth.nowMs = sim.nowMs;
    const event = queue.pop();
    if (event === undefined) return false;
    sim.witness?.begin(event);
    this.dispatch(event);
    return true;
  }

  private tell(): RunResult {
    const { sim } = this;
    const { checks, truth } = sim;
    const key = checks.violation?.key;
    const recoveries = this.tally.tell(sim.nowMs);
    return {
      seed: sim.seed,
      events: sim.turns,
      hash: sim.hash.toHex(),
      violation: checks.violation,
      fired: sim.injector.fired,
      trace: sim.trace?.lines ?? [],
      ...(recoveries && { recoveries }),
      ...(sim.trace && { commits: sim.store.commits }),
      endedMs: sim.nowMs,
      ...(sim.trace && key !== undefined && { beliefs: gatherBeliefs(truth, key) }),
      ...(sim.witness && { witnessed: sim.witness.tell() }),
    };
  }

  begin(): void {
    const { sim, cast, staging, planes, clients, nodes } = this;
    const stage = { sim, cast, planes, clients, nodes };
    staging.prepare(stage);
    sim.after(SWEEP_MS, { kind: "sweep" });
    sim.after(SAMPLE_MS, { kind: "sample" });
    planes.begin();
    staging.start(stage);
  }

  private dispatch(event: SimEvent): void {
    if ("plane" in event) return this.planes.handle(event);
    switch (event.kind) {
      case "timer":
      case "reply":
      case "deliver":
      case "listed":
      case "list-again":
      case "restart-client":
        return this.clients.handle(event);
      case "process-event":
      case "process-probed":
      case "process-ends":
      case "leash":
        return this.nodes.handle(event);
      case "boot":
        if (event.node.boots === event.boots && event.node.state === "off")
          this.nodes.boot(event.node);
        return undefined;
      case "resume":
        if (event.node.pauses === event.pauses && event.node.state === "paused")
          this.nodes.resume(event.node);
        return undefined;
      case "fault":
        if (isScheduled(event.fault)) this.faults.happen(event.fault);
        return undefined;
      case "window-ends":
        return this.faults.windowEnds();
      case "heal":
        return this.faults.heal();
      case "sweep":
        return this.sweep();
      case "sample":
        return this.sample();
      case "scene":
        return event.act();
      case "end":
        this.isOver = true;
        return undefined;
    }
  }

  private sweep(): void {
    this.sim.after(SWEEP_MS, { kind: "sweep" });
    this.sweeps++;
    this.planes.supervise();
    for (const client of this.cast.clients) {
      this.watch.look(client);
      if ((client.index + this.sweeps) % BOOKMARK_SWEEPS === 0) this.watch.bookmark(client);
    }
  }

  private sample(): void {
    const { sim } = this;
    const { world } = sim.truth;
    sim.after(SAMPLE_MS, { kind: "sample" });
    sim.checks.sampled();
    if (sim.nowMs < world.faultsUntilMs) return;
    const isTimeUp = sim.nowMs >= world.faultsUntilMs + world.healMs;
    // A world has not settled while attacks go on.
    const isAttacked = world.attacks?.some((attack) => attackOver(attack) >= sim.nowMs) === true;
    const lingers = sim.seed % LINGER_EVERY === 0 || isAttacked;
    this.isOver = isTimeUp || (!lingers && this.hasUserFinished() && isAtRest(sim.truth));
  }

  private hasUserFinished(): boolean {
    const { component } = this.cast.user;
    return component instanceof User && component.isDone;
  }
}
