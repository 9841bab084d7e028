import { describe, expect, it } from "vitest";
import {
  aReview,
  breachedFinding,
  holdingFinding,
  notShownFinding,
} from "../../../test/builders/a-review.ts";
import { compareReviews, comparisonHead } from "./compare-reviews.ts";

const two = (verdict: "holds" | "breached") =>
  aReview({ findings: [holdingFinding, { ...holdingFinding, verdict }] });

describe("compareReviews", () => {
  it("names verdicts that changed, in both directions, and promises that came and went [RE5]", () => {
    const before = aReview({
      findings: [
        { ...breachedFinding, verdict: "holds" },
        { ...holdingFinding, verdict: "breached" },
        { ...holdingFinding, name: "gone" },
      ],
    });
    const { newly, added, removed } = compareReviews(before, aReview());
    expect(newly).toEqual({
      breached: [breachedFinding.name],
      holds: [holdingFinding.name],
      "not-shown": [],
    });
    expect(added).toEqual([notShownFinding.name]);
    expect(removed).toEqual(["gone"]);
  });

  it("says each figure that moved, and a promise that was loosened [RE5]", () => {
    const { simulation, capacity } = breachedFinding;
    const now = {
      ...breachedFinding,
      promise: "After the loss of eu-central, 2 replicas serve within 1 h.",
      capacity: { ...capacity!, broken: 0, binding: "taints" },
      simulation: { ...simulation!, kept: 200, p99Ms: 250_000, worst: { seed: 4 } },
    };
    const { changed } = compareReviews(
      aReview({ findings: [breachedFinding] }),
      aReview({ findings: [now] }),
    );
    expect(changed.map(({ what, before, after }) => [what, before, after])).toEqual([
      ["promise", breachedFinding.promise, now.promise],
      ["failures that break it", "1 of 3", "0 of 3"],
      ["binding constraint", "memory in eu-west", "taints"],
      ["seeds that kept it", "187 of 200", "200 of 200"],
      ["p99", "5 min 18 s", "4 min 10 s"],
      ["worst", "6 min 3.1 s", "not while it was watched"],
    ]);
  });

  it("tells another fleet, another control plane and expired evidence [RE5]", () => {
    const { fleet } = aReview();
    const before = aReview({
      fleet: { ...fleet, hash: "other" },
      profile: "kubernetes",
      evidence: { madeMs: 0, expiresMs: 1_000, build: "0.0.9" },
    });
    expect(comparisonHead(compareReviews(before, aReview()))).toEqual([
      "Compared with the review of 1970-01-01T00:00:00Z: the fleet has changed since (its hash was other).",
      "The times come from another control plane than before.",
      "The earlier evidence had expired when this review was made.",
    ]);
    expect(comparisonHead(compareReviews(aReview(), aReview()))).toEqual([
      "Compared with the review of 2026-11-18T09:30:00Z: the fleet is the same.",
    ]);
  });

  it("compares the second promise of a name with the second [RE5]", () => {
    expect(compareReviews(two("holds"), two("breached")).newly.breached).toEqual([
      `${holdingFinding.name} #2`,
    ]);
    const one = aReview({ findings: [holdingFinding] });
    expect(compareReviews(one, two("holds")).added).toEqual([`${holdingFinding.name} #2`]);
  });
});
