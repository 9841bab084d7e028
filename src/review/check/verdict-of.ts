/** What all evidence for a promise comes to. The strongest counter-evidence comes first. */
import { countText } from "../../core/model/text/count-text.ts";
import { kindOf, type StatedPromise } from "../promise.ts";
import type { CapacityArgument } from "../review.ts";
import type { AskedCapacity } from "./ask-capacity.ts";
import type { Failure, Failures } from "./failures.ts";
import { spanText } from "../report/span-text.ts";
import type { SeedRuns } from "./run-seeds.ts";
import type { Claim } from "./static-claims.ts";
import { tooClose } from "./margin.ts";
import { isShown, runsToShow } from "./sureness.ts";

export interface Evidence {
  readonly failures: Failures;
  readonly claim: Claim | undefined;
  /** The question behind the capacity argument; a fix is searched for it. */
  readonly asked?: AskedCapacity;
  readonly capacity: CapacityArgument | undefined;
  readonly invariant: Claim | undefined;
  readonly runs: SeedRuns | undefined;
}

export function verdictOf(promise: StatedPromise, evidence: Evidence): Claim {
  const { claim, invariant } = evidence;
  const found = claim ??
    noRoom(promise, evidence) ??
    invariant ??
    brokenRuns(promise, evidence) ??
    openQuestion(promise, evidence) ?? {
      verdict: "holds" as const,
      reason: whyItHolds(promise, evidence),
    };
  return { verdict: found.verdict, reason: `${upperFirst(found.reason)}.` };
}

function noRoom(promise: StatedPromise, { capacity }: Evidence): Claim | undefined {
  if (capacity === undefined) return undefined;
  const { failures, broken, worst, binding, counted } = capacity;
  const { holds } = promise.spec;
  const mayBreak = holds?.of === "failures" ? failures * (1 - share(holds.atLeast)) : 0;
  if (broken <= mayBreak || worst === undefined) return undefined;
  const { lost, replicas, placed } = worst;
  const cause = binding === undefined ? "there is no room" : `${binding} binds`;
  const missing = replicas - placed;
  const of = `${missing} of ${countText(replicas, "replica")} ${missing === 1 ? "finds" : "find"}`;
  const reason = `${cause}: ${of} no ${ROOM_TEXT[counted]} ${isAboutDrains(promise) ? "for the drain" : "after the loss"} of ${lost.join(" and ")}`;
  return { verdict: "breached", reason };
}

/** What was counted, in the words of a person who looks for a place. */
const ROOM_TEXT: Readonly<Record<CapacityArgument["counted"], string>> = {
  hard: "free or reserved room",
  reclaimable: "room, not even by preemption,",
  soft: "room, not even on nodes that pools may add,",
};

function brokenRuns(promise: StatedPromise, { runs }: Evidence): Claim | undefined {
  if (runs === undefined || runs.worst?.is !== "broken") return undefined;
  const { seeds, kept } = runs.simulation;
  const { worst } = runs;
  const after = afterText(worst.failure);
  const of = `${seeds - kept} of ${countText(seeds, "run")}`;
  const reason = `${worst.why ?? "the promise was not kept"}${after} (seed ${worst.seed}; ${of} broke it)`;
  const { holds } = promise.spec;
  if (holds?.atLeast === undefined || holds.of === "failures")
    return { verdict: "breached", reason };
  // The runs may break it as often as it allows; more often only shows what they are unlikely for.
  const mayBreak = 1 - share(holds.atLeast);
  if ((seeds - kept) / seeds > mayBreak) return { verdict: "breached", reason };
  return undefined;
}

/** Of one node the cause names its drain already. */
function afterText(failure: Failure | undefined): string {
  if (failure === undefined) return "";
  if (failure.does === "lose") return ` after ${failure.text}`;
  return failure.nodes.length === 1 ? "" : ` in ${failure.text}`;
}

const isAboutDrains = (promise: StatedPromise): boolean =>
  kindOf(promise) === "drains" || promise.spec.when?.drain !== undefined;

/** Why what was seen does not suffice. */
function openQuestion(
  promise: StatedPromise,
  { failures, capacity, runs }: Evidence,
): Claim | undefined {
  if (capacity?.isProved === false) {
    return open(`not every failure was looked at: ${capacity.searched}`);
  }
  if (failures.isCut) return open("there are more combinations of failures than a review tries");
  if (runs === undefined) return undefined;
  if (runs.unknown !== undefined) return open(runs.unknown);
  const [lack] = runs.lacks;
  if (lack !== undefined) return open(lack);
  const { seeds, kept } = runs.simulation;
  if (runs.failuresRun < failures.all.length) {
    const of = `${runs.failuresRun} of ${failures.all.length} failures`;
    return open(`only ${of} were run; use --seeds ${failures.all.length}`);
  }
  const { holds } = promise.spec;
  if (holds?.atLeast === undefined || holds.of === "failures") {
    const close = runs.reach && tooClose(runs.reach);
    return close === undefined ? undefined : open(close);
  }
  const mayBreak = 1 - share(holds.atLeast);
  if (isShown(seeds, seeds - kept, mayBreak)) return undefined;
  return open(
    `${countText(seeds, "run")} cannot show that share; use --seeds ${runsToShow(mayBreak)} or more`,
  );
}

function whyItHolds(promise: StatedPromise, { failures, capacity, runs }: Evidence): string {
  const room =
    capacity === undefined || !ABOUT_ROOM.has(kindOf(promise))
      ? []
      : [
          capacity.headroom ??
            `all that is lost finds ${capacity.counted} room (${capacity.searched})`,
        ];
  if (
    kindOf(promise) !== "headroom" &&
    failures.all.length === 0 &&
    promise.spec.when?.also === undefined &&
    kindOf(promise) !== "isolation" &&
    kindOf(promise) !== "overrideEnds"
  ) {
    const idle = isAboutDrains(promise)
      ? "no replica that the promise is about is on such a node"
      : "no such failure hits what the promise is about";
    return [idle, ...room].join("; ");
  }
  const { simulation } = runs ?? {};
  const { worst } = simulation ?? {};
  const slowest =
    worst?.ms === undefined || worst.ms === 0 ? "" : `, the slowest after ${spanText(worst.ms)}`;
  const ran =
    simulation === undefined
      ? []
      : [`${simulation.kept} of ${countText(simulation.seeds, "run")} kept it${slowest}`];
  const checked =
    kindOf(promise) === "invariant"
      ? [`it holds after each of ${countText(failures.all.length, "failure")}`]
      : [];
  const shown = [...checked, ...ran, ...room];
  return shown.length === 0 ? "nothing that is there today speaks against it" : shown.join("; ");
}

/** Promises that are kept by places for replicas; the room after a loss says why. */
const ABOUT_ROOM: ReadonlySet<string> = new Set([
  "recover",
  "keepServing",
  "headroom",
  "isolation",
]);

const open = (reason: string): Claim => ({ verdict: "not-shown", reason });

const share = (millionths: number | undefined): number => (millionths ?? 1_000_000) / 1_000_000;

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
