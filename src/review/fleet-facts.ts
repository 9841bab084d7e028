/** What evidence is about: the hash of all objects, so that a changed fleet is another one. */
import { createHash } from "node:crypto";
import type { Fleet } from "../fleet/fleet.ts";
import type { ReviewedFleet } from "./review.ts";

export function factsOf({ source, objects }: Fleet): ReviewedFleet {
  const hash = createHash("sha256");
  // A promise is no part of the fleet that it is about, and leases are renewed every few seconds.
  const counted = objects.filter(({ kind }) => kind !== "Commitment" && kind !== "Lease");
  const sorted = counted.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, spec, ...rest } of sorted) {
    const status = rest.kind === "Replica" ? [rest.status.stage, rest.status.node] : [];
    hash.update(JSON.stringify([key, rest.meta.labels, spec, status]));
    hash.update("\n");
  }
  return {
    source,
    nodes: objects.filter(({ kind }) => kind === "Node").length,
    replicas: objects.filter(({ kind }) => kind === "Replica").length,
    hash: hash.digest("hex"),
  };
}
