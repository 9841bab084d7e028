/**
 * Objects as rows of a document. The usage of a node or a quota is a sum over others, so a commit
 * that binds a replica is shown to change the row of its node, too, although it does not write the
 * node.
 */
import { roomOf } from "../core/model/reservation.ts";
import type { Change, Commit } from "../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, quotaKey } from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { factsOf } from "../sim/report/facts-of.ts";
import { takenIn } from "../sim/report/taken-in.ts";
import type { Shown, ShownChange } from "./incident-document.ts";

export class ShownRows {
  private readonly objects: ObjectIndex;
  /** Of nodes and quotas: the row as it was shown last. */
  private readonly sums = new Map<ObjectKey, string>();

  /** `objects` is what the commits are folded into, by the caller. */
  constructor(objects: ObjectIndex) {
    this.objects = objects;
  }

  of(object: AnyObject): Shown {
    const row = { key: object.key, cells: factsOf(object, takenIn(this.objects, object.key)) };
    if (isSum(object)) this.sums.set(object.key, JSON.stringify(row.cells));
    return row;
  }

  /** What these commits changed, one list for each. They are folded already, all of them. */
  changedBy(commits: readonly Commit[]): readonly (readonly ShownChange[])[] {
    const rows = commits.map(({ changes }) => changes.map((change) => this.changed(change)));
    // Of a sum there is only the one after all of them, which belongs to the last that moved it.
    const movers = new Map<ObjectKey, number>();
    for (const [at, { changes }] of commits.entries()) {
      for (const key of changes.flatMap(sumsOf)) movers.set(key, at);
    }
    for (const [key, at] of movers) {
      const object = this.objects.get(key);
      const before = this.sums.get(key);
      if (object === undefined) continue;
      const row = this.of(object);
      if (this.sums.get(key) !== before) rows[at]?.push(row);
    }
    return rows;
  }

  private changed({ key, after }: Change): ShownChange {
    if (after !== undefined) return this.of(after);
    this.sums.delete(key);
    return { key, cells: undefined };
  }
}

const isSum = ({ kind }: AnyObject): boolean => kind === "Node" || kind === "Quota";

function sumsOf({ before, after }: Change): readonly ObjectKey[] {
  return [before, after].flatMap((object) => {
    if (object?.kind === "Replica") {
      const { node } = object.status;
      return [quotaKey(object.meta.namespace), ...(node === undefined ? [] : [nodeKey(node)])];
    }
    if (object?.kind !== "Reservation") return [];
    const room = roomOf(object.spec);
    return [quotaKey(object.meta.namespace), ...(room === undefined ? [] : [nodeKey(room.node)])];
  });
}
