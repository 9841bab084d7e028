/**
 * Commands of other roles, filled in with real objects: the plane must refuse them because of their
 * sender alone, however well they fit.
 */
import type { Intent } from "../../core/protocol/command.ts";
import type { Evidence } from "../../core/model/evidence.ts";
import { type ObjectKey, tenantKey } from "../../core/model/ids.ts";
import { guessedOperations, inOrder } from "./guessed-operations.ts";
import type { Scene } from "./hostile-sender.ts";

/** Commands of controllers: neither agents nor people send them. */
export function controllersCommands(scene: Scene): readonly Intent[] {
  return [...aboutReplicas(scene), ...aboutWorkloads(scene), ...aboutNodes(scene)];
}

/** One of the targets of the attack. */
const aimedAt = <T extends { readonly key: ObjectKey }>(
  { pick, isAimedAt }: Scene,
  what: string,
  all: ReadonlyMap<ObjectKey, T>,
): T | undefined =>
  pick(
    what,
    inOrder(all.values()).filter(({ key }) => isAimedAt(key)),
  );

function aboutReplicas(scene: Scene): readonly Intent[] {
  const { view, operation, pick } = scene;
  const replica = aimedAt(scene, "replica", scene.view.objects.all("Replica"));
  if (replica === undefined) return [];
  const { key } = replica;
  const { incarnation, session, node = scene.own } = replica.status;
  const workload = inOrder(view.objects.all("Workload").values())[0]?.key ?? key;
  const surplus: Evidence = { kind: "surplus", workload };
  const ended: Evidence = { kind: "session-ended", node, session };
  const binding = { replica: key, incarnation, node: scene.own, deviceIds: [] };
  // Also under the id that its controller would use.
  const ids = [operation, ...guessedOperations(view, (object) => object.key === key)];
  const id = pick("id", ids) ?? operation;
  return [
    { kind: "evict", operation: id, replica: key, incarnation, evidence: surplus },
    { kind: "release", operation: id, key, incarnation, evidence: ended },
    { kind: "bind", operation: id, ...binding },
    { kind: "bind-all", operation: id, bindings: [binding] },
    { kind: "confirm", operation: id, replica: key, incarnation },
    { kind: "delete", operation: id, key, expect: {} },
    { kind: "reserve", operation: id, replica: key, incarnation, deadlineMs: 0 },
    { kind: "preempt", operation: id, victims: [], holdMs: 60_000, ...binding },
  ];
}

function aboutWorkloads(scene: Scene): readonly Intent[] {
  const { operation } = scene;
  const workload = aimedAt(scene, "workload", scene.view.objects.all("Workload"));
  if (workload === undefined) return [];
  const { key, status } = workload;
  const generation = status.templateGeneration;
  const indexes = [{ index: 0, incarnation: 1 }];
  const retargets = status.retargets ?? 0;
  return [
    { kind: "admit", operation, workload: key, generation, index: 0, incarnation: 1 },
    { kind: "enqueue", operation, workload: key, generation, indexes },
    { kind: "finish", operation, workload: key, generation, end: "succeeded" },
    { kind: "roll", operation, workload: key, retargets, move: { kind: "fail", reason: "" } },
    { kind: "recover", operation, workload: key },
  ];
}

function aboutNodes(scene: Scene): readonly Intent[] {
  const { operation } = scene;
  const found = aimedAt(scene, "node", scene.view.objects.all("Node"));
  if (found === undefined) return [];
  const { key, meta, status } = found;
  const { health: from, session } = status;
  const node = meta.name;
  const evidence: Evidence = { kind: "lease-expired", node, session, seq: 1 };
  return [
    { kind: "transition", operation, key, session, from, to: "fenced", evidence },
    { kind: "scale-down", operation, node },
    { kind: "drain-over", operation, node, generation: meta.generation },
  ];
}

/** Commands of people: an agent sends none of them. */
export function peoplesCommands(scene: Scene): readonly Intent[] {
  const { operation } = scene;
  const workload = aimedAt(scene, "workload", scene.view.objects.all("Workload"));
  const node = aimedAt(scene, "node", scene.view.objects.all("Node"));
  const commands: Intent[] = [];
  if (workload !== undefined) {
    const { key, meta, spec } = workload;
    const { labels } = meta;
    const desired = { kind: "Workload", spec: { ...spec, replicas: spec.replicas + 1 } } as const;
    const finalizers = ["hostile.example/keep"];
    commands.push(
      { kind: "delete", operation, key, expect: {} },
      { kind: "delete", operation, key: tenantKey(meta.namespace), expect: {} },
      { kind: "put", operation, key, desired, labels, finalizers, expect: {} },
    );
  }
  if (node !== undefined) {
    const { key, status } = node;
    const { health: from, session } = status;
    const evidence: Evidence = { kind: "person", name: "somebody", statement: "it is gone" };
    commands.push(
      { kind: "delete", operation, key, orphan: true, expect: {} },
      { kind: "transition", operation, key, session, from, to: "fenced", evidence },
    );
  }
  commands.push({ kind: "activate", operation, policy: "default", from: "", to: "p1", reason: "" });
  return commands;
}

/** Commands of agents: no person sends them. */
export function agentsCommands({ view, operation, pick, isAimedAt }: Scene): readonly Intent[] {
  const bound = inOrder(view.objects.all("Replica").values()).filter(
    ({ key, status }) => status.node !== undefined && isAimedAt(key),
  );
  const replica = pick("bound replica", bound);
  const node = pick("any node", inOrder(view.objects.all("Node").values()));
  const commands: Intent[] = [];
  if (replica !== undefined) {
    const { key, meta, status } = replica;
    const { incarnation, node: on = "", session } = status;
    const of = { replica: key, uid: meta.uid, incarnation, node: on, session };
    commands.push({ kind: "report", operation, ...of, stage: "failed" });
  }
  if (node !== undefined) {
    const session = node.status.session + 1;
    commands.push({ kind: "lease", operation, node: node.meta.name, session, seq: 1, kept: [] });
  }
  return commands;
}
