/**
 * What an agent does not know of. Within its session it is the one witness of what runs on its
 * node: a replica that is bound there and missing from its lists, on views that must show it, does
 * not run (FG1, FG2).
 */
import { FORGOTTEN_KEPT, FORGOTTEN_TIMES, type Forgotten } from "../../model/node/forgotten.ts";
import { leaseKey, nodeKey } from "../../model/ids.ts";
import type { Lease, Replica } from "../../model/objects.ts";
import { withRejection } from "../../model/node-rejection.ts";
import { holdsNode } from "../../model/stage.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, FREED, type Verdict, withStatus } from "../verdict.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/**
 * What is to be remembered of the list that came with this renewal, or of the last one before it.
 */
export function forgottenAfter(
  { ledger }: CommitContext,
  held: Lease | undefined,
  { node, session, inventory }: IntentOf<"lease">,
): Forgotten | undefined {
  const before = held?.status.session === session ? held.status.forgotten : undefined;
  if (inventory === undefined) return before;
  const { asOf } = inventory;
  const listed = new Set(inventory.replicas);
  const replicas: Forgotten["replicas"][number][] = [];
  for (const [key, { meta, status }] of ledger.objects.replicasOn(node)) {
    // Nearly all are listed; then nothing of them is read.
    if (listed.has(key) || status.session !== session || meta.revision > asOf) continue;
    const { incarnation } = status;
    const { uid } = meta;
    const known = before?.replicas.find(
      (each) => each.uid === uid && each.incarnation === incarnation,
    );
    replicas.push({ replica: key, uid, incarnation, times: (known?.times ?? 0) + 1 });
  }
  if (replicas.length === 0) return undefined;
  replicas.sort((a, b) => (a.replica < b.replica ? -1 : 1));
  return { asOf, replicas: replicas.slice(0, FORGOTTEN_KEPT) };
}

export function releaseForgotten(
  context: CommitContext,
  replica: Replica,
  { evidence }: IntentOf<"release">,
): Verdict {
  const { stage, incarnation, node = "", session, rejections } = replica.status;
  if (!holdsNode(stage)) return reject("wrong-stage", replica.key, "holding a node", stage);
  if (context.role !== "release-forgotten") {
    return reject("not-owner", replica.key, "release-forgotten", context.role);
  }
  const isCited = evidence.kind === "agent-forgot" && evidence.node === node;
  if (!isCited || evidence.session !== session) {
    return reject("evidence-wrong", replica.key, `${node} session ${session}`, "another");
  }
  const wrong = notForgotten(context, replica, node);
  if (wrong !== undefined) return wrong;
  const lastEnd = `agent-forgot: the agent of ${node} does not know of it`;
  // It may well happen there again: the next incarnation looks elsewhere first.
  const after = { rejections: withRejection(rejections, { node, incarnation }) };
  return [withStatus(context, replica, { ...FREED, ...after, stage: "released", lastEnd })];
}

function notForgotten(
  { ledger }: CommitContext,
  replica: Replica,
  node: string,
): Rejection | undefined {
  const { objects } = ledger;
  const { incarnation, session } = replica.status;
  const now = objects.node(nodeKey(node))?.status;
  if (now?.session !== session || now.health === "fenced") {
    return reject("evidence-wrong", nodeKey(node), `session ${session}`, now?.health ?? "missing");
  }
  const { forgotten } = objects.lease(leaseKey(node))?.status ?? {};
  const found = forgotten?.replicas.find((each) => each.replica === replica.key);
  const isIts = found?.uid === replica.meta.uid && found.incarnation === incarnation;
  if (forgotten === undefined || !isIts || found.times < FORGOTTEN_TIMES) {
    const times = isIts ? found.times : 0;
    return reject("evidence-wrong", leaseKey(node), `missing ${FORGOTTEN_TIMES} times`, times);
  }
  // Whatever has become of it since may be the agent's own doing, and was told to it in any case.
  return replica.meta.revision > forgotten.asOf
    ? reject(
        "evidence-wrong",
        replica.key,
        `unchanged since ${forgotten.asOf}`,
        replica.meta.revision,
      )
    : undefined;
}
