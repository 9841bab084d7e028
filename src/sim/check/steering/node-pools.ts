/**
 * [INV165] No pool, and no region by the policy in force, exceeds its number of nodes, gets them
 * faster than its pace, or is asked again before its backoff after failures. [INV166] A node is
 * asked for only for a replica that has been queued for as long as the pool says, that no existing
 * node fits, that the provisioning nodes do not cover, and that an empty node of the pool would
 * fit. [INV167] Nothing is bound to a provisioning node, and only its agent's first renewal makes
 * it an ordinary one. [INV168] A node is scaled down only if nothing was bound or reserved on it
 * for as long as its pool says; a provisioning one is given up only after its provisioner refused,
 * or after its time.
 *
 * They would break if a wait for quota were taken for one for room, if provisioning nodes were not
 * counted, or if times of two leaderships were compared.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject, Node, NodePool, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { rulesAt } from "../models/naive-policy.ts";
import {
  emptyNode,
  hasNowhere,
  Imagined,
  queuedReplicas,
  uncovered,
} from "../models/naive-pools.ts";

/** A commit, on the clock of the authority that checked it. */
interface Moment {
  readonly atMs: number;
  readonly epoch: number;
}

interface PoolShadow {
  readonly asked: Moment[];
  failures: number;
  failed: Moment | undefined;
}

/** Written out from the specification. */
const FIRST_WAIT_MS = 10_000;
const LAST_WAIT_MS = 600_000;
const PENDING_MS = 60_000;
const READY_MS = 600_000;

