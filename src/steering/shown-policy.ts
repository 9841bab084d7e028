/**
 * Policies, revisions and bindings as the plane shows them, as far as `berth policy` looks into
 * them.
 */
import { listOf, recordOf, type ShownList, type ShownObject, textOf } from "./api-object.ts";

const API = "/apis/berth.dev/v1";

export interface ShownMove {
  readonly by: string;
  readonly time: string;
  readonly region: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  /** Of a rollback: what becomes of what, e.g. `{ bindings: "drain" }`. */
  readonly rollback: Readonly<Record<string, string>> | undefined;
}

export interface ShownPolicy {
  readonly name: string;
  readonly uid: string;
  readonly generation: number;
  /** Empty: none, and the policy says itself how nodes are scored. */
  readonly active: string;
  readonly stages: ReadonlyMap<string, string>;
  readonly history: readonly ShownMove[];
}

export interface ShownBinding {
  readonly replica: string;
  readonly policy: string;
  readonly node: string;
  readonly type: string;
  readonly revision: string;
}

/** Whatever reads objects of a plane: the command line's client, or a page. */
export interface ObjectReader {
  get<T>(path: string): Promise<T>;
}

export const readPolicy = async (client: ObjectReader, name: string): Promise<ShownPolicy> =>
  policyOf(await client.get<ShownObject>(`${API}/policies/${encodeURIComponent(name)}`));

export const readRevision = (client: ObjectReader, name: string): Promise<ShownObject> =>
  client.get<ShownObject>(`${API}/policyrevisions/${encodeURIComponent(name)}`);

export async function readAll(
  client: ObjectReader,
  plural: "policies" | "policyrevisions" | "replicas" | "nodes" | "recoverybudgets",
): Promise<readonly ShownObject[]> {
  return (await client.get<ShownList>(`${API}/${plural}`)).items;
}

export function policyOf({ metadata, spec = {}, status = {} }: ShownObject): ShownPolicy {
  const stages = listOf(spec["stages"]).map(recordOf);
  return {
    name: metadata.name,
    uid: metadata.uid ?? "",
    generation: metadata.generation ?? 0,
    active: textOf(spec["active"]),
    stages: new Map(
      stages.map(({ region, revision }) => [textOf(region), textOf(revision)] as const),
    ),
    history: listOf(status["history"]).map(recordOf).map(moveOf),
  };
}

function moveOf(move: Readonly<Record<string, unknown>>): ShownMove {
  const rollback = recordOf(move["rollback"]);
  const plan = Object.entries(rollback).map(([effect, way]) => [effect, textOf(way)] as const);
  return {
    by: textOf(move["by"]),
    time: textOf(move["time"]),
    region: textOf(move["region"]),
    from: textOf(move["from"]),
    to: textOf(move["to"]),
    reason: textOf(move["reason"]),
    rollback: plan.length === 0 ? undefined : Object.fromEntries(plan),
  };
}

/** The revision in force; in no region: wherever no stage says otherwise. */
export const inForce = ({ active, stages }: ShownPolicy, region: string | undefined): string =>
  (region === undefined ? undefined : stages.get(region)) ?? active;

/** What holds a node, and under which revision it was bound. */
export const readBindings = async (client: ObjectReader): Promise<readonly ShownBinding[]> =>
  bindingsIn(await readAll(client, "replicas"));

export function bindingsIn(replicas: readonly ShownObject[]): readonly ShownBinding[] {
  return replicas.flatMap(({ metadata, spec = {}, status = {} }): ShownBinding[] => {
    const node = textOf(status["node"]);
    const revision = textOf(status["policyRevision"]);
    if (node === "" || revision === "") return [];
    const policy = textOf(recordOf(spec["placement"])["policy"]) || "default";
    const replica = `${metadata.namespace ?? ""}/${metadata.name}`;
    return [{ replica, policy, node, type: textOf(spec["type"]), revision }];
  });
}
