/**
 * A scheduler's view that changes at random, with a finder that follows it the way the runner does: several
 * commits are folded, then the finder is told of each change. Beside it stands what a naive reader knows.
 */
import { inspect } from "node:util";
import type { Change, Commit } from "../../src/core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, type Revision, type Uid } from "../../src/core/model/ids.ts";
import type { Affinity, AnyObject, Node, Replica, Spread } from "../../src/core/model/objects.ts";
import { View } from "../../src/core/observe/view.ts";
import type { AskShape, Fleet } from "../../src/core/propose/fleet/fleet.ts";
import { type Found, NodeFinder } from "../../src/core/propose/fleet/node-finder.ts";
import { tightestUnits } from "../../src/core/propose/fleet/room.ts";
import type { ScoringPolicy } from "../../src/core/propose/policies/scoring-policy.ts";
import { aCommit, type CommitParts } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../builders/a-replica.ts";
import type { Sitting, Situation } from "./naive-finder.ts";
import { Picks } from "./picks.ts";

export interface FinderMove {
  readonly verb: "node" | "drop-node" | "replica" | "assume" | "forget" | "shun" | "learn" | "turn";
  readonly picks: readonly number[];
}

const NODES = ["n0", "n1", "n2", "n3", "n4"];
const WORKLOADS = ["api", "db", "web"];
const INDEXES = [0, 1, 2];
const BY = ["zone", "node", "rack", "region"];

export class FinderWorld {
  readonly view = new View({ kinds: new Set(["Node", "Replica"]), node: undefined });
  readonly policy = new FullOfMemory();
  readonly finder = new NodeFinder(this.view, this.policy);
  /** One replica per workload that is looking for a place. */
  readonly seekers: readonly Replica[];
  readonly assumed = new Map<ObjectKey, Sitting>();
  readonly shunned = new Map<string, Revision>();
  /** What happened, for whoever has to understand a counterexample. */
  readonly story: string[] = [];
  private readonly pending: Commit[] = [];
  private readonly truth = new Map<ObjectKey, AnyObject>();
  private readonly templates: readonly ReplicaParts[];
  private revision = 0;
  private births = 0;

  constructor(templates: readonly (readonly number[])[]) {
    this.templates = templates.map((numbers) => templateOf(new Picks(numbers)));
    this.seekers = WORKLOADS.map((_, at) => this.queued(at, 9, 1));
  }

  take({ verb, picks: numbers }: FinderMove): void {
    const picks = new Picks(numbers);
    switch (verb) {
      case "node":
        return this.put(this.nodeMove(picks));
      case "drop-node":
        return this.remove(nodeKey(picks.one(NODES)));
      case "replica":
        return this.moveReplica(picks);
      case "assume":
        this.turn();
        return this.assume(picks);
      case "forget": {
        const key = picks.one([...this.assumed.keys()]) as ObjectKey | undefined;
        if (key === undefined) return;
        this.story.push(`forget ${key}`);
        this.assumed.delete(key);
        return this.finder.forget(key);
      }
      case "shun":
        return this.shun(picks);
      case "learn":
        this.story.push("learn");
        return this.policy.learn(picks.next() % 50);
      case "turn":
        return this.turn();
    }
  }

  /** The runner's turn: everything that was committed is folded, then followed change by change. */
  turn(): void {
    const commits = this.pending.splice(0);
    this.story.push(`turn: ${commits.length} commits`);
    const changes: readonly Change[] = this.view.follow(commits, this.revision, 1);
    for (const change of changes) this.finder.follow(change);
    for (const [key, { replica }] of this.assumed) {
      const seen = this.view.objects.replica(key);
      const isOpen =
        seen?.status.stage === "queued" && seen.status.incarnation === replica.status.incarnation;
      if (!isOpen || seen.meta.uid !== replica.meta.uid) this.assumed.delete(key);
    }
    for (const [node, until] of this.shunned) {
      if (until <= this.view.revision) this.shunned.delete(node);
    }
    this.finder.liftShunned();
  }

  get situation(): Situation {
    const { objects } = this.view;
    const sittings: Sitting[] = [...this.assumed.values()];
    for (const replica of objects.all("Replica").values()) {
      const { node, deviceIds } = replica.status;
      if (node !== undefined) sittings.push({ replica, node, deviceIds });
    }
    const nodes = [...objects.all("Node").values()];
    const { pointsPerIdleUnit } = this.policy;
    return { nodes, sittings, shunned: new Set(this.shunned.keys()), pointsPerIdleUnit };
  }

  /** A finder that has not seen how it came to this. */
  afresh(): NodeFinder {
    const finder = new NodeFinder(this.view, this.policy);
    for (const [node, until] of this.shunned) finder.shun(node, until);
    for (const { replica, node, deviceIds } of this.assumed.values()) {
      finder.assume(replica, { node, deviceIds, score: 0, parts: {} }, 0);
    }
    return finder;
  }

