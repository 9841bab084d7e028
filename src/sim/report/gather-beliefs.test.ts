import { describe, expect, it } from "vitest";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { type Kind, nodeKey, operationId, quotaKey, type Uid } from "../../core/model/ids.ts";
import { NO_MACHINE } from "../../core/model/node/machine.ts";
import type { AnyObject, Node, Quota, Replica } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { View } from "../../core/observe/view.ts";
import { beliefTable } from "./belief-table.ts";
import { worldNode, worldWorkload } from "../world/build-world.ts";
import type { Truth } from "../check/checker.ts";
import { gatherBeliefs } from "./gather-beliefs.ts";
import { standardWorld } from "../world/standard-world.ts";

const meta = (namespace: string, name: string, revision: number): Node["meta"] => ({
  namespace,
  name,
  uid: `u-${name}` as Uid,
  generation: 1,
  revision,
  createdMs: 0,
  labels: {},
  finalizers: [],
  deletingMs: undefined,
});

const place = { region: "eu", zone: "a", cpuMillis: 2000, memoryMiB: 2048 };
const node: Node = {
  kind: "Node",
  key: nodeKey("n1"),
  meta: meta("", "n1", 1),
  spec: worldNode({ name: "n1", ...place }).spec,
  status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
};
const quota: Quota = {
  kind: "Quota",
  key: quotaKey("shop"),
  meta: meta("shop", "default", 2),
  spec: { limit: { cpuMillis: 8000, memoryMiB: 8192, deviceMillis: 0 } },
  status: {},
};
const { template } = worldWorkload({
  tenant: "shop",
  name: "web",
  replicas: 1,
  amounts: { cpuMillis: 500, memoryMiB: 256 },
}).spec;
const queued: Replica = {
  kind: "Replica",
  key: "Replica/shop/web.1.0" as Replica["key"],
  meta: meta("shop", "web.1.0", 3),
  spec: {
    workload: "web",
    workloadUid: "w" as Uid,
    generation: 1,
    index: 0,
    type: "service",
    template,
  },
  status: {
    stage: "queued",
    stageSinceMs: 0,
    incarnation: 1,
    failures: 0,
    node: undefined,
    session: 0,
    deviceIds: [],
    stopping: undefined,
  },
};
const bound: Replica = {
  ...queued,
  meta: meta("shop", "web.1.0", 4),
  status: { ...queued.status, stage: "bound", node: "n1", session: 1 },
};

const commit = (revision: number, after: AnyObject): Commit => ({
  revision,
  epoch: 1,
  atMs: 0,
  operation: operationId(`op-${revision}`),
  actor: { role: "user", name: "user" },
  command: "put",
  basis: 0,
  evidence: undefined,
  changes: [{ key: after.key, before: undefined, after }],
});
const commits = [commit(1, node), commit(2, quota), commit(3, queued), commit(4, bound)];

function viewUpTo(revision: number, kinds: readonly Kind[]): View {
  const view = new View({ kinds: new Set(kinds), node: undefined });
  view.follow(commits.slice(0, revision), revision, 1);
  return view;
}

function aTruth(views: Readonly<Record<string, View>>): Truth {
  const objects = new ObjectIndex();
  for (const change of commits.flatMap(({ changes }) => changes)) objects.fold(change);
  const clients = Object.entries(views).map(([name, view]) => ({
    name,
    view,
    owed: [],
    isTracking: () => false,
  }));
  return {
    world: standardWorld(),
    nowMs: 0,
    objects,
    commits,
    processes: () => [],
    processesOn: () => [],
    isNodeUp: () => true,
    machineOf: () => NO_MACHINE,
    leaseSentMs: () => undefined,
    clients: () => clients,
    planes: () => [],
  };
}

describe("gatherBeliefs()", () => {
  const truth = aTruth({
    "place-1": viewUpTo(3, ["Node", "Replica"]),
    "node-health": viewUpTo(4, ["Node"]),
    admit: viewUpTo(4, ["Replica", "Quota"]),
  });

  it("finds the object, the node it is on and its tenant's quota", () => {
    const keys = gatherBeliefs(truth, bound.key).map(({ key }) => key);
    expect(keys).toEqual([bound.key, node.key, quota.key]);
  });

  it("leaves out components that are never shown the kind", () => {
    const [replica, itsNode] = gatherBeliefs(truth, bound.key);
    expect(replica?.clients.map(({ name }) => name)).toEqual(["place-1", "admit"]);
    expect(itsNode?.clients.map(({ name }) => name)).toEqual(["place-1", "node-health"]);
  });

  it("gives the table in which one row differs", () => {
    const tables = gatherBeliefs(truth, bound.key).flatMap((beliefs) => beliefTable(beliefs));
    expect(tables).toEqual([
      "Replica/shop/web.1.0",
      "  who      revision  epoch  stage   node  incarnation  session  stopping",
      "  truth           4      1  bound   n1    1            1        –",
      "  place-1         3      1  queued  –     1            0        –         differs: stage, node, session",
      "  admit           4      1  bound   n1    1            1        –",
      "Node//n1",
      "  who          revision  epoch  health  session  closed  capacity      taken",
      "  truth               4      1  ready   1        no      2000m 2048Mi  500m 256Mi",
      "  place-1             3      1  ready   1        no      2000m 2048Mi  0m 0Mi      differs: taken",
      "  node-health         4      1  ready   1        no      2000m 2048Mi  –",
      "Quota/shop/default",
      "  who    revision  epoch  limit         taken",
      "  truth         4      1  8000m 8192Mi  500m 256Mi",
      "  admit         4      1  8000m 8192Mi  500m 256Mi",
    ]);
  });
});
