/** The controllers a plane runs in its own process, each under the name it signs its commands with. */
import { createDrainNode } from "../core/correct/drain-node.ts";
import { createNodeHealth } from "../core/correct/node-health.ts";
import { createReclaimLeak } from "../core/correct/reclaim-leak.ts";
import { createReleaseLost } from "../core/correct/release-lost.ts";
import { createAdmit } from "../core/propose/admit.ts";
import { createPlace } from "../core/propose/place.ts";
import { Runner } from "../core/runner.ts";
import type { ClientComponent } from "./local-client.ts";

export type Controllers = readonly ClientComponent[];

export function createControllers(of: { readonly schedulers: number }): Controllers {
  const schedulers = Array.from(
    { length: of.schedulers },
    (_, at) => new Runner({ name: `place-${at + 1}`, controller: createPlace() }),
  );
  return [
    new Runner({ name: "admit", controller: createAdmit() }),
    ...schedulers,
    new Runner({ name: "node-health", controller: createNodeHealth() }),
    new Runner({ name: "release-lost", controller: createReleaseLost() }),
    new Runner({ name: "reclaim-leak", controller: createReclaimLeak() }),
    new Runner({ name: "drain-node", controller: createDrainNode() }),
  ];
}
