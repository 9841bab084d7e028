/**
 * Drift: replicas that are bound to a node whose agent goes on in the same session and does not
 * know of them. Owner of their release. Useful partial progress is a replica that the agent has yet
 * to be shown: it is given six of the agent's own lists, which is longer than the agent takes to
 * compare its view with the truth, and whatever changes about the replica meanwhile begins the
 * count anew.
 */
import { countAre, countText } from "../model/text/count-text.ts";
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { FORGOTTEN_TIMES } from "../model/node/forgotten.ts";
import { leaseKey, nodeKey, type ObjectKey, parseKey } from "../model/ids.ts";
import type { Lease, Replica } from "../model/objects.ts";
import type { View } from "../observe/view.ts";
import { releaseOperation } from "../protocol/operations.ts";

/** A renewal shows how it goes on; this is only for the case that none comes. */
const PATIENCE_MS = 15_000;

export const createReleaseForgotten = (): Controller => ({
  role: "release-forgotten",
  interest: { kinds: new Set(["Lease", "Replica"]), node: undefined },
  keysFor: ({ before, after }: Change) => {
    const lease = after ?? before;
    return lease?.kind === "Lease" && isForgetful(before, after) ? [nodeKey(lease.spec.node)] : [];
  },
  allKeys: (view) =>
    [...view.objects.all("Lease").values()]
      .filter(({ status }) => status.forgotten !== undefined)
      .map(({ spec }) => nodeKey(spec.node)),
  reconcile: releaseForgotten,
});

/** Almost no renewal is about this. */
const isForgetful = (before: Change["before"], after: Change["after"]): boolean =>
  (after as Lease | undefined)?.status.forgotten !== undefined ||
  (before as Lease | undefined)?.status.forgotten !== undefined;

export function releaseForgotten(key: ObjectKey, view: View, look: Look): Decision {
  const { name } = parseKey(key);
  const lease = view.objects.lease(leaseKey(name));
  const forgotten = lease?.status.forgotten;
  if (lease === undefined || forgotten === undefined) return settled;
  const intents: Intent[] = [];
  for (const { replica: of, uid, incarnation, times } of forgotten.replicas) {
    const replica = view.objects.replica(of);
    if (times < FORGOTTEN_TIMES || replica?.status.incarnation !== incarnation) continue;
    if (replica.meta.uid !== uid) continue;
    if (replica.status.node !== name || replica.meta.revision > forgotten.asOf) continue;
    intents.push(release(replica, lease));
  }
  if (intents.length > 0) {
    return propose(intents, {
      summary: `the agent of ${name} does not know of ${countText(intents.length, "replica")} bound there`,
    });
  }
  return wait({
    reason: "agent-forgot",
    wakes: [],
    deadlineMs: look.now + PATIENCE_MS,
    because: {
      summary: `${countAre(forgotten.replicas.length, "replica")} missing from the list of the agent of ${name}, not yet often enough to act`,
    },
  });
}

const release = (replica: Replica, { spec, status }: Lease): Intent => ({
  kind: "release",
  operation: releaseOperation(replica),
  key: replica.key,
  incarnation: replica.status.incarnation,
  evidence: { kind: "agent-forgot", node: spec.node, session: status.session },
});
