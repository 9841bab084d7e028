/** What one node's agent may say; lies change some of it. */
import { type AnyObject, type Replica } from "../../core/model/objects.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import { inOrder } from "./guessed-operations.ts";
import type { Scene } from "./hostile-sender.ts";

/** Further than any agent counts: each renewal is new, whatever the agent has sent. */
const AHEAD = 1_000_000;

export const STAGES = [
  "starting",
  "ready",
  "serving",
  "running",
  "succeeded",
  "failed",
  "released",
] as const;

const replicasIn = ({ view }: Scene, isMeant: (replica: Replica) => boolean): readonly Replica[] =>
  inOrder(view.objects.all("Replica").values()).filter(isMeant);

export const ownReplicas = (scene: Scene): readonly Replica[] =>
  replicasIn(scene, ({ status }) => status.node === scene.own);

export const theirReplicas = (scene: Scene): readonly Replica[] =>
  replicasIn(
    scene,
    ({ key, status }) =>
      status.node !== undefined && status.node !== scene.own && scene.isAimedAt(key),
  );

/** A report that changes as little as a report can. */
export function truthful({ key, meta, status }: Replica, scene: Scene): IntentOf<"report"> {
  return {
    kind: "report",
    operation: scene.operation,
    replica: key,
    uid: meta.uid,
    incarnation: status.incarnation,
    node: scene.own,
    session: status.session ?? 0,
    stage: STAGES.find((stage) => stage === status.stage) ?? "starting",
  };
}

export function ownSession({ view, own }: Scene): number {
  const isOwn = ({ kind, meta }: AnyObject): boolean => kind === "Node" && meta.name === own;
  return [...view.objects.all("Node").values()].find(isOwn)?.status.session || 1;
}

export function renewal(scene: Scene, lie: Partial<IntentOf<"lease">>): IntentOf<"lease"> {
  return {
    kind: "lease",
    operation: scene.operation,
    node: scene.own,
    session: ownSession(scene),
    // Later ones are higher, whichever attack they are of.
    seq: AHEAD + scene.view.revision * 100 + scene.at,
    kept: [],
    ...lie,
  };
}
