/**
 * What a plane has to say about itself in numbers. It reads published commits and decisions, and
 * keeps sums; no decision depends on it. A plane that follows keeps the same sums from the same
 * commits.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import { NOTHING, plus } from "../../core/model/amounts.ts";
import type { Replica, Slo, Workload } from "../../core/model/objects.ts";
import type { HostClock } from "../host-clock.ts";
import type { PlanePort } from "../plane-port.ts";
import { Distribution, WAITS_MS } from "./distribution.ts";
import { type Shares, sharesOf } from "./fairness.ts";
import { FleetSeries } from "./fleet-series.ts";
import { ReplicaMeasures } from "./replica-measures.ts";
import { SloBreaches } from "./slo-breaches.ts";
import { SloMeters } from "./slo-meters.ts";
import { TenantMeasures } from "./tenant-measures.ts";
import { WorkloadMeasures } from "./workload-measures.ts";

/** Often enough for an objective over minutes; a look costs a walk over the nodes. */
const FAIRNESS_EVERY_MS = 10_000;

export class PlaneTelemetry {
  readonly plane: PlanePort;
  readonly clock: HostClock;
  readonly replicas: ReplicaMeasures;
  readonly workloads: WorkloadMeasures;
  readonly tenants = new TenantMeasures();
  readonly slos = new SloMeters();
  readonly series: FleetSeries;
  readonly breaches: SloBreaches;
  readonly commits = new Map<Commit["command"], number>();
  /** By controller, then by what was concluded: `propose`, or the reason of a wait. */
  readonly decisions = new Map<string, Map<string, number>>();
  readonly watchMs = new Distribution(WAITS_MS);
  readonly explainMs = new Distribution(WAITS_MS);
  /** The end of a shared log as it was last heard of. */
  heardEnd = 0;
  private readonly leave: readonly (() => void)[];

  constructor(plane: PlanePort, clock: HostClock) {
    this.plane = plane;
    this.clock = clock;
    this.replicas = new ReplicaMeasures(this.slos);
    this.workloads = new WorkloadMeasures(this.slos);
    for (const replica of plane.objects.all("Replica").values()) {
      this.replicas.begin(replica);
      this.tenants.fold(undefined, replica);
    }
    for (const workload of plane.objects.all("Workload").values()) this.workloads.begin(workload);
    for (const slo of plane.objects.all("Slo").values()) {
      this.slos.fold(undefined, slo, clock.nowMs());
    }
    this.series = new FleetSeries({ plane, clock, replicas: this.replicas });
    this.breaches = new SloBreaches({ plane, clock, slos: this.slos });
    const timer = setInterval(() => this.lookAtShares(), FAIRNESS_EVERY_MS);
    timer.unref();
    this.leave = [
      () => clearInterval(timer),
      () => this.series.close(),
      () => this.breaches.close(),
      plane.onPublish((commits) => this.read(commits)),
      plane.decisions.onAdd((record) => this.decided(record)),
    ];
  }

  close(): void {
    for (const leave of this.leave) leave();
  }

  /** From publishing to the turn in which watchers are told. */
  watchersTold(ms: number): void {
    this.watchMs.add(ms);
    this.slos.take({ indicator: "watch-lag", value: ms, atMs: this.clock.nowMs() });
  }

  explained(ms: number): void {
    this.explainMs.add(ms);
    this.slos.take({ indicator: "explain-latency", value: ms, atMs: this.clock.nowMs() });
  }

  shares(): Shares {
    const { objects } = this.plane;
    let total = NOTHING;
    for (const { spec } of objects.all("Node").values()) {
      if (spec.supply !== "soft") total = plus(total, spec.capacity);
    }
    return sharesOf(objects, total);
  }

  private lookAtShares(): void {
    const { spread } = this.shares();
    this.slos.take({ indicator: "fairness", value: spread, atMs: this.clock.nowMs() });
  }

  private read(commits: readonly Commit[]): void {
    for (const { command, changes, atMs } of commits) {
      this.commits.set(command, (this.commits.get(command) ?? 0) + 1);
      // By far the most commits under load are of leases, which nothing here is about.
      if (command === "lease" && changes.length === 1) continue;
      for (const { before, after } of changes) {
        const kind = (after ?? before)?.kind;
        if (kind === "Replica") {
          this.replicas.fold(before as Replica | undefined, after as Replica | undefined, atMs);
          this.tenants.fold(before as Replica | undefined, after as Replica | undefined);
          if (before === undefined && after !== undefined)
            this.workloads.admitted(after as Replica, atMs);
        } else if (kind === "Workload") {
          this.workloads.fold(before as Workload | undefined, after as Workload | undefined, atMs);
        } else if (kind === "Slo") {
          this.slos.fold(before as Slo | undefined, after as Slo | undefined, atMs);
        }
      }
    }
  }

  private decided({ controller, decision }: DecisionRecord): void {
    let byOutcome = this.decisions.get(controller);
    if (byOutcome === undefined) {
      byOutcome = new Map();
      this.decisions.set(controller, byOutcome);
    }
    const outcome = decision.kind === "wait" ? decision.reason : decision.kind;
    byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + 1);
  }
}
