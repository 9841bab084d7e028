/** What people do with a machine, and what became of its drain. */
import type { Cordon } from "../../core/model/node/cordon.ts";
import type { Node } from "../../core/model/objects.ts";
import { formatDuration } from "../../quantity/duration.ts";
import { drainText } from "../kinds/status/drain-status.ts";
import { type Fact, normal, warning } from "./fact.ts";

/** `by`: who wrote the node, who may not be the one whose hold it was. */
export function* maintenanceFacts(before: Node, after: Node, by: string): Iterable<Fact> {
  yield* cordonFacts(before, after, by);
  yield* drainFacts(before, after, by);
  yield* deadlineFacts(before, after);
}

function* cordonFacts({ spec: was }: Node, { spec, meta }: Node, by: string): Iterable<Fact> {
  for (const cordon of spec.cordons) {
    if (isIn(cordon, was.cordons)) continue;
    const why = because(cordon.reason);
    const message = `${cordon.holder} cordoned the node${why}.`;
    yield normal("Cordoned", message, `cordoned ${meta.name}${why}`);
  }
  for (const cordon of was.cordons) {
    const { holder } = cordon;
    if (isIn(cordon, spec.cordons)) continue;
    const did = `uncordoned ${meta.name}`;
    yield holder === by
      ? normal("Uncordoned", `${holder} lifted the cordon.`, did)
      : warning(
          "CordonForced",
          `${by} lifted the cordon of ${holder} by force.`,
          `${did}, which ${holder} had cordoned`,
        );
  }
}

const isIn = ({ holder, reason }: Cordon, list: readonly Cordon[]): boolean =>
  list.some((each) => each.holder === holder && each.reason === reason);

const because = (reason: string): string => (reason === "" ? "" : `: ${reason}`);

function* drainFacts({ spec: was }: Node, { spec: is, meta }: Node, by: string): Iterable<Fact> {
  if (was.draining && !is.draining) {
    const holder = was.drain?.holder;
    const did = `ended the drain of ${meta.name}`;
    yield holder === undefined || holder === by
      ? normal("DrainEnded", "The drain was ended.", did)
      : warning("DrainEnded", `${by} ended the drain of ${holder} by force.`, did);
  }
  const isNew = is.draining && (!was.draining || was.drain?.holder !== is.drain?.holder);
  if (!isNew) return;
  const { deadlineMs, atDeadline = "stop", reason = "" } = is.drain ?? {};
  const until =
    deadlineMs === undefined ? "" : `, for ${formatDuration(deadlineMs)} at most (${atDeadline})`;
  const did = `began to drain ${meta.name}${because(reason)}`;
  yield normal("DrainBegan", `${drainText(is)}${until}.`, did);
}

function* deadlineFacts(before: Node, { spec, status, meta }: Node): Iterable<Fact> {
  if (status.drain?.overMs === undefined || before.status.drain?.overMs !== undefined) return;
  const did = `noted that the deadline of the drain of ${meta.name} has passed`;
  const over = "The drain deadline has passed";
  yield spec.drain?.atDeadline === "force"
    ? warning("DrainForced", `${over}: the remaining replicas are stopped.`, did)
    : warning(
        "DrainIncomplete",
        `${over} with replicas left: they stay, and no new work is placed here.`,
        did,
      );
}
