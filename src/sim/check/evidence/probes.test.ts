import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aReplica, bound, withStatus } from "../../../../test/builders/check/fixtures.ts";
import { createProbesChecker } from "./probes.ts";

function afterServing(...next: ((replica: Replica, atMs: number) => Replica)[]): readonly string[] {
  const harness = new CheckerHarness(createProbesChecker());
  let replica = bound(aReplica(), "node-1", { stage: "serving" });
  harness.commit({ put: [replica] });
  for (const each of next) {
    replica = each(replica, harness.nowMs);
    harness.commit({ command: "report", role: "agent", put: [replica] });
  }
  return harness.found;
}

const lapsed = (replica: Replica, sinceMs: number): Replica =>
  withStatus(replica, { stage: "starting", unready: { said: "it is 503", sinceMs } });

test("a replica that a probe took out of serving says so, until it begins anew [INV73]", () => {
  const found = afterServing(
    lapsed,
    (replica) => withStatus(replica, { stage: "ready" }),
    (replica) => withStatus(replica, { stage: "failed", node: undefined }),
    (replica) => withStatus(replica, { stage: "bound", incarnation: 2, node: "node-1" }),
    (replica) => withStatus(replica, { stage: "starting", unready: undefined }),
  );
  expect(found).toEqual([]);
});

test("one that went out of serving in silence is reported [INV73]", () => {
  const found = afterServing((replica) => withStatus(replica, { stage: "starting" }));
  expect(found).toEqual([
    "INV73 Replica/payments/api.1.0 went from serving to starting in incarnation 1 without the probe that said so.",
  ]);
});

/** A replica that starts, and what its agent tells of its probes so many milliseconds after. */
function tellsAt(...told: readonly (readonly [atMs: number, said: string])[]): readonly string[] {
  const harness = new CheckerHarness(createProbesChecker());
  const starting = bound(aReplica(), "node-1", { stage: "starting" });
  harness.commit({ put: [starting] });
  let times = 0;
  for (const [atMs, said] of told) {
    harness.nowMs = atMs;
    times += 1;
    const failingProbe = { said, times, sinceMs: 5_000, toldMs: atMs };
    const put = [withStatus(starting, { failingProbe })];
    harness.commit({ command: "report", role: "agent", put });
  }
  return harness.found;
}

test("failing probes may be told seldom, and sooner when they found something else [INV74]", () => {
  expect(tellsAt([5_000, "refused"], [15_000, "it is 503"], [315_000, "it is 503"])).toEqual([]);
});

test("failing probes that are told too often are reported [INV74]", () => {
  expect(tellsAt([5_000, "refused"], [9_000, "it is 503"])).toEqual([
    "INV74 Replica/payments/api.1.0 tells of its failing probe 4000 ms after the last time.",
  ]);
  expect(tellsAt([5_000, "refused"], [65_000, "refused"])).toHaveLength(1);
});

test("a write for a probe that changes nothing is reported [INV73]", () => {
  const found = afterServing(lapsed, (replica) =>
    withStatus(replica, { unready: { said: "it is 503 again", sinceMs: 1 } }),
  );
  expect(found).toEqual([
    "INV73 Replica/payments/api.1.0 was written again for a probe that changed nothing in stage starting.",
  ]);
});
