/**
 * One plane as a bare log: commands are judged and folded, its clock runs at a rate of its own, and it can be
 * restarted, or restored from any earlier state of its log.
 */
import { apply } from "../../src/core/commit/apply.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { type Amounts, NOTHING } from "../../src/core/model/amounts.ts";
import { operationId, quotaKey, replicaKey, workloadKey } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import { aCommit } from "../builders/a-commit.ts";
import { putting, type UnnamedIntent } from "../builders/a-plane.ts";
import { aWorkloadSpec } from "../builders/a-workload.ts";

/** Of every tenant alike, in every plane. */
export const REPLICA: Amounts = { cpuMillis: 100, memoryMiB: 30, deviceMillis: 0 };
const INDEXES = 40;

interface Clock {
  /** Milliseconds that it counts in a second. */
  readonly perSecond: number;
  readonly offsetMs: number;
}

export class PlainPlane {
  ledger = new Ledger();
  commits: Commit[] = [];
  private clock: Clock;
  private sent = 0;

  constructor(clock: Clock) {
    this.clock = clock;
    this.lead(1);
  }

  now(trueMs = this.trueMs): number {
    return this.clock.offsetMs + Math.floor((trueMs * this.clock.perSecond) / 1_000);
  }
  trueMs = 0;

  send(role: Role, ask: UnnamedIntent): Outcome {
    this.sent += 1;
    const command = {
      intent: { ...ask, operation: operationId(`${role}-${this.sent}`) },
      epoch: this.ledger.epoch,
      basis: this.ledger.revision,
      actor: { role, name: role },
    };
    const { outcome, commit } = apply(this.ledger, command, this.now());
    if (commit !== undefined) this.fold(commit);
    return outcome;
  }

  /** Another leadership, on another machine. */
  restart(clock: Clock): void {
    const { epoch } = this.ledger;
    this.clock = clock;
    this.lead(epoch + 1);
  }

  /** What was committed after this many commits is forgotten. */
  restore(kept: number, clock: Clock): void {
    const commits = this.commits.slice(0, Math.max(1, kept));
    this.ledger = new Ledger();
    this.commits = [];
    for (const commit of commits) this.fold(commit);
    this.restart(clock);
  }

  private lead(epoch: number): void {
    const revision = this.ledger.revision + 1;
    const operation = operationId(`lead/${epoch}/${revision}`);
    this.fold(aCommit({ revision, epoch, atMs: this.now(), command: "lead", operation }));
  }

  private fold(commit: Commit): void {
    this.ledger.fold(commit);
    this.commits.push(commit);
  }

  /** Queues one more replica of the tenant, as far as the authority lets it. */
  spend(tenant: string): void {
    const workload = workloadKey(tenant, "api");
    if (this.ledger.objects.workload(workload) === undefined) {
      const spec = aWorkloadSpec({ ...REPLICA, replicas: INDEXES });
      this.send("user", putting(workload, { kind: "Workload", spec }));
    }
    for (let index = 0; index < INDEXES; index += 1) {
      const held = this.replica(tenant, index);
      if (held !== undefined && held.status.stage !== "released") continue;
      const incarnation = (held?.status.incarnation ?? 0) + 1;
      const indexes = [{ index, incarnation }];
      this.send("admit", { kind: "enqueue", workload, generation: 1, indexes });
      return;
    }
  }

  /** One of the tenant's replicas ends, by whatever rule. */
  free(tenant: string): void {
    for (let index = 0; index < INDEXES; index += 1) {
      const held = this.replica(tenant, index);
      if (held?.status.stage !== "queued") continue;
      const after: Replica = { ...held, status: { ...held.status, stage: "released" } };
      const { revision, epoch } = this.ledger;
      this.fold({
        ...aCommit({ revision: revision + 1, epoch, atMs: this.now() }),
        changes: [{ key: held.key, before: held, after }],
      });
      return;
    }
  }

  private replica(tenant: string, index: number): Replica | undefined {
    const of = { tenant, workload: "api", generation: 1, index };
    return this.ledger.objects.replica(replicaKey(of));
  }

  /** Added up from the replicas, one by one. */
  charged(tenant: string): Amounts {
    let sum = NOTHING;
    for (const { meta, status, spec } of this.ledger.objects.all("Replica").values()) {
      if (meta.namespace !== tenant || status.stage !== "queued") continue;
      const { cpuMillis, memoryMiB } = spec.template.ask.amounts;
      sum = {
        cpuMillis: sum.cpuMillis + cpuMillis,
        memoryMiB: sum.memoryMiB + memoryMiB,
        deviceMillis: 0,
      };
    }
    return sum;
  }

  limit(tenant: string): Amounts {
    return this.ledger.objects.all("Quota").get(quotaKey(tenant))?.spec.limit ?? NOTHING;
  }
}
