/**
 * Kubernetes' Lease (coordination.k8s.io/v1), which the leader election of its client libraries
 * reads and writes. It shows LeaderLeases; the leases of nodes are another kind.
 */
import { writtenDefinitionOf, writtenFormOfKind } from "../../core/kinds/kind-definitions.ts";
import { COORDINATION_GROUP, VERSION } from "../group-version.ts";
import { coreSchema } from "../http/core-schema.ts";
import { showKind } from "../kinds/show-kind.ts";
import { fieldsSchema } from "../schema/fields-schema.ts";
import type { ServedKind } from "./served-kind.ts";

const apiVersion = `${COORDINATION_GROUP}/${VERSION}`;
const about = writtenDefinitionOf("LeaderLease")?.spec.about ?? "";
const spec = fieldsSchema(about, writtenFormOfKind("LeaderLease").fields);
const description = "A lease by which controllers elect one of them: a LeaderLease of Berth.";

export const leaderLeaseKind: ServedKind = {
  group: COORDINATION_GROUP,
  apiVersion,
  name: "Lease",
  api: {
    ...showKind({ kind: "LeaderLease" }),
    plural: "leases",
    singular: "lease",
    description,
    schema: coreSchema("Lease", description, { spec }, { apiVersion }),
  },
  metadata: (metadata) => metadata,
};
