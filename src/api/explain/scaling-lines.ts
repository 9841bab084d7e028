/**
 * The observation, the needed replicas and the action of an autoscaler, a line each. Pure: `berth
 * explain` and the dashboard say the same words.
 */
import { partText } from "../../core/model/text/count-text.ts";
import { ageText } from "../age.ts";
import type { Scaling } from "./explanation.ts";

export type ScalingLine = readonly [what: string, text: string];

export function scalingLines(scaling: Scaling): readonly ScalingLine[] {
  const { says, steps } = scaling;
  return [
    ["observed", observedText(scaling)],
    ["needed", neededText(scaling)],
    ["decided", says],
    ...trouble(scaling),
    ...steps.map(({ at, from, to }): ScalingLine => {
      return [to > from ? "last up" : "last down", `from ${from} to ${to} at ${at}`];
    }),
  ];
}

function observedText({ observed, target }: Scaling): string {
  if (observed === undefined) return "no samples yet";
  const { load, covered, of, observation, ageMs } = observed;
  const measured = `sampled from ${partText(covered, of, "serving replica")}`;
  const what = covered === 0 ? "no load" : `a load of ${load} each, target ${target}`;
  return `${what}, ${measured} (observation ${observation}, ${ageText(ageMs)} ago)`;
}

function neededText({ needed, min, max }: Scaling): string {
  const bounds = `bounds ${min} to ${max}`;
  if (needed === undefined) return `unknown; ${bounds}`;
  return `${needed} ${needed === 1 ? "replica" : "replicas"} for this load; ${bounds}`;
}

/** Both are said only where something is wrong: a shortage, and what keeps more from serving. */
function trouble({ conditions }: Scaling): readonly ScalingLine[] {
  return conditions.flatMap(({ type, status, reason, message }): readonly ScalingLine[] => {
    if (type === "AbleToScale" && status === "False") {
      return [["held back", `${message} (${reason})`]];
    }
    if (type === "CapacityShort" && status === "True") {
      return [["CapacityShort", `${message} More nodes would help.`]];
    }
    return [];
  });
}
