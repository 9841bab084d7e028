/**
 * [IN6] No object that a user puts is larger than an object may be.
 *
 * It would break if sizes were left to the API: commands come past it, and every copy of a view,
 * every list and every replica of a workload carries what was put once. The numbers are written
 * down here a second time.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";

class ObjectSizesChecker implements Checker {
  readonly name = "object-sizes";
  readonly ignoresRenewals = true;

  beforeCommit({ actor, command, changes }: Commit, _truth: Truth, report: Report): void {
    if (command !== "put" || actor.role !== "user") return;
    for (const { key, after } of changes) {
      if (after === undefined) continue;
      const [large] = sizesOf(after).filter(({ size, most }) => size > most);
      if (large === undefined) continue;
      const { what, size, most } = large;
      report("IN6", `${actor.name} put ${key} with ${what} of ${size}, more than ${most}.`, key);
    }
  }
}

interface Size {
  readonly what: string;
  readonly size: number;
  readonly most: number;
}

function sizesOf({ meta, kind, spec }: AnyObject): readonly Size[] {
  const { labels, annotations = {}, finalizers } = meta;
  const sizes = [
    { what: "labels", size: Object.keys(labels).length, most: 128 },
    { what: "annotations", size: Object.keys(annotations).length, most: 256 },
    // One more is the plane's own.
    { what: "finalizers", size: finalizers.length, most: 33 },
  ];
  if (kind !== "Workload") return sizes;
  return [...sizes, { what: "a command", size: spec.template.command.length, most: 512 }];
}

export const createObjectSizesChecker = (): Checker => new ObjectSizesChecker();
