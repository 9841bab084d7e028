/**
 * The unfinished work of a recovery objective, for `unfinished.ts`: room that could be reserved, or
 * a begin or an end of a recovery that no commit has recorded.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Workload } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { feasibleNodes, notSchedulable } from "../models/naive-fit.ts";
import {
  anotherOf,
  lossNotNoted,
  recoveryPicture,
  spreadOverSpares,
} from "../models/naive-recovery.ts";
import type { Unfinished } from "./unfinished-work.ts";
import { nodeKey } from "../../../core/model/ids.ts";

export function* recoveryNotKept(
  workload: Workload,
  truth: Truth,
  stallMs: number,
): Iterable<Unfinished> {
  const { key, spec, status } = workload;
  if (spec.recovery === undefined && status.recovery === undefined) return;
  const { objects } = truth;
  const { held, need, most, serving, bar } = recoveryPicture(objects, workload);
  const found = (stuckAs: string, message: string): Unfinished => ({
    rule: "LIV40",
    key,
    stuckAs,
    patienceMs: stallMs,
    message: `${key}: ${message}`,
  });
  const isUnder = status.recovery?.under !== undefined;
  if (serving < bar !== isUnder) {
    const said = isUnder ? "it is said to recover" : "no controller has reported it";
    yield found(`recovering ${isUnder}`, `${serving} of ${bar} serve, and ${said}.`);
  }
  const loss = lossNotNoted(objects, workload);
  if (loss !== undefined) yield found(`${serving} of ${bar} serve`, loss);
  if (held.length > need) {
    yield found(`${held.length} held`, `${held.length} rooms are kept, and ${need} are of use.`);
  }
  for (const kept of held) {
    const node = objects.node(nodeKey(roomOf(kept.spec)?.node ?? ""));
    const closed = node === undefined ? "is gone" : notSchedulable(node);
    if (closed !== undefined) yield found("closed", `room is kept on a node that ${closed}.`);
  }
  const free = held.length < most ? roomFor(workload, truth) : undefined;
  if (free !== undefined) {
    yield found(
      `${held.length} of ${most}`,
      `${held.length} of ${most} rooms are kept, and ${free} has room.`,
    );
  }
}

/**
 * A node for one more reserved room. Anti-affinity against the other reserved rooms is left to the
 * authority.
 */
function roomFor(workload: Workload, { objects }: Truth): string | undefined {
  const { affinity, ask, maxPerNode } = workload.spec.template;
  if ((affinity?.antiRequired ?? []).length > 0) return undefined;
  const { held } = recoveryPicture(objects, workload);
  const isApart = maxPerNode !== undefined || ask.fixedPorts !== undefined;
  const taken = new Set(isApart ? held.map(({ spec }) => roomOf(spec)?.node) : []);
  const asked = anotherOf(workload);
  const nodes = feasibleNodes(objects, asked).filter(
    (node) => spreadOverSpares(objects, asked, { node, rooms: held }) === undefined,
  );
  return nodes.find(({ meta }) => !taken.has(meta.name))?.meta.name;
}
