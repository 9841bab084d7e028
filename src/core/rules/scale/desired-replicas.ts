/**
 * How many replicas a service should have: the whole decision of the autoscaler, of plain numbers.
 * Load is what all replicas together are asked to do, so replicas that are still on their way are
 * credited by themselves: they are among those there are, and do not make the load any larger.
 *
 * Without samples the load is unknown: for more, the missing ones count as idle; for fewer, nothing
 * is decided.
 */
import { TOLERANCE_PART } from "../../model/autoscaler.ts";

export interface ScaleQuestion {
  /** As many as there are to be now, however many of them serve. */
  readonly replicas: number;
  readonly min: number;
  readonly max: number;
  /** The most that one step may be; 0: the time for another step has not come. */
  readonly stepUp: number;
  readonly stepDown: number;
  readonly load: {
    readonly sumMillis: number;
    readonly covered: number;
    readonly of: number;
    readonly targetMillis: number;
  };
  /** The least recommendation within the window for more. */
  readonly least: number;
  /** The most within the window for fewer; undefined: something was not measured in it. */
  readonly most: number | undefined;
  /** So many are needed that enough serve, whatever the load. */
  readonly floor: number;
}

export type ScaleWhy =
  | "steady"
  | "below-min"
  | "above-max"
  | "load-high"
  | "load-low"
  | "too-few-serve";
export type ScaleLimit = "min" | "max" | "step" | "period" | "window" | "samples";

export interface ScaleAnswer {
  readonly to: number;
  readonly why: ScaleWhy;
  /** What keeps it from being more, or fewer; undefined: nothing does. */
  readonly limit?: ScaleLimit;
}

/** As many as the load needs at the target; what is not covered counts as idle. */
export const replicasNeeded = (sumMillis: number, targetMillis: number): number =>
  Math.ceil(sumMillis / targetMillis);

/** Without a sample of every one that serves there is nothing to say of fewer. */
export const isCovered = ({ covered, of }: { covered: number; of: number }): boolean =>
  covered > 0 && covered >= of;

export function desiredReplicas(question: ScaleQuestion): ScaleAnswer {
  const { replicas, min, max } = question;
  if (replicas > max) return { to: max, why: "above-max" };
  if (replicas < min) return { to: min, why: "below-min" };
  return more(question) ?? fewer(question) ?? { to: replicas, why: "steady" };
}

/** Undefined: no more are needed. */
function more(question: ScaleQuestion): ScaleAnswer | undefined {
  const { replicas, max, least, floor, load, stepUp } = question;
  const due = replicas * load.targetMillis;
  const isHigh = load.sumMillis > due + Math.floor(due / TOLERANCE_PART);
  const byLoad = isHigh ? least : replicas;
  const wanted = Math.max(byLoad, floor);
  if (wanted <= replicas) {
    return isHigh ? { to: replicas, why: "load-high", limit: "window" } : undefined;
  }
  const why = byLoad >= floor ? "load-high" : "too-few-serve";
  if (replicas >= max) return { to: replicas, why, limit: "max" };
  if (stepUp === 0) return { to: replicas, why, limit: "period" };
  const to = Math.min(wanted, max, replicas + stepUp);
  if (to === wanted) return { to, why };
  return { to, why, limit: to === max ? "max" : "step" };
}

/** Undefined: no fewer are needed. */
function fewer(question: ScaleQuestion): ScaleAnswer | undefined {
  const { replicas, min, most, floor, load, stepDown } = question;
  const due = replicas * load.targetMillis;
  const isLow = load.sumMillis < due - Math.floor(due / TOLERANCE_PART);
  if (!isLow || replicasNeeded(load.sumMillis, load.targetMillis) >= replicas) return undefined;
  const stays = (limit: ScaleLimit): ScaleAnswer => ({ to: replicas, why: "load-low", limit });
  if (!isCovered(load) || most === undefined) return stays("samples");
  if (replicas <= Math.max(min, floor)) return stays("min");
  if (most >= replicas) return stays("window");
  if (stepDown === 0) return stays("period");
  const wanted = Math.max(most, min, floor);
  const to = Math.max(wanted, replicas - stepDown);
  if (to > wanted) return { to, why: "load-low", limit: "step" };
  return wanted === most ? { to, why: "load-low" } : { to, why: "load-low", limit: "min" };
}
