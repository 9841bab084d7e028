import { expect, test } from "vitest";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aTemplate, aWorkload } from "../../../../test/builders/check/fixtures.ts";
import { createObjectSizesChecker } from "./object-sizes.ts";

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `n-${at}`);
const map = (count: number): Record<string, string> =>
  Object.fromEntries(many(count).map((name) => [name, ""]));

test.each([
  ["labels", (count: number) => aWorkload({ meta: { labels: map(count) } }), 128],
  ["annotations", (count: number) => aWorkload({ meta: { annotations: map(count) } }), 256],
  ["finalizers", (count: number) => aWorkload({ meta: { finalizers: many(count) } }), 33],
  [
    "a command",
    (count: number) => aWorkload({ spec: { template: aTemplate({ command: many(count) }) } }),
    512,
  ],
] as const)("[IN6] an object with too many in %s is found, and no other", (what, made, most) => {
  const harness = new CheckerHarness(createObjectSizesChecker());
  harness.commit({ put: [made(most)] });
  harness.commit({ put: [made(most + 1)], role: "admit" });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [made(most + 1)] });
  expect(harness.found).toEqual([expect.stringMatching(`^IN6 .* ${what} of ${most + 1}`)]);
});
