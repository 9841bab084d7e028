/**
 * The use of a bootstrap token, counted in the log before its certificate is handed out: neither
 * another leader, a restart nor the deletion of the node makes the token good again (NJ2). Uses of
 * tokens that ended long ago go in the same commit, so their number stays bounded.
 */
import { nodeKey } from "../../model/ids.ts";
import { JOIN_LIMITS } from "../../model/limits/join-limits.ts";
import { joinKey, type JoinUse, whyNoJoin } from "../../model/node/join.ts";
import type { Join, Meta } from "../../model/objects.ts";
import type { Change } from "../../protocol/commit-record.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject } from "../../protocol/rejection.ts";
import {
  type CommitContext,
  changed,
  missing,
  removed,
  touched,
  type Verdict,
} from "../verdict.ts";

export function checkJoin(context: CommitContext, intent: IntentOf<"join">): Verdict {
  const { ledger, nowMs, role } = context;
  if (role !== "agent") return reject("not-owner", "join", "agent", role);
  const { node, uid, keyId } = intent;
  const held = ledger.objects.node(nodeKey(node));
  if (held === undefined || held.meta.deletingMs !== undefined || held.meta.uid !== uid) {
    return missing(nodeKey(node));
  }
  const key = joinKey(intent.token);
  const before = ledger.objects.get(key) as Join | undefined;
  const known = before?.status.uses ?? [];
  const why = whyNoJoin(known, intent, intent.uses);
  if (why !== undefined) return reject("join-used", key, `at most ${intent.uses} uses`, why);
  const isKnown = known.some((use) => use.node === node && use.uid === uid);
  const use: JoinUse = { node, uid, keyId, atMs: nowMs };
  const uses = isKnown ? known : [...known, use];
  const over = [...ledger.objects.all("Join").values()]
    .filter((join) => join.key !== key && isOver(join, nowMs))
    .slice(0, JOIN_LIMITS.joinsDropped.value)
    .map(removed);
  return [written(context, before, { key, uses }), ...over];
}

function written(
  context: CommitContext,
  before: Join | undefined,
  { key, uses }: { readonly key: Join["key"]; readonly uses: readonly JoinUse[] },
): Change {
  if (before !== undefined) {
    const meta = touched(before.meta, context.next);
    return changed<Join>(before, { ...before, meta, status: { uses } });
  }
  const token = key.slice("Join//".length);
  const meta: Meta = {
    namespace: "",
    name: token,
    uid: `u${context.next}` as Meta["uid"],
    generation: 1,
    revision: context.next,
    createdMs: context.nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  };
  const after: Join = { kind: "Join", key, meta, spec: { token }, status: { uses } };
  return { key, before: undefined, after };
}

const isOver = ({ status }: Join, nowMs: number): boolean =>
  status.uses.every(({ atMs }) => nowMs - atMs > JOIN_LIMITS.joinsKeptMs.value);
