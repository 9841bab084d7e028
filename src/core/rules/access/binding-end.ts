/**
 * When a role binding ends. Kubernetes' form of a binding has no field for it, and clients that
 * know only that form drop what they do not know, which would make a limited binding an endless
 * one. All of them keep annotations, so the end is one.
 */
import type { Labels } from "../../model/objects.ts";

export const EXPIRES_ANNOTATION = "berth.dev/expires-at";
export const EXPIRES_FORM = "a time in UTC such as 2026-01-31T12:00:00Z";

const FORM = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?Z$/;
const DAY_MS = 86_400_000;

/** Undefined: it has none. */
export function endOf(annotations: Labels | undefined): number | "malformed" | undefined {
  const text = annotations?.[EXPIRES_ANNOTATION];
  if (text === undefined) return undefined;
  const [, ...parts] = FORM.exec(text) ?? [];
  if (parts.length === 0) return "malformed";
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  const isTime = hour < 24 && minute < 60 && second < 60;
  if (!isTime || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
    return "malformed";
  }
  return daysBefore(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1_000;
}

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const daysIn = (year: number, month: number): number =>
  month === 2 && isLeap(year) ? 29 : (LENGTHS[month - 1] ?? 0);

/** Since the first day of 1970. */
function daysBefore(year: number, month: number, day: number): number {
  const past = year - 1;
  const leaps = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
  let days = past * 365 + leaps + day - 1;
  for (let before = 1; before < month; before++) days += daysIn(year, before);
  return days - DAYS_BEFORE_1970;
}

const DAYS_BEFORE_1970 = 719_162;
