import { expect, test } from "vitest";
import { drawWorld } from "../sim/swarm/swarm-world.ts";
import type { World } from "../sim/world/world.ts";
import { formatWorld, parseWorld } from "./world-file.ts";

test("every world with node pools that the swarm draws is read back as it was written", () => {
  const drawn = Array.from({ length: 60 }, (_, at): World => drawWorld(at + 1));
  const pooled = drawn.filter(({ nodePools }) => nodePools !== undefined);
  expect(pooled.length).toBeGreaterThan(5);
  const bounded = pooled.flatMap(({ policyRevisions = [] }) =>
    policyRevisions.filter(({ spec }) => spec.provisioning !== undefined),
  );
  expect(bounded.length).toBeGreaterThan(0);
  for (const world of pooled) {
    const { nodePools, policyRevisions } = parseWorld(formatWorld(world), "world.yaml");
    expect({ nodePools, policyRevisions }).toEqual({
      nodePools: world.nodePools,
      policyRevisions: world.policyRevisions,
    });
  }
});
