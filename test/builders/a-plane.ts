/**
 * A truth to send commands to, with nothing between: no batches, no disk, no network. Commands get the
 * sender and the leadership that fit them unless a test says otherwise; `payments/api` is what is there.
 */
import { apply } from "../../src/core/commit/apply.ts";
import type { Intent, IntentOf } from "../../src/core/protocol/command.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { Actor, Role } from "../../src/core/model/actor.ts";
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { Account } from "../../src/core/observe/accounts/account.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  parseKey,
  quotaKey,
  replicaKey,
  tenantKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { StatedOwner } from "../../src/core/model/owner.ts";
import type { AnyObject, Labels, Node, Replica, Workload } from "../../src/core/model/objects.ts";
import { aCommit } from "./a-commit.ts";
import { aNodeSpec, type NodeParts } from "./a-node.ts";
import { aQuota } from "./a-quota.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "./a-workload.ts";

type Unnamed<I> = I extends Intent ? Omit<I, "operation"> : never;
/** An intent whose operation the plane names. */
export type UnnamedIntent = Unnamed<Intent>;

interface Sending {
  readonly role?: Role;
  /** Left out: one of that role, and of an agent's the one whose word it is. */
  readonly actor?: Actor;
  readonly epoch?: number;
  readonly operation?: string;
}

export const WORKLOAD = workloadKey("payments", "api");

export class Plane {
  readonly ledger = new Ledger();
  readonly commits: Commit[] = [];
  nowMs = 0;
  private sent = 0;

  constructor() {
    this.lead(1);
  }

  lead(epoch: number): void {
    const revision = this.ledger.revision + 1;
    const operation = operationId(`lead/${epoch}`);
    this.fold(aCommit({ revision, epoch, atMs: this.nowMs, command: "lead", operation }));
  }

  send(ask: UnnamedIntent, of: Sending = {}): Outcome {
    this.sent += 1;
    const operation = operationId(of.operation ?? `operation-${this.sent}`);
    const role = of.role ?? senderOf(ask);
    const name = role === "agent" && "node" in ask ? `agent:${ask.node}` : role;
    const { outcome, commit } = apply(
      this.ledger,
      {
        intent: { ...ask, operation },
        epoch: of.epoch ?? this.ledger.epoch,
        basis: this.ledger.revision,
        actor: of.actor ?? { role, name },
      },
      this.nowMs,
    );
    if (commit !== undefined) this.fold(commit);
    return outcome;
  }

  /** For the steps on the way to what a test is about: anything but a commit is a mistake of the test. */
  must(ask: UnnamedIntent, of: Sending = {}): void {
    const outcome = this.send(ask, of);
    if (outcome.kind !== "committed") {
      throw new Error(`${ask.kind} was not committed: ${JSON.stringify(outcome)}`);
    }
  }

  /** Writes objects past all rules: for states that the rules themselves never lead to. */
  plant(...put: readonly AnyObject[]): void {
    this.fold(aCommit({ revision: this.ledger.revision + 1, epoch: this.ledger.epoch, put }));
  }

  private fold(commit: Commit): void {
    this.ledger.fold(commit);
    this.commits.push(commit);
  }

  /** The commit that a test has just caused. */
  get lastCommit(): Commit {
    return this.commits.at(-1)!;
  }

  get(key: ObjectKey): AnyObject | undefined {
    return this.ledger.objects.get(key);
  }
  node(name = "a-1"): Node {
    return this.ledger.objects.node(nodeKey(name))!;
  }
  workload(): Workload {
    return this.ledger.objects.workload(WORKLOAD)!;
  }
  replica(index = 0, generation = 1): Replica {
    return this.ledger.objects.replica(indexKey(index, generation))!;
  }
  account(tenant = "payments"): Account {
    return structuredClone(this.ledger.objects.accountOf(tenant));
  }

  tenant(limit: Partial<Amounts> = {}, name = "payments"): void {
    this.must(putting(tenantKey(name), { kind: "Tenant", spec: { displayName: name } }));
    this.must(putting(quotaKey(name), { kind: "Quota", spec: aQuota(limit, name).spec }));
  }

  /** A node whose agent has spoken once, in session 1. */
  joined(name = "a-1", of: NodeParts = {}): void {
    this.must(
      putting(nodeKey(name), { kind: "Node", spec: aNodeSpec(of) }, { labels: of.labels ?? {} }),
    );
    this.renew({ node: name });
  }

  renew(of: Partial<Omit<IntentOf<"lease">, "kind">> = {}): void {
    const node = of.node ?? "a-1";
    this.must({
      kind: "lease",
      node,
      session: of.session ?? 1,
      seq: of.seq ?? 1,
      kept: of.kept ?? [],
      ...(of.clock === undefined ? {} : { clock: of.clock }),
    });
  }

