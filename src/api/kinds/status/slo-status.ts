/**
 * How an objective goes, as it is shown. The server of the objects measures it beside them and
 * without a commit, so views of an object ask there.
 */
import { Type } from "typebox";
import type { Slo } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { SloReading } from "../../../host/telemetry/slo-count.ts";
import { rfc3339Millis } from "../../rfc3339.ts";
import { fields, text, time, wholeNumber } from "../../schema/shapes.ts";

export const sloStatus = fields(
  "The state of the objective, as measured by the plane that answers. It changes without a new resourceVersion.",
  {
    measured: Type.Optional(
      wholeNumber("The number of samples in the window.", {
        from: 0,
        to: Number.MAX_SAFE_INTEGER,
      }),
    ),
    good: Type.Optional(text("The share of good samples.")),
    errorBudgetLeft: Type.Optional(
      text("The remaining error budget; below 0% the objective is missed."),
    ),
    burnRate5m: Type.Optional(
      text("The burn rate over five minutes; 1 spends the budget in one window."),
    ),
    burnRate1h: Type.Optional(text("The burn rate over an hour.")),
    since: Type.Optional(time("When measuring began.")),
  },
);

type SloReader = (slo: Slo) => SloReading | undefined;

const readers = new WeakMap<ObjectIndex, SloReader>();

/** The server of these objects measures their objectives, too. */
export function readSlosWith(objects: ObjectIndex, reader: SloReader): void {
  readers.set(objects, reader);
}

/** Undefined where it is not measured. */
export const readingOf = (slo: Slo, objects: ObjectIndex): SloReading | undefined =>
  readers.get(objects)?.(slo);

export function writeSloStatus(reading: SloReading | undefined): Type.Static<typeof sloStatus> {
  if (reading === undefined) return {};
  const { measured, good, budgetLeft, burn5m, burn1h, sinceMs } = reading;
  return {
    measured,
    good: percentText(good),
    errorBudgetLeft: percentText(budgetLeft),
    burnRate5m: burnText(burn5m),
    burnRate1h: burnText(burn1h),
    since: rfc3339Millis(sinceMs),
  };
}

/** Down, so that only a whole is called so. */
export const percentText = (part: number): string => `${Math.floor(part * 10_000) / 100}%`;
export const burnText = (burn: number): string => burn.toFixed(2);