class NodePoolsChecker implements Checker {
  readonly name = "node-pools";
  private lead: Moment = { atMs: 0, epoch: 0 };
  private readonly pools = new Map<string, PoolShadow>();
  /** Since when an incarnation of a replica is in the queue. */
  private readonly queued = new Map<string, Moment>();
  /** When a replica or a reservation was last on a node. */
  private readonly used = new Map<string, Moment>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    const { atMs, epoch, command } = commit;
    if (command === "lead") this.lead = { atMs, epoch };
    if (truth.objects.all("NodePool").size === 0 && command !== "put") return;
    switch (command) {
      case "provision":
        this.provisioned(commit, truth.objects, report);
        break;
      case "scale-down":
        this.scaledDown(commit, truth.objects, report);
        break;
      default:
        this.moved(commit, truth.objects, report);
    }
    this.note(commit);
  }

  afterCommit(commit: Commit, { objects }: Truth, report: Report): void {
    if (objects.all("NodePool").size === 0) return;
    for (const { after } of commit.changes) {
      if (after?.kind !== "Replica" || after.status.node === undefined) continue;
      const node = nodeNamed(objects, after.status.node);
      if (node !== undefined && isSoft(node)) {
        report(
          "INV167",
          `${after.key} is on ${node.meta.name}, which is only provisioning.`,
          after.key,
        );
      }
    }
  }

  /**
   * On the clock of the current authority: times of an earlier leadership are only known to be
   * earlier.
   */
  private msSince({ atMs }: Commit, moment: Moment | undefined): number {
    if (moment === undefined || moment.epoch !== this.lead.epoch) return atMs - this.lead.atMs;
    return atMs - moment.atMs;
  }

  private shadowOf(pool: string): PoolShadow {
    const known = this.pools.get(pool) ?? { asked: [], failures: 0, failed: undefined };
    this.pools.set(pool, known);
    return known;
  }

  private provisioned(commit: Commit, objects: ObjectIndex, report: Report): void {
    const node = commit.changes.find(({ after }) => after?.kind === "Node")?.after;
    const pool = node?.kind === "Node" ? poolNamed(objects, node.spec.pool) : undefined;
    if (node?.kind !== "Node" || pool === undefined || !isSoft(node)) {
      report("INV167", `${commit.operation} made no node that is provisioning.`);
      return;
    }
    this.checkBounds(commit, { objects, pool, report });
    this.checkWait(commit, { objects, pool, report, workload: node.status.provision?.workload });
    this.shadowOf(pool.meta.name).asked.push({ atMs: commit.atMs, epoch: commit.epoch });
  }

  private checkBounds(commit: Commit, { objects, pool, report }: Asked): void {
    const { region, maxNodes, pace } = pool.spec;
    const all = [...objects.all("Node").values()].filter(({ spec }) => spec.pool !== undefined);
    const own = all.filter(({ spec }) => spec.pool === pool.meta.name);
    const more = (what: string): void =>
      report("INV165", `${pool.key} was given a node beyond ${what}.`, pool.key);
    if (own.length + 1 > maxNodes) more(`the ${maxNodes} that it may have`);
    const { name } = pool.meta;
    if (this.within(commit, [name], pace.periodMs) + 1 > pace.nodes) more("its pace");
    const shadow = this.shadowOf(name);
    let waitMs = shadow.failures === 0 ? 0 : FIRST_WAIT_MS;
    for (let each = 1; each < shadow.failures; each += 1)
      waitMs = Math.min(LAST_WAIT_MS, 2 * waitMs);
    if (shadow.failures > 0 && this.msSince(commit, shadow.failed) < waitMs) {
      more(`the ${waitMs} ms that it waits after ${shadow.failures} failures`);
    }
    const nobodys = { policy: "default" } as Replica["spec"]["template"];
    const rules = rulesAt(objects, nobodys, region)?.provisioning;
    const here = all.filter(({ spec }) => spec.region === region);
    if (rules?.maxNodes !== undefined && here.length + 1 > rules.maxNodes) {
      more(`the ${rules.maxNodes} of ${region}`);
    }
    if (rules?.nodes === undefined || rules.periodMs === undefined) return;
    const pools = [...objects.all("NodePool").values()].filter(
      ({ spec }) => spec.region === region,
    );
    const names = pools.map(({ meta }) => meta.name);
    if (this.within(commit, names, rules.periodMs) + 1 > rules.nodes) more(`the pace of ${region}`);
  }

  private within(commit: Commit, pools: readonly string[], periodMs: number): number {
    const moments = pools.flatMap((pool) => this.shadowOf(pool).asked);
    return moments.filter((moment) => this.msSince(commit, moment) < periodMs).length;
  }

  private checkWait(commit: Commit, { objects, pool, report, workload }: Asked): void {
    const { pendingForMs = PENDING_MS } = pool.spec;
    const waiting = queuedReplicas(objects)
      .filter((each) => this.msSince(commit, this.queued.get(incarnationOf(each))) >= pendingForMs)
      .filter((each) => hasNowhere(objects, each));
    const named = waiting.filter(({ meta, spec }) => {
      return `Workload/${meta.namespace}/${spec.workload}` === workload;
    });
    const node = emptyNode(objects, pool);
    const imagined = new Imagined(objects, [node], commit.atMs);
    const helped = named.filter((each) => imagined.takes(node, each));
    if (helped.length === 0) {
      const why = `${named.length} of its replicas have waited and have nowhere to go`;
      report("INV166", `${pool.key} was given a node for ${workload}: ${why}.`, pool.key);
      return;
    }
    const left = new Set(uncovered(objects, waiting, commit.atMs));
    if (!helped.some((each) => left.has(each))) {
      const what = `${pool.key} was given a node for ${workload}`;
      report("INV166", `${what}, all of which fits on what was asked for before.`, pool.key);
    }
  }

  /** All other changes of the nodes of a pool. */
  private moved(commit: Commit, objects: ObjectIndex, report: Report): void {
    for (const { before, after } of commit.changes) {
      const was = before?.kind === "Node" ? before : undefined;
      const is = after?.kind === "Node" ? after : undefined;
      const pool = (is ?? was)?.spec.pool;
      if (pool === undefined) continue;
      if (was === undefined || (is !== undefined && was.spec.pool !== is.spec.pool)) {
        report("INV167", `${(is ?? was)?.key} came to be of ${pool} by ${commit.command}.`);
      } else if (is === undefined) this.gone(commit, was, { objects, report });
      else this.changed(commit, { was, is, report });
    }
  }

  private changed(
    commit: Commit,
    { was, is, report }: { readonly was: Node; readonly is: Node; readonly report: Report },
  ): void {
    const shadow = this.shadowOf(is.spec.pool ?? "");
    const { atMs, epoch } = commit;
    if (isSoft(was) && is.status.provision?.failed !== was.status.provision?.failed) {
      if (isSoft(is)) {
        shadow.failures += 1;
        shadow.failed = { atMs, epoch };
      }
    }
    if (isSoft(was) === isSoft(is)) return;
    const spoke = commit.changes.some(
      ({ after }) => after?.kind === "Lease" && after.spec.node === is.meta.name,
    );
    if (isSoft(is) || commit.command !== "lease" || !spoke) {
      report("INV167", `${is.key} was said to be there by ${commit.command}.`, is.key);
    }
    shadow.failures = 0;
    this.used.set(is.meta.name, { atMs, epoch });
  }

  private gone(
    commit: Commit,
    node: Node,
    { objects, report }: { readonly objects: ObjectIndex; readonly report: Report },
  ): void {
    const { status, meta } = node;
    // A person may delete any node.
    if (commit.command === "delete") return;
    const on = objects.replicasOn(meta.name).size;
    if (on > 0) report("INV168", `${node.key} went with ${on} replicas on it.`, node.key);
    if (!isSoft(node)) {
      if (status.provision?.scalingDown !== undefined) return;
      report("INV168", `${node.key} went by ${commit.command}, and was not given back.`, node.key);
      return;
    }
    if (status.provision?.failed !== undefined) return;
    const pool = poolNamed(objects, node.spec.pool);
    const withinMs = pool?.spec.readyWithinMs ?? READY_MS;
    const waitedMs = this.msSince(commit, status.provision?.asked);
    if (waitedMs < withinMs) {
      report("INV168", `${node.key} was given up after ${waitedMs} of ${withinMs} ms.`, node.key);
    }
    const shadow = this.shadowOf(node.spec.pool ?? "");
    shadow.failures += 1;
    shadow.failed = { atMs: commit.atMs, epoch: commit.epoch };
  }

  private scaledDown(commit: Commit, objects: ObjectIndex, report: Report): void {
    const node = commit.changes.find(({ before }) => before?.kind === "Node")?.before;
    const pool = node?.kind === "Node" ? poolNamed(objects, node.spec.pool) : undefined;
    if (node?.kind !== "Node" || pool?.spec.idleAfterMs === undefined || isSoft(node)) {
      report("INV168", `${commit.operation} gives back what is not a pool's to give.`);
      return;
    }
    const { name } = node.meta;
    const replicas = [...objects.all("Replica").values()].filter(
      ({ status }) => status.node === name,
    );
    const rooms = [...objects.all("Reservation").values()].filter(
      ({ spec }) => roomOf(spec)?.node === name,
    );
    if (replicas.length + rooms.length > 0) {
      const what = `${replicas.length} replicas and ${rooms.length} rooms`;
      report("INV168", `${node.key} is given back with ${what} on it.`, node.key);
    }
    const idleMs = this.msSince(commit, this.used.get(name));
    if (idleMs < pool.spec.idleAfterMs) {
      const what = `${node.key} is given back after ${idleMs} of ${pool.spec.idleAfterMs} ms`;
      report("INV168", `${what} with nothing on it.`, node.key);
    }
  }

  private note({ changes, atMs, epoch }: Commit): void {
    for (const { before, after } of changes) {
      for (const name of [placeOf(before), placeOf(after)]) {
        if (name !== undefined) this.used.set(name, { atMs, epoch });
      }
      if (after?.kind !== "Replica" || after.status.stage !== "queued") continue;
      const isSame = before?.kind === "Replica" && before.status.stage === "queued";
      if (!isSame) this.queued.set(incarnationOf(after), { atMs, epoch });
    }
  }
}

interface Asked {
  readonly objects: ObjectIndex;
  readonly pool: NodePool;
  readonly report: Report;
  readonly workload?: ObjectKey | undefined;
}

const isSoft = ({ spec }: Node): boolean => spec.pool !== undefined && spec.supply === "soft";

const incarnationOf = ({ key, meta, status }: Replica): string =>
  `${key}/${meta.uid}/${status.incarnation}`;

const nodeNamed = (objects: ObjectIndex, name: string): Node | undefined =>
  [...objects.all("Node").values()].find(({ meta }) => meta.name === name);

const poolNamed = (objects: ObjectIndex, name: string | undefined): NodePool | undefined =>
  [...objects.all("NodePool").values()].find(({ meta }) => meta.name === name);

function placeOf(some: AnyObject | undefined): string | undefined {
  if (some?.kind === "Replica") return some.status.node;
  return some?.kind === "Reservation" ? roomOf(some.spec)?.node : undefined;
}

export const createNodePoolsChecker = (): Checker => new NodePoolsChecker();
