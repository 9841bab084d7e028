/** What a commit says of an override: that it holds, that it was extended, and that it ended, and in which state. */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { targetText } from "../../core/model/override.ts";
import type { Override } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { postconditionOf } from "../kinds/status/postcondition.ts";
import { rfc3339 } from "../rfc3339.ts";
import { aboutObject, type Happening } from "./happening.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

export function overrideHappenings(before: Override | undefined, after: Override): readonly Told[] {
  const { spec, status } = after;
  const until = rfc3339(status.untilMs);
  if (before === undefined) {
    const message = `${spec.action} of ${targetText(spec.target)} by ${status.owner} until ${until}: ${spec.reason}`;
    return [{ type: "Normal", reason: "Overridden", message }];
  }
  if (before.status.untilMs === status.untilMs) return [];
  const message = `${status.owner} moved its end from ${rfc3339(before.status.untilMs)} to ${until}.`;
  return [{ type: "Normal", reason: "OverrideExtended", message }];
}

/** Commands by which one can go; all others are not looked into. */
const ENDS: ReadonlySet<Commit["command"]> = new Set(["release", "delete", "put"]);

/** Told at once, because what it was to leave behind is true or not at that moment. */
export function overrideEnds(commit: Commit, objects: ObjectIndex): readonly Happening[] {
  if (!ENDS.has(commit.command)) return [];
  return commit.changes.flatMap(({ before, after }) => {
    if (before?.kind !== "Override" || after !== undefined) return [];
    const { name } = commit.actor;
    const isOver = commit.command === "release";
    const how = isOver ? "It expired" : `${name} released it`;
    const post = postconditionOf(before, objects);
    return [
      {
        type: post?.status === "False" ? ("Warning" as const) : ("Normal" as const),
        reason: isOver ? "OverrideExpired" : "OverrideReleased",
        message: `${how}; the work that it held back resumes within seconds.${post === undefined ? "" : ` ${post.message}`}`,
        about: aboutObject(before),
        atMs: commit.atMs,
        source: name,
      },
    ];
  });
}
