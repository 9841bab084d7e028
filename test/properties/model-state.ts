/**
 * What the naive model believes: one flat list of plain things, and sums that loop over all of it every
 * time. Nothing is cached or indexed, because a forgotten update is the mistake the real index could make.
 */
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { DrainProgress } from "../../src/core/model/node/drain.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import type { Forgotten } from "../../src/core/model/node/forgotten.ts";
import type { Epoch, ObjectKey, Revision } from "../../src/core/model/ids.ts";
import type {
  Address,
  Ask,
  NodeHealth,
  NodeSpec,
  ObjectOf,
  Template,
  WorkloadSpec,
} from "../../src/core/model/objects.ts";
import type { WrittenKind } from "../../src/core/protocol/command.ts";
import type { NodeRejection } from "../../src/core/model/node-rejection.ts";
import type { Room } from "../../src/core/model/room.ts";
import type { Stage, Stopping } from "../../src/core/model/stage.ts";

interface Named<Kind extends string> {
  kind: Kind;
  key: ObjectKey;
  /** The tenant, or the empty string. */
  namespace: string;
  name: string;
  /** The revision that made it: tells a thing from a later one of the same name. */
  born: Revision;
  revision: Revision;
  generation: number;
  createdMs: number;
  labels: Record<string, string>;
  finalizers: string[];
  deletingMs: number | undefined;
}

/** Kinds of which the model keeps what was put and nothing else; some of them have tests of their own. */
type PlainKind = Exclude<WrittenKind, "Node" | "Workload">;
type PlainThing = {
  [K in PlainKind]: Named<K> & { spec: ObjectOf<K>["spec"] };
}[PlainKind];

/** What is said of the end of one that was released as lost; its wording is another test's. */
export const LOST = "lost with its node";

export interface NodeThing extends Named<"Node"> {
  spec: NodeSpec;
  health: NodeHealth;
  session: number;
  /** The kind of evidence its health rests on. */
  because: Evidence["kind"] | undefined;
  /** When it came back under the present leadership, and since when it is held for that. */
  returns: readonly number[];
  returnsOf: number;
  heldSinceMs: number | undefined;
  heldForMs: number;
  heldOf: number;
  /** Set while it is drained with a deadline. */
  drain: DrainProgress | undefined;
}
export interface WorkloadThing extends Named<"Workload"> {
  spec: WorkloadSpec;
  templateGeneration: number;
  /** The generation of which all indexes are wanted: no walk moves a rollout on, so there is one. */
  runs: number;
  /** Templates of before, the latest last. */
  past: { readonly generation: number; readonly template: Template }[];
}
export interface ReplicaThing extends Named<"Replica"> {
  workload: string;
  workloadBorn: Revision;
  templateGeneration: number;
  index: number;
  template: Template;
  stage: Stage;
  stageSinceMs: number;
  incarnation: number;
  failures: number;
  node: string | undefined;
  session: number;
  deviceIds: string[];
  stopping: Stopping | undefined;
  address: Address | undefined;
  lastNode: string | undefined;
  lastEnd: string | undefined;
  /** What the probe found that last took it out of ready in its present incarnation. */
  unready: { said: string; sinceMs: number } | undefined;
  /** The row of failed probes that was told last, while it lasts. */
  failingProbe: { said: string; times: number; sinceMs: number; toldMs: number } | undefined;
  rejections: readonly NodeRejection[];
  /** How often others were asked to make room for this incarnation. */
  preemptions: number;
}
export interface ReservationThing extends Named<"Reservation"> {
  owner: ObjectKey;
  ownerBorn: Revision;
  incarnation: number;
  amounts: Amounts;
  priorityClass?: string;
  /** Set: it holds room of a node and no quota. How long that lasts is counted from when it was made. */
  room: Room | undefined;
  holdMs: number;
}
export interface LeaseThing extends Named<"Lease"> {
  node: string;
  session: number;
  seq: number;
  renewedMs: number;
  epoch: Epoch;
  /** When it was last renewed after a silence. */
  backMs: number | undefined;
  forgotten: Forgotten | undefined;
}

export type Thing =
  | PlainThing
  | NodeThing
  | WorkloadThing
  | ReplicaThing
  | ReservationThing
  | LeaseThing;

type ThingOf<K extends Thing["kind"]> = Extract<Thing, { kind: K }>;

export interface KnownEffect {
  readonly id: string;
  /** One sender, or all controllers. */
  readonly whose: string;
  readonly kind: string;
  readonly revision: Revision;
}

export interface ModelState {
  revision: Revision;
  epoch: Epoch;
  nowMs: number;
  leadSinceMs: number;
  things: Thing[];
  effects: KnownEffect[];
}

export const emptyState = (): ModelState => ({
  revision: 0,
  epoch: 0,
  nowMs: 0,
  leadSinceMs: 0,
  things: [],
  effects: [],
});

