/**
 * What a sender says that has the credentials of one node's agent, one function for each kind of
 * attack.
 */
import type { IntentOf } from "../../core/protocol/command.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import type { Labels, NodeSpec } from "../../core/model/objects.ts";
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import {
  ownReplicas,
  ownSession,
  renewal,
  STAGES,
  theirReplicas,
  truthful,
} from "./agents-words.ts";
import type { AgentAttack } from "./attack.ts";
import { controllersCommands, peoplesCommands } from "./borrowed-commands.ts";
import { BYZANTINE_LIES } from "./byzantine-lies.ts";
import { guessedOperations, inOrder } from "./guessed-operations.ts";
import type { Lie, Scene } from "./hostile-sender.ts";

/**
 * One at a time, so that nothing else about the put is a reason to refuse it; at last a claim that
 * could be true.
 */
const NODE_LIES: readonly {
  readonly capacity?: Partial<Amounts>;
  readonly spec?: Partial<NodeSpec>;
  readonly labels?: Labels;
  readonly finalizers?: readonly string[];
  readonly isOwned?: true;
}[] = [
  { capacity: { cpuMillis: 1_000_000_000, memoryMiB: 1_000_000_000 } },
  { labels: { "topology.kubernetes.io/zone": "eu-a" } },
  { finalizers: ["hostile.example/keep"] },
  { spec: { cordons: [{ holder: "ada", reason: "new disk" }] } },
  { spec: { draining: true } },
  { spec: { supply: "soft" } },
  // With its owner the node would go, and come back with other labels.
  { isOwned: true },
  {},
];

export const AGENT_LIES: Readonly<Record<AgentAttack, Lie>> = {
  "take-operation": (scene) => {
    const replica = scene.pick("own replica", ownReplicas(scene));
    const operation = scene.pick("operation", guesses(scene));
    if (replica === undefined || operation === undefined) return [];
    return [{ ...truthful(replica, scene), operation }];
  },
  "report-for-another": (scene) => {
    const replica = scene.pick("their replica", theirReplicas(scene));
    if (replica === undefined) return [];
    const stage = scene.pick("stage", STAGES) ?? "failed";
    return [{ ...truthful(replica, scene), stage, node: replica.status.node ?? "" }];
  },
  "false-report": (scene) => {
    const replica = scene.pick("own replica", ownReplicas(scene));
    if (replica === undefined) return [];
    const stage = scene.pick("stage", STAGES) ?? "failed";
    const said = { ...truthful(replica, scene), stage, reason: "made up" };
    const { incarnation, session } = replica.status;
    const other = scene.pick("other replica", theirReplicas(scene));
    const wrong = scene.pick<Partial<IntentOf<"report">>>("wrong", [
      {},
      {},
      { incarnation: incarnation + 1 },
      { incarnation: incarnation - 1 },
      { session: (session ?? 0) + 1 },
      { uid: other?.meta.uid ?? ("u1" as Uid) },
      { rejected: true, stage: "failed" },
      // Of another node, in the name of its own.
      other === undefined
        ? {}
        : { replica: other.key, uid: other.meta.uid, incarnation: other.status.incarnation },
    ]);
    return [{ ...said, ...wrong }];
  },
  "lease-for-another": (scene) => {
    const nodes = inOrder(scene.view.objects.all("Node").values());
    const theirs = nodes.filter(({ key, meta }) => meta.name !== scene.own && scene.isAimedAt(key));
    const node = scene.pick("their node", theirs);
    if (node === undefined) return [];
    const ahead = scene.pick("session", [0, 0, 1, 1_000]) ?? 0;
    return [renewal(scene, { node: node.meta.name, session: node.status.session + ahead })];
  },
  "forge-session": (scene) => {
    const session = ownSession(scene);
    const lie = scene.pick<Partial<IntentOf<"lease">>>("session", [
      { session: session + 1 },
      { session: session + 1_000 },
      { session: session - 1 },
      { session: session + 0.5 },
      { session: Number.NaN },
      { session: Number.MAX_SAFE_INTEGER },
      { seq: Number.MAX_SAFE_INTEGER },
      { seq: -1 },
      { clock: { startedMs: 0, nowMs: Number.MAX_SAFE_INTEGER } },
    ]);
    return [renewal(scene, { ...lie })];
  },
  "forge-inventory": (scene) => {
    const theirs = theirReplicas(scene).map(({ key }) => key);
    const replicas = scene.pick("listed", [[], theirs, ownReplicas(scene).map(({ key }) => key)]);
    const asOf = scene.view.revision + (scene.pick("as of", [0, 0, 1_000_000]) ?? 0);
    const kept = scene.pick("kept", [[], theirs]) ?? [];
    const session = ownSession(scene) + (scene.pick("session", [0, 0, 1]) ?? 0);
    return [renewal(scene, { session, kept, inventory: { asOf, replicas: replicas ?? [] } })];
  },
  "act-as-plane": (scene) => {
    const all = [...controllersCommands(scene), ...peoplesCommands(scene)];
    const said = scene.pick("command", all);
    return said === undefined ? [] : [said];
  },
  "put-node": (scene) => {
    const nodes = inOrder(scene.view.objects.all("Node").values());
    const own = nodes.find(({ meta }) => meta.name === scene.own);
    // Where its own is not there it registers itself, like any other machine.
    const model = own ?? nodes[0];
    const target = own === undefined ? nodeKey(scene.own) : scene.pick("node", nodes)?.key;
    if (model === undefined || target === undefined) return [];
    const { region, zone, pools } = model.spec;
    const lie = NODE_LIES[scene.at % NODE_LIES.length] ?? {};
    const large = { cpuMillis: 64_000, memoryMiB: 256_000 };
    const capacity = { ...model.spec.capacity, ...large, ...lie.capacity };
    const spec = { region, zone, capacity, pools, taints: [], cordons: [], draining: false };
    const { operation } = scene;
    const desired = { kind: "Node", spec: { ...spec, ...lie.spec } } as const;
    const labels = { disk: "ssd", ...lie.labels };
    const { finalizers = [] } = lie;
    const owners = [{ key: model.key, uid: model.meta.uid }];
    const more = lie.isOwned === true ? { owners } : {};
    return [
      { kind: "put", operation, key: target, desired, labels, finalizers, ...more, expect: {} },
    ];
  },
  replay,
  flood: (scene) => [renewal(scene, {})],
  "look-up": lookUp,
  ...BYZANTINE_LIES,
};

export function replay({ sent, pick }: Scene): ReturnType<Lie> {
  const said = pick("again", sent);
  return said === undefined ? [] : [said];
}

export function lookUp(scene: Scene): ReturnType<Lie> {
  const operation = scene.pick("looked up", [...scene.seen, ...scene.people]);
  return operation === undefined ? [] : [{ kind: "lookup", operation }];
}

const guesses = (scene: Scene): ReturnType<typeof guessedOperations> => [
  ...scene.people,
  ...guessedOperations(
    scene.view,
    (object) =>
      scene.isAimedAt(object.key) &&
      (object.kind === "Workload" || object.status.node !== scene.own),
  ),
];