  /** Another node altogether under the name, or the same with only its health, limits or room changed. */
  private nodeMove(picks: Picks): Node {
    const next = nodeOf(picks);
    const held = this.truth.get(next.key) as Node | undefined;
    if (held === undefined || picks.onceIn(4)) return next;
    const { pools, region, zone, capacity } = held.spec;
    const { deviceMillis } = capacity;
    const spec = { ...next.spec, pools, region, zone };
    const meta = { ...next.meta, labels: held.meta.labels };
    return { ...next, meta, spec: { ...spec, capacity: { ...next.spec.capacity, deviceMillis } } };
  }

  private commit(change: Pick<CommitParts, "put" | "gone">): void {
    this.revision += 1;
    this.pending.push(aCommit({ revision: this.revision, epoch: 1, ...change }));
  }

  private put(object: AnyObject): void {
    this.story.push(told(object));
    this.truth.set(object.key, object);
    this.commit({ put: [object] });
  }

  private remove(key: ObjectKey): void {
    if (!this.truth.delete(key)) return;
    this.story.push(`${key} goes`);
    this.commit({ gone: [key] });
  }

  private queued(workload: number, index: number, incarnation: number, uid = "first"): Replica {
    const parts = this.templates[workload % this.templates.length] ?? {};
    const replica = aReplica({
      ...parts,
      workload: WORKLOADS[workload] ?? "api",
      tenant: workload === 2 ? "shop" : "payments",
      index,
      incarnation,
      uid: uid as Uid,
      stage: "queued",
    });
    const labels = { app: WORKLOADS[workload] ?? "api", tier: workload === 0 ? "back" : "front" };
    return { ...replica, meta: { ...replica.meta, labels } };
  }

  /** One step along a replica's way: queued, bound somewhere, released, queued again, gone. */
  private moveReplica(picks: Picks): void {
    const workload = picks.next() % WORKLOADS.length;
    const { key } = this.queued(workload, picks.one(INDEXES), 1);
    const held = this.truth.get(key) as Replica | undefined;
    if (held === undefined) {
      this.births += 1;
      const index = Number(key.slice(key.lastIndexOf(".") + 1));
      return this.put(this.queued(workload, index, 1, `birth-${this.births}`));
    }
    const { stage, incarnation } = held.status;
    const freed = { node: undefined, deviceIds: [] };
    const to = (status: Partial<Replica["status"]>): void =>
      this.put({ ...held, status: { ...held.status, ...status } });
    if (picks.onceIn(6)) return this.remove(key);
    if (stage === "released") return to({ stage: "queued", incarnation: incarnation + 1 });
    if (stage === "bound" || picks.onceIn(5)) return to({ ...freed, stage: "released" });
    return to({ stage: "bound", ...this.destination(held, picks) });
  }

  /** Where it was asked to go, or, when another scheduler was faster, anywhere. */
  private destination(replica: Replica, picks: Picks): Partial<Replica["status"]> {
    const asked = this.assumed.get(replica.key);
    if (asked !== undefined && !picks.onceIn(4)) {
      return { node: asked.node, deviceIds: asked.deviceIds };
    }
    const name = picks.one(NODES);
    const node = this.truth.get(nodeKey(name)) as Node | undefined;
    const ids = node?.spec.pools.flatMap((pool) => pool.ids) ?? [];
    const count = replica.spec.template.ask.device?.count ?? 0;
    // A device that hangs on the node no longer is still held by whoever was given it.
    return { node: name, deviceIds: [...ids, "gone-0", "gone-1"].slice(0, count) };
  }

  private assume(picks: Picks): void {
    const open = [...this.view.objects.all("Replica").values()].filter(
      ({ status }) => status.stage === "queued",
    );
    if (open.length === 0) return;
    const replica = picks.one(open);
    const found: Found | undefined = this.finder.find(replica);
    if (found === undefined) return;
    this.finder.assume(replica, found, 0);
    const { node, deviceIds } = found;
    this.story.push(`assume ${replica.key} on ${node} ${deviceIds.join(",")}`);
    this.assumed.set(replica.key, { replica, node, deviceIds });
  }

  private shun(picks: Picks): void {
    const node = picks.one(NODES);
    const until = this.revision + 1 + (picks.next() % 3);
    this.story.push(`shun ${node} until ${until}`);
    this.finder.shun(node, until);
    this.shunned.set(node, Math.max(until, this.shunned.get(node) ?? 0));
  }
}

/** A policy as simple as one can be that looks at room and at units, and that may change its mind. */
class FullOfMemory implements ScoringPolicy {
  readonly name = "full-of-memory";
  readonly units = tightestUnits;
  version = 0;
  pointsPerIdleUnit = 7;