/** For trying a step: effects replace the fields of things, and never write into what a field holds. */
export const copyOf = (state: ModelState): ModelState => ({
  ...state,
  things: state.things.map((thing) => ({ ...thing })),
});

export function every<K extends Thing["kind"]>(state: ModelState, kind: K): ThingOf<K>[] {
  return state.things.filter((thing): thing is ThingOf<K> => thing.kind === kind);
}

export function find<K extends Thing["kind"]>(
  state: ModelState,
  kind: K,
  key: ObjectKey,
): ThingOf<K> | undefined {
  const found = state.things.find((thing) => thing.key === key);
  return found?.kind === kind ? (found as ThingOf<K>) : undefined;
}

export const MEASURES = ["cpuMillis", "memoryMiB", "deviceMillis"] as const;

/** The stages in which the table of the specification shows a replica on a node. */
const ON_A_NODE: readonly Stage[] = ["bound", "starting", "ready", "serving", "running", "unknown"];
export const isOnANode = (replica: ReplicaThing): boolean => ON_A_NODE.includes(replica.stage);

export const isAtRest = ({ stage }: Pick<ReplicaThing, "stage">): boolean =>
  stage === "succeeded" || stage === "failed" || stage === "released";

export const replicasOn = (state: ModelState, node: string): ReplicaThing[] =>
  every(state, "Replica").filter((replica) => isOnANode(replica) && replica.node === node);

export function sum(amounts: readonly Amounts[]): Amounts {
  const total = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
  for (const some of amounts) for (const measure of MEASURES) total[measure] += some[measure];
  return total;
}

/** Those of quota: between `reserve` and `queue`. */
export const quotaReservations = (state: ModelState): ReservationThing[] =>
  every(state, "Reservation").filter(({ room }) => room === undefined);

export const isItsOwn = (
  held: ReservationThing,
  { key, born, incarnation }: ReplicaThing,
): boolean => held.owner === key && held.ownerBorn === born && held.incarnation === incarnation;

/** What a tenant has reserved and committed, from the reservations, the queue and the bindings that exist. */
export function useOfTenant(
  state: ModelState,
  tenant: string,
): { readonly reserved: Amounts; readonly committed: Amounts } {
  const reservations = quotaReservations(state).filter(({ namespace }) => namespace === tenant);
  const replicas = every(state, "Replica").filter(({ namespace }) => namespace === tenant);
  const bindings = replicas.filter(isOnANode);
  const queued = replicas.filter(({ stage }) => stage === "queued");
  return {
    reserved: sum([
      ...reservations.map(({ amounts }) => amounts),
      ...queued.map(({ template }) => template.ask.amounts),
    ]),
    committed: sum(bindings.map(({ template }) => template.ask.amounts)),
  };
}

export interface DeviceUse {
  usedMillis: number;
  owners: ObjectKey[];
}

/** How much of each unit of a node is taken, and by whom; a unit of which nothing is taken is not in it. */
export function deviceUse(state: ModelState, node: string): Record<string, DeviceUse> {
  const use: Record<string, DeviceUse> = {};
  for (const { key, deviceIds, template } of replicasOn(state, node)) {
    for (const id of deviceIds) {
      const unit = (use[id] ??= { usedMillis: 0, owners: [] });
      unit.usedMillis += template.ask.device!.shareMillis;
      unit.owners = [...unit.owners, key].toSorted();
    }
  }
  return use;
}

/** The units of a node that could be given to this ask, in the node's order. */
export function freeUnits(state: ModelState, node: NodeThing, ask: Ask): readonly string[] {
  const use = deviceUse(state, node.name);
  const { device } = ask;
  if (device === undefined) return [];
  return node.spec.pools
    .filter((pool) => pool.class === device.class)
    .filter((pool) => device.models.length === 0 || device.models.includes(pool.model))
    .flatMap((pool) => pool.ids)
    .filter((id) => 1000 - (use[id]?.usedMillis ?? 0) >= device.shareMillis);
}

export const wantedWorkload = (
  state: ModelState,
  replica: Pick<ReplicaThing, "namespace" | "workload">,
): WorkloadThing | undefined =>
  every(state, "Workload").find(
    ({ namespace, name }) => namespace === replica.namespace && name === replica.workload,
  );

/** BD2, word for word. */
export function isWanted(state: ModelState, replica: ReplicaThing): boolean {
  const workload = wantedWorkload(state, replica);
  if (workload === undefined) return false;
  const sameUid = workload.born === replica.workloadBorn;
  const sameTemplate = workload.runs === replica.templateGeneration;
  const leaving = workload.deletingMs !== undefined;
  return sameUid && !leaving && sameTemplate && workload.spec.replicas > replica.index;
}
