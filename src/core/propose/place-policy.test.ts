import { describe, expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aPolicy, aRevision } from "../../../test/builders/a-policy.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Controller } from "../runner/controller.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";
import { View } from "../observe/view.ts";
import { createPlace } from "./place.ts";

/** A scheduler that has followed all of it, so that what was kept must notice every move. */
function scheduler(): { see: (...objects: AnyObject[]) => void; place: () => Decision } {
  const controller: Controller = createPlace();
  const view = new View(controller.interest);
  let revision = 0;
  return {
    see: (...objects) => {
      for (const after of objects) {
        revision += 1;
        const change = { key: after.key, before: view.objects.get(after.key), after };
        view.objects.fold(change);
        view.revision = revision;
        controller.follow?.(change, view);
      }
    },
    place: () => controller.reconcile(workloadKey("payments", "api"), view, aLook()),
  };
}

const FULL = { cpuMillis: 1_000, memoryMiB: 1_000 };
const queued = (index = 0) => aReplica({ stage: "queued", index });

/** In the region of b-1, which is emptier, the other revision may be in force. */
const fleet = [
  aNode({ name: "a-1", ...FULL }),
  aNode({ name: "b-1", region: "us", zone: "us-a", cpuMillis: 4_000, memoryMiB: 4_000 }),
];

describe("placing under a policy", () => {
  test("scores each region by the revision in force there and binds under its name [PY5] [PY6]", () => {
    const { see, place } = scheduler();
    see(...fleet, aWorkload(), queued());
    see(aRevision("r-1", { spread: [] }), aRevision("r-2", { scoring: "spread-out" }));
    expect(place()).toMatchObject({ because: { policy: "default@0 fragmentation" } });
    see(aPolicy({ active: "r-1" }));
    expect(place()).toMatchObject({
      intents: [{ node: "a-1", policyRevision: "r-1" }],
      because: { policyRevision: "r-1", policy: "default@1 r-1 best-fit" },
    });
    see(aPolicy({ active: "r-1", stages: [{ region: "us", revision: "r-2" }] }));
    expect(place()).toMatchObject({
      intents: [{ node: "b-1", policyRevision: "r-2" }],
      because: { policyRevision: "r-2", policy: "default@1 r-2 spread-out" },
    });
  });

  test("spreads what declares no spread, from the moment that the revision is in force [PY6] [PR1]", () => {
    const { see, place } = scheduler();
    const there = aReplica({ stage: "serving", node: "a-1", index: 0 });
    see(...fleet, aWorkload({ replicas: 2 }), there, queued(1));
    see(
      aRevision("r-1", { spread: [] }),
      aRevision("r-2", { spread: [{ by: "region", maxSkew: 1 }] }),
    );
    see(aPolicy({ active: "r-1" }));
    expect(place()).toMatchObject({ intents: [{ node: "a-1" }] });
    see(aPolicy({ active: "r-2" }));
    expect(place()).toMatchObject({ intents: [{ node: "b-1", policyRevision: "r-2" }] });
  });
});
