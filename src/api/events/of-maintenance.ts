/** What people do with a machine, and what became of its drain. */
import type { Cordon, Node } from "../../core/model/objects.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { drainText } from "../kinds/status/drain-status.ts";
import type { Happening } from "./happening.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

/** `by`: who wrote the node, who may not be the one whose hold it was. */
export function ofMaintenance(before: Node, after: Node, by: string): readonly Told[] {
  return [
    ...ofCordons(before.spec.cordons, after.spec.cordons, by),
    ...ofDrain(before, after, by),
    ...ofDeadline(before, after),
  ];
}

function* ofCordons(
  before: readonly Cordon[],
  after: readonly Cordon[],
  by: string,
): Iterable<Told> {
  for (const cordon of after) {
    if (isIn(cordon, before)) continue;
    const why = cordon.reason === "" ? "" : `: ${cordon.reason}`;
    const message = `${cordon.holder} cordoned the node${why}.`;
    yield { type: "Normal", reason: "Cordoned", message };
  }
  for (const { holder } of before.filter((each) => !isIn(each, after))) {
    if (holder === by) {
      yield { type: "Normal", reason: "Uncordoned", message: `${holder} lifted the cordon.` };
    } else {
      const message = `${by} lifted the cordon of ${holder} by force.`;
      yield { type: "Warning", reason: "CordonForced", message };
    }
  }
}

const isIn = ({ holder, reason }: Cordon, list: readonly Cordon[]): boolean =>
  list.some((each) => each.holder === holder && each.reason === reason);

function* ofDrain({ spec: was }: Node, { spec: is }: Node, by: string): Iterable<Told> {
  const hadHolder = was.draining ? was.drain?.holder : undefined;
  const isAnothers = hadHolder !== undefined && hadHolder !== by;
  if (was.draining && !is.draining) {
    const message = isAnothers
      ? `${by} ended the drain of ${hadHolder} by force.`
      : "The drain was ended.";
    yield { type: isAnothers ? "Warning" : "Normal", reason: "DrainEnded", message };
  }
  const isNew = is.draining && (!was.draining || was.drain?.holder !== is.drain?.holder);
  if (!isNew) return;
  const { deadlineMs, atDeadline = "stop" } = is.drain ?? {};
  const until =
    deadlineMs === undefined ? "" : `, for ${formatDuration(deadlineMs)} at most (${atDeadline})`;
  yield { type: "Normal", reason: "DrainBegan", message: `${drainText(is)}${until}.` };
}

function* ofDeadline(before: Node, { spec, status }: Node): Iterable<Told> {
  if (status.drain?.overMs === undefined || before.status.drain?.overMs !== undefined) return;
  if (spec.drain?.atDeadline === "force") {
    const message = "The drain deadline has passed: the remaining replicas are stopped.";
    yield { type: "Warning", reason: "DrainForced", message };
    return;
  }
  const message =
    "The drain deadline has passed with replicas left: they stay, and no new work is placed here.";
  yield { type: "Warning", reason: "DrainIncomplete", message };
}
