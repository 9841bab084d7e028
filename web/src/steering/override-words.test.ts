import { expect, test } from "vitest";
import {
  concernsPlace,
  concernsWorkload,
  isAboutToEnd,
  isOfPlaces,
  standingWords,
} from "./override-words.ts";

const NODE = { name: "eu-a-1", region: "eu", zone: "eu-a" };
const ZONE = { action: "avoid-zone", target: { zone: "eu-a" } } as const;
const ALL = { action: "pause-repair" } as const;
const PIN = { action: "pin", target: { tenant: "payments", workload: "api" } } as const;

test("says how things stand while an override holds", () => {
  expect(standingWords(ZONE)).toBe("Zone eu-a is avoided");
  expect(standingWords(ALL)).toBe("Repair of everything is paused");
  expect(standingWords(PIN)).toBe("Workload payments/api is pinned");
  expect(standingWords({ ...PIN, action: "raise-budget", amount: 2 })).toBe(
    "Workload payments/api may have 2 more unavailable replicas",
  );
  expect(standingWords({ ...PIN, action: "raise-budget", amount: 1 })).toBe(
    "Workload payments/api may have 1 more unavailable replica",
  );
});

test("tells which nodes and which workloads an override is about", () => {
  expect([ZONE, ALL, PIN].map((each) => concernsPlace(each, NODE))).toEqual([true, true, false]);
  expect(concernsPlace(ZONE, { ...NODE, zone: "eu-b" })).toBe(false);
  expect([ZONE, ALL, PIN].map(isOfPlaces)).toEqual([true, true, false]);
  expect(isOfPlaces({ action: "pause-expansion" })).toBe(false);
  const work = [ZONE, ALL, PIN].map((each) => concernsWorkload(each, "payments", "api"));
  expect(work).toEqual([false, true, true]);
  expect(concernsWorkload(PIN, "payments", "web")).toBe(false);
});

test("an override is about to end in its last fifteen minutes", () => {
  const nowMs = Date.parse("2026-01-01T10:00:00Z");
  expect(isAboutToEnd({ until: "2026-01-01T10:14:59Z" }, nowMs)).toBe(true);
  expect(isAboutToEnd({ until: "2026-01-01T10:15:00Z" }, nowMs)).toBe(false);
});