  learn(pointsPerIdleUnit: number): void {
    this.version += 1;
    this.pointsPerIdleUnit = pointsPerIdleUnit;
  }

  arrived(): void {
    // It takes every ask alike.
  }

  score(fleet: Fleet, row: number, shape: AskShape): number {
    const whole = fleet.memoryTotal[row]!;
    const used = whole - fleet.memoryFree[row]! + shape.memoryMiB;
    return Math.floor((used * 1000) / whole) + this.pointsPerIdleUnit * fleet.idleUnits[row]!;
  }
}

/** What tells it from the default, in one line. */
function told({ key, meta, spec, status }: AnyObject): string {
  return `${key} ${inspect({ labels: meta.labels, spec, status }, ONE_LINE)}`;
}

const ONE_LINE = { depth: 8, breakLength: Infinity, compact: true } as const;

function nodeOf(picks: Picks): Node {
  const gpus = picks.one([[], ["g0"], ["g0", "g1"], ["g0", "g1", "g2"]]);
  const others = picks.onceIn(3) ? [{ class: "gpu", model: "V100", ids: ["v0", "v1"] }] : [];
  const taint = { key: "spot", value: "yes" };
  const rack = picks.one(["r0", "r1", undefined]);
  return aNode({
    name: picks.one(NODES),
    zone: picks.one(["za", "zb", "zc"]),
    region: picks.one(["eu", "eu", "us"]),
    cpuMillis: picks.one([1000, 400, 0, 2000, 3_000_000_000]),
    memoryMiB: picks.one([1000, 500, 3000]),
    pools: [{ class: "gpu", model: "A100", ids: gpus }, ...others],
    labels: { ...(rack === undefined ? {} : { rack }), disk: picks.one(["ssd", "hdd"]) },
    taints: picks.one([
      [],
      [],
      [{ ...taint, effect: "prefer-no-schedule" }],
      [{ ...taint, effect: "no-schedule" }],
    ]),
    health: picks.one(["ready", "ready", "ready", "ready", "suspect"]),
    draining: picks.onceIn(7),
    ...(picks.onceIn(4) ? { maxReplicas: picks.next() % 3 } : {}),
    ...(picks.onceIn(9) ? { supply: "soft" as const } : {}),
  });
}

function templateOf(picks: Picks): ReplicaParts {
  const models = picks.one([[], ["A100"], ["V100", "A100"], ["H100"]]);
  const device = picks.one([
    undefined,
    undefined,
    { class: "gpu", models, count: 1, shareMillis: 1000 },
    { class: "gpu", models, count: 2, shareMillis: 1000 },
    { class: "gpu", models, count: 1, shareMillis: 400 },
  ]);
  const affinity = affinityOf(picks);
  const ssd = { key: "disk", operator: "in" as const, values: ["ssd"] };
  return {
    cpuMillis: picks.one([100, 300, 0]),
    memoryMiB: picks.one([100, 250]),
    ...(device === undefined ? {} : { device }),
    regions: picks.one([[], [], ["eu"]]),
    nodeSelector: picks.one([{}, {}, { disk: "ssd" }]),
    ...(picks.onceIn(4) ? { preferredNodes: [{ weight: 30, expressions: [ssd] }] } : {}),
    tolerations: picks.one([[], [{ key: "spot", value: "" }]]),
    spread: spreadOf(picks),
    ...(affinity === undefined ? {} : { affinity }),
    ...(picks.onceIn(4) ? { maxPerNode: 1 + (picks.next() % 2) } : {}),
    ...(picks.onceIn(6) ? { fixedPorts: { http: picks.one([8080, 9090]) } } : {}),
  };
}

function spreadOf(picks: Picks): readonly Spread[] {
  const count = picks.one([0, 0, 1, 2]);
  return BY.slice(0, count).map(() => ({
    by: picks.one(BY),
    maxSkew: 1 + (picks.next() % 2),
    ...(picks.onceIn(3) ? { soft: true } : {}),
  }));
}

function affinityOf(picks: Picks): Affinity | undefined {
  if (!picks.onceIn(2)) return undefined;
  const term = () => ({
    by: picks.one(BY),
    labels: picks.one([{ app: "api" }, { app: "db" }, { tier: "front" }, {}]),
    ...(picks.onceIn(3) ? { tenants: ["payments", "shop"] } : {}),
  });
  const some = () => (picks.onceIn(3) ? [term()] : []);
  const weighted = () => some().map((each) => ({ ...each, weight: 20 }));
  return {
    required: some(),
    preferred: weighted(),
    antiRequired: some(),
    antiPreferred: weighted(),
  };
}
