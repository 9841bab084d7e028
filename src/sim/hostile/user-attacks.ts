/**
 * What a user says who owns one tenant, one function for each kind of attack. Today a user's token
 * may write every object; until access control draws that line, this one writes only what is its
 * tenant's own.
 */
import type { Intent, IntentOf } from "../../core/protocol/command.ts";
import { type OperationId, operationId, parseKey, workloadKey } from "../../core/model/ids.ts";
import { strangePut } from "./strange-put.ts";
import { worldWorkload } from "../world/build-world.ts";
import { FAILS } from "../world/failing-indexes.ts";
import type { WorldWorkload } from "../world/world.ts";
import { lookUp, replay } from "./agent-attacks.ts";
import type { UserAttack } from "./attack.ts";
import { agentsCommands, controllersCommands } from "./borrowed-commands.ts";
import { guessedOperations, inOrder } from "./guessed-operations.ts";
import type { Lie, Scene } from "./hostile-sender.ts";

/** So many names are used again and again. */
const NAMES = 6;

/** Tiny, so that the quota of the tenant is no bound on their number. */
const TINY = { cpuMillis: 10, memoryMiB: 8 };
const MANY = 12;

/** More than an object may have of anything. */
const TOO_MANY = 1_100;
const LONG_COMMAND: readonly string[] = Array.from({ length: TOO_MANY }, (_, at) => `word-${at}`);
const ofMany = (name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(LONG_COMMAND.map((word) => [`${name}${word}`, ""]));

export const USER_LIES: Readonly<Record<UserAttack, Lie>> = {
  "take-operation": (scene) => {
    const operation = scene.pick("operation", guesses(scene));
    if (operation === undefined) return [];
    const isPut = scene.pick("command", [true, true, false]) === true;
    if (isPut) return [put(work(scene, "decoy", 0), operation)];
    const key = workloadKey(scene.own, "decoy");
    return [{ kind: "delete", operation, key, expect: {} }];
  },
  "act-as-plane": (scene) => {
    const all = [...controllersCommands(scene), ...agentsCommands(scene)];
    const said = scene.pick("command", all);
    // People may delete a replica (ST90), and whose they may is what the API checks.
    const isAllowed = said?.kind === "delete" && parseKey(said.key).kind === "Replica";
    return said === undefined || isAllowed ? [] : [said];
  },
  "re-create": (scene) => {
    const name = nameOf(scene);
    const again = operationId(`${scene.operation}/again`);
    const key = workloadKey(scene.own, name);
    return [
      { kind: "delete", operation: scene.operation, key, expect: {} },
      put(work(scene, name, scene.pick("replicas", [1, 2, 4]) ?? 1), again),
    ];
  },
  flood: (scene) => [put(work(scene, `flood-${scene.at}`, MANY), scene.operation)],
  "failing-work": (scene) => {
    const name = `failing-${scene.at % NAMES}`;
    const command = [FAILS, "1", "100"];
    const of = { tenant: scene.own, name, replicas: 4, type: "batch", amounts: TINY } as const;
    return [put(worldWorkload({ ...of, command }), scene.operation)];
  },
  "block-deletion": (scene) => {
    const name = `blocked-${scene.at % NAMES}`;
    const again = operationId(`${scene.operation}/delete`);
    const finalizers = ["hostile.example/keep"];
    return [
      { ...put(work(scene, name, 1), scene.operation), finalizers },
      { kind: "delete", operation: again, key: workloadKey(scene.own, name), expect: {} },
    ];
  },
  namesake: (scene) => {
    const others = inOrder(scene.view.objects.all("Workload").values());
    const of = scene.pick(
      "namesake",
      others.filter(({ key }) => scene.isAimedAt(key)),
    );
    const name = of?.meta.name ?? "w1";
    const like = scene.pick("name", [name, `${name}.1.0`, `${name}.1`, `${name}.1.0.r`]) ?? name;
    return [put(work(scene, like, 2), scene.operation)];
  },
  oversized: (scene) => {
    const plain = put(work(scene, `large-${scene.at % NAMES}`, 1), scene.operation);
    const { desired } = plain;
    if (desired.kind !== "Workload") return [];
    const { template } = desired.spec;
    const spec = { ...desired.spec, template: { ...template, command: [...LONG_COMMAND] } };
    const large: readonly IntentOf<"put">[] = [
      { ...plain, labels: ofMany("label") },
      { ...plain, annotations: ofMany("note") },
      { ...plain, finalizers: Object.keys(ofMany("hostile.example/keep-")) },
      { ...plain, desired: { ...desired, spec } },
    ];
    return [large[scene.at % large.length] ?? plain];
  },
  replay,
  "look-up": lookUp,
  "strange-spec": strangePut,
};

const guesses = (scene: Scene): ReturnType<typeof guessedOperations> => [
  ...scene.people,
  ...guessedOperations(
    scene.view,
    ({ key, meta }) => meta.namespace !== scene.own && scene.isAimedAt(key),
  ),
];

const nameOf = (scene: Scene): string =>
  scene.pick(
    "name",
    Array.from({ length: NAMES }, (_, at) => `again-${at}`),
  ) ?? "again-0";

const work = ({ own }: Scene, name: string, replicas: number): WorldWorkload =>
  worldWorkload({ tenant: own, name, replicas, amounts: TINY });

function put(
  { tenant, name, labels, spec }: WorldWorkload,
  operation: OperationId,
): IntentOf<"put"> {
  const desired = { kind: "Workload", spec } as const;
  const key = workloadKey(tenant, name);
  return {
    kind: "put",
    operation,
    key,
    desired,
    labels,
    finalizers: [],
    expect: {},
  } satisfies Intent;
}
