/**
 * What is left over of disconnects in a healed world: an index that has two replicas though both
 * can be heard of, one that was replaced, has ended and is still there, a node that is held or
 * suspected for longer than there is reason.
 */
import {
  nodeKey,
  type ObjectKey,
  replicaKey,
  type IndexOfGeneration,
} from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import type { Unfinished } from "./unfinished-work.ts";

/** As in `unfinished.ts`: what a lost wake-up takes to be made up for. */
const STALL_MS = 120_000;

/** Three windows of a minute in which a clock that is right again is seen to be. */
const SEEN_RIGHT_MS = 180_000;

export function* disconnectsLeft(truth: Truth): Iterable<Unfinished> {
  for (const replica of truth.objects.all("Replica").values()) {
    if (replica.status.superseded === undefined) continue;
    const found = replacedLeft(replica, truth);
    if (found !== undefined) yield found;
  }
  for (const { key, meta, status } of truth.objects.all("Node").values()) {
    if (!truth.isNodeUp(meta.name)) continue;
    const { damped, clock } = status;
    if (damped !== undefined) {
      const patienceMs = damped.untilMs - damped.sinceMs + STALL_MS;
      const stuckAs = `held since ${damped.sinceMs}`;
      yield { rule: "LIV5", key, stuckAs, patienceMs, message: `${key} is still held.` };
    }
    if (clock !== undefined) {
      const patienceMs = SEEN_RIGHT_MS + STALL_MS;
      const message = `The clock of ${key} is right again, and still suspected.`;
      yield { rule: "LIV5", key, stuckAs: "suspected of its clock", patienceMs, message };
    }
  }
}

function replacedLeft(replica: Replica, truth: Truth): Unfinished | undefined {
  const { key, status } = replica;
  const other = truth.objects.replica(otherName(key));
  if (other === undefined) return undefined;
  const at = { rule: "LIV11", key, patienceMs: STALL_MS } as const;
  if (!isHolding(replica)) {
    const message = `${key} was replaced, is ${status.stage}, and is still there.`;
    return { ...at, stuckAs: status.stage, message };
  }
  const node = truth.objects.node(nodeKey(status.node ?? ""));
  if (node?.status.health !== "ready" || !truth.isNodeUp(node.meta.name)) return undefined;
  const stuckAs = `${status.stage} beside ${other.status.stage}`;
  return { ...at, stuckAs, message: `${key} is back, and ${other.key} is there, too.` };
}

const otherName = (key: ObjectKey): ObjectKey =>
  (key.endsWith(".r") ? key.slice(0, -2) : `${key}.r`) as ObjectKey;

/** The name under which the index's own replica is, or would be made. */
export function nameOfIndex({ objects }: Truth, index: IndexOfGeneration): ObjectKey {
  const key = replicaKey(index);
  const first = objects.replica(key);
  const second = objects.replica(otherName(key));
  if (first?.status.superseded === undefined && (first !== undefined || second === undefined)) {
    return key;
  }
  if (second !== undefined) return second.status.superseded === undefined ? second.key : key;
  return first !== undefined && isHolding(first) ? otherName(key) : key;
}