  putDesired(of: WorkloadSpecParts = {}): void {
    const finalizers = this.workload()?.meta.finalizers ?? [];
    this.must(putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec(of) }, { finalizers }));
  }

  admitted(index = 0, incarnation = 1): Replica {
    const generation = this.workload().status.templateGeneration;
    this.must({ kind: "admit", workload: WORKLOAD, generation, index, incarnation });
    return this.replica(index, generation);
  }

  reserved(index = 0, incarnation = 1): ObjectKey {
    const { key } = this.replicaOf(index, incarnation);
    this.must({ kind: "reserve", replica: key, incarnation, deadlineMs: 600_000 });
    return reservationKey(key, incarnation);
  }

  queued(index = 0, incarnation = 1): Replica {
    const reservation = this.reserved(index, incarnation);
    const { key } = this.replicaOf(index, incarnation);
    this.must({
      kind: "transition",
      key,
      incarnation,
      from: "admitted",
      to: "queued",
      reservation,
    });
    return this.ledger.objects.replica(key)!;
  }

  bound(
    of: { index?: number; incarnation?: number; node?: string; deviceIds?: string[] } = {},
  ): Replica {
    const { index = 0, incarnation = 1, node = "a-1", deviceIds = [] } = of;
    const { key } = this.queued(index, incarnation);
    this.must({ kind: "bind", replica: key, incarnation, node, deviceIds });
    return this.ledger.objects.replica(key)!;
  }

  serving(of: { index?: number; node?: string } = {}): Replica {
    const { key, status } = this.bound(of);
    const { incarnation, session } = status;
    for (const stage of ["starting", "ready", "serving"] as const) {
      this.must({ kind: "report", replica: key, incarnation, node: status.node!, session, stage });
    }
    return this.ledger.objects.replica(key)!;
  }

  /** Fences a node by a person's word, which needs no time to pass. */
  vouchedGone(name = "a-1"): void {
    const evidence: Evidence = { kind: "person", name: "ops", statement: "scrapped" };
    const { health: from, session } = this.node(name).status;
    const key = nodeKey(name);
    this.must({ kind: "transition", key, session, from, to: "fenced", evidence }, { role: "user" });
  }

  /** Fences a node for its silence, after as much time as that takes. */
  fallenSilent(name = "a-1"): void {
    this.nowMs += 18_500;
    const { health: from, session } = this.node(name).status;
    const { seq } = this.ledger.objects.lease(`Lease//${name}` as ObjectKey)!.status;
    const evidence: Evidence = { kind: "lease-expired", node: name, session, seq };
    this.must({ kind: "transition", key: nodeKey(name), session, from, to: "fenced", evidence });
  }

  private replicaOf(index: number, incarnation: number): Replica {
    const generation = this.workload().status.templateGeneration;
    const held = this.ledger.objects.replica(indexKey(index, generation));
    return held?.status.incarnation === incarnation ? held : this.admitted(index, incarnation);
  }
}

/** A plane with a tenant, one ready node and the desired state of one replica. */
export function aPlane(
  of: {
    readonly quota?: Partial<Amounts>;
    readonly node?: NodeParts;
    readonly desired?: WorkloadSpecParts;
  } = {},
): Plane {
  const plane = new Plane();
  plane.tenant(of.quota);
  plane.joined(of.node?.name ?? "a-1", of.node);
  plane.putDesired(of.desired);
  return plane;
}

export const indexKey = (index = 0, generation = 1): ObjectKey =>
  replicaKey({ tenant: "payments", workload: "api", generation, index });

export const reservationKey = (replica: ObjectKey, incarnation = 1): ObjectKey =>
  `Reservation/${parseKey(replica).namespace}/${parseKey(replica).name}.${incarnation}` as ObjectKey;

/** A put that expects nothing of what was there before. */
export const putting = (
  key: ObjectKey,
  desired: IntentOf<"put">["desired"],
  of: {
    readonly labels?: Labels;
    readonly finalizers?: readonly string[];
    readonly owners?: readonly StatedOwner[];
    readonly expect?: IntentOf<"put">["expect"];
  } = {},
): Unnamed<IntentOf<"put">> => ({
  kind: "put",
  key,
  desired,
  labels: of.labels ?? {},
  finalizers: of.finalizers ?? [],
  ...(of.owners === undefined ? {} : { owners: of.owners }),
  expect: of.expect ?? {},
});

function senderOf(ask: UnnamedIntent): Role {
  switch (ask.kind) {
    case "put":
      return "user";
    case "delete":
      return parseKey(ask.key).kind === "Replica" ? "admit" : "user";
    case "transition":
      return ask.to === "queued" ? "admit" : "node-health";
    case "bind":
    case "bind-all":
      return "place";
    case "preempt":
      return "preempt";
    case "roll":
      return "roll-out";
    case "hold-recovery":
    case "recover":
      return "keep-recovery";
    case "finish":
      return "finish-batch";
    case "release":
      return "release-lost";
    case "unreserve":
      return "reclaim-leak";
    case "expire":
      return "provision";
    case "evict":
      return ask.evidence.kind.startsWith("drain") ? "drain-node" : "admit";
    case "drain-over":
      return "drain-node";
    case "observe":
      return "gauge";
    case "scale":
      return "scale";
    case "provision":
      return "provision";
    case "provisioned":
      return "provisioner";
    case "scale-down":
      return "retire-idle";
    case "report":
    case "lease":
      return "agent";
    case "incarnate":
    case "hear":
    case "take-terms":
      return "region-link";
    case "lend":
      return "apportion";
    case "end-term":
    case "end-learning":
      return ask.kind;
    case "region-gone":
      return "user";
    default:
      return "admit";
  }
}
