/** What a reader of a log asks about the times of its lines, with the checks of Kubernetes. */
import { ApiError } from "../errors.ts";
import { isTrue } from "../request/is-true.ts";
import type { LogRequest } from "./log-reading.ts";

export interface TimesQuery {
  readonly sinceSeconds?: string;
  readonly sinceTime?: string;
  readonly timestamps?: string;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Without entries when the reader asks nothing of the kind. */
export function timesAskedOf(
  query: TimesQuery,
): Pick<LogRequest, "sinceSeconds" | "sinceTime" | "timestamps"> {
  const { sinceSeconds, sinceTime, timestamps } = query;
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    throw new ApiError("bad-request", "Found both sinceSeconds and sinceTime; keep one of them.");
  }
  if (sinceSeconds !== undefined && !/^[1-9]\d{0,11}$/.test(sinceSeconds)) {
    const found = `sinceSeconds is a whole number, 1 or more; found "${sinceSeconds}".`;
    throw new ApiError("bad-request", found);
  }
  if (sinceTime !== undefined && !isMoment(sinceTime)) {
    const found = `sinceTime is a time such as 2030-01-31T12:00:00Z; found "${sinceTime}".`;
    throw new ApiError("bad-request", found);
  }
  return {
    ...(sinceSeconds === undefined ? {} : { sinceSeconds: Number(sinceSeconds) }),
    ...(sinceTime === undefined ? {} : { sinceTime }),
    ...(isTrue(timestamps) ? { timestamps: true } : {}),
  };
}

const isMoment = (text: string): boolean => RFC_3339.test(text) && !Number.isNaN(Date.parse(text));
