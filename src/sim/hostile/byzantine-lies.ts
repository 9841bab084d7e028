/**
 * What an agent says that lies about its machine rather than about its work: its clock, its
 * drivers, its place, its identity, and the secrets that it asks for. Such a node may lose its own
 * work, and no other node, tenant or secret may notice.
 */
import { DRIVER_NAMES } from "../../core/model/node/driver-name.ts";
import type { NodeSpec, Replica } from "../../core/model/objects.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import type { SecretsAsk } from "../../core/protocol/secrets-ask.ts";
import { ownReplicas, ownSession, renewal, theirReplicas, truthful } from "./agents-words.ts";
import type { AgentAttack } from "./attack.ts";
import { inOrder } from "./guessed-operations.ts";
import type { Lie, Scene } from "./hostile-sender.ts";

export const BYZANTINE = [
  "ask-secrets",
  "bend-clock",
  "boast",
  "move-node",
  "twin",
] as const satisfies readonly AgentAttack[];

/** How long the clock of a bent renewal takes for the time between two of them. */
const PACES_MS = [0, 1, 40, 60, 5_000, 3_600_000, -10_000] as const;
const LONG = "x".repeat(10_000);
const MORE_DEVICES = [{ class: "gpu", model: "A100", ids: ["gpu-0", "gpu-1", "gpu-7"] }];

export const BYZANTINE_LIES: Readonly<Record<(typeof BYZANTINE)[number], Lie>> = {
  "ask-secrets": (scene) => {
    const theirs = scene.pick("their replica", theirReplicas(scene));
    const own = scene.pick("own replica", ownReplicas(scene));
    const asked: SecretsAsk[] = [];
    if (theirs !== undefined) {
      const ask = askFor(theirs, scene.own);
      const there = theirs.status.node ?? "";
      asked.push(ask, { ...ask, node: there }, { ...ask, session: ownSession(scene) });
    }
    if (own !== undefined) {
      const ask = askFor(own, scene.own);
      const { incarnation, session } = ask;
      asked.push(ask, { ...ask, incarnation: incarnation + 1 }, { ...ask, session: session - 1 });
    }
    const secrets = scene.pick("ask", asked);
    return secrets === undefined ? [] : [{ kind: "lookup", operation: scene.operation, secrets }];
  },
  "bend-clock": (scene) => {
    const pace = scene.pick("pace", PACES_MS) ?? 0;
    const startedMs = 1_000_000;
    return [renewal(scene, { clock: { startedMs, nowMs: startedMs + 500_000 + scene.at * pace } })];
  },
  boast: (scene) => {
    const replicas = ownReplicas(scene).map(({ key }) => key);
    const drivers = DRIVER_NAMES.map((name) => ({ name }));
    const notes = scene.pick("notes", [[], [LONG], ["no cgroups"], Array<string>(200).fill("n")]);
    const inventory = { asOf: scene.view.revision, replicas, drivers };
    return [renewal(scene, { inventory, notes: notes ?? [] })];
  },
  "move-node": (scene) => {
    const nodes = inOrder(scene.view.objects.all("Node").values());
    const own = nodes.find(({ meta }) => meta.name === scene.own);
    const other = scene.pick("other", nodes);
    if (own === undefined || other === undefined) return [];
    const { region, zone } = other.spec;
    const capacity = { ...own.spec.capacity, cpuMillis: own.spec.capacity.cpuMillis * 4 };
    const lie = scene.pick<Partial<NodeSpec>>("lie", [
      { region, zone },
      { taints: [] },
      { capacity },
      { pools: MORE_DEVICES },
      { cordons: [], draining: false },
    ]);
    const put: IntentOf<"put"> = {
      kind: "put",
      operation: scene.operation,
      key: own.key,
      desired: { kind: "Node", spec: { ...own.spec, ...lie } },
      labels: { ...own.meta.labels, ...other.meta.labels },
      finalizers: [],
      expect: {},
    };
    return [put];
  },
  twin: (scene) => {
    const session = ownSession(scene);
    // It boots as the first one did: with nothing running, in the next session.
    if (scene.at % 4 === 0) {
      const inventory = { asOf: scene.view.revision, replicas: [] };
      return [renewal(scene, { session: session + 1, inventory })];
    }
    const replica = scene.pick("replica", ownReplicas(scene));
    if (replica === undefined) return [renewal(scene, {})];
    const stage = scene.pick("stage", ["starting", "ready", "failed"] as const) ?? "starting";
    return [{ ...truthful(replica, scene), session, stage }];
  },
};

function askFor({ key, meta, status }: Replica, node: Scene["own"]): SecretsAsk {
  const { incarnation, session } = status;
  return { replica: key, uid: meta.uid, incarnation, node, session };
}
