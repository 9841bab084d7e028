/** What is true of a review as a whole, in words: its head and its boundary. */
import { countText } from "../../core/model/text/count-text.ts";
import { utcText } from "../../core/model/text/utc-text.ts";
import type { Review } from "../review.ts";
import { namesText, shown } from "./shown-text.ts";

const PROFILE_TEXT: Readonly<Record<Review["profile"], string>> = {
  berth: "the times are those of Berth with the policy in force",
  kubernetes: "the times are those of Kubernetes",
};

/** Undefined for a time that no calendar has: a report that was read from a file may hold any. */
export const timeText = (ms: number): string | undefined =>
  Number.isSafeInteger(ms) && Math.abs(ms) <= LAST_MS ? utcText(ms) : undefined;

/** The last millisecond that a date of JavaScript can have. */
const LAST_MS = 8_640_000_000_000_000;

/** Facts of the head: label and text. */
export function headFacts({
  fleet,
  profile,
  evidence,
}: Review): readonly (readonly [string, string])[] {
  const made = evidence === undefined ? undefined : timeText(evidence.madeMs);
  const until = evidence?.expiresMs === undefined ? undefined : timeText(evidence.expiresMs);
  return [
    ["Fleet", fleet.source],
    ["Size", `${countText(fleet.nodes, "node")}, ${countText(fleet.replicas, "replica")}`],
    ["Fleet hash", fleet.hash],
    ["Control plane", PROFILE_TEXT[profile]],
    ...(made === undefined ? [] : [["Made", made] as const]),
    [
      "Expires",
      until === undefined
        ? "with any change of the fleet"
        : `${until}, or with any change of the fleet`,
    ],
    ...(evidence === undefined ? [] : [["Build", `berth ${evidence.build}`] as const]),
    ...(evidence?.command === undefined ? [] : [["Made by", evidence.command] as const]),
  ];
}

/**
 * The end of every report: what the evidence is about, then each sentence once, with the promises
 * that it bounds unless it bounds all of them.
 */
export function boundarySentences(review: Review): readonly string[] {
  const bounds = new Map<string, string[]>();
  for (const { name, boundary } of review.findings) {
    for (const sentence of new Set(boundary)) {
      const names = bounds.get(sentence);
      if (names === undefined) bounds.set(sentence, [name]);
      else names.push(name);
    }
  }
  const all = review.findings.length;
  return [
    `The evidence is about the fleet with the hash ${shown(review.fleet.hash)} and about no other. A change of the fleet ends it.`,
    ...[...bounds].map(([sentence, names]) =>
      names.length === all && all > 1
        ? shown(sentence)
        : `${shown(sentence)} (${names.length > NAMED ? `${names.length} of ${all} promises` : namesText(names)})`,
    ),
  ];
}

/** More names than these say less than their number; each promise has its own boundary in JSON. */
const NAMED = 3;
