/** Everything the server serves, in the order in which discovery lists it. */
import { readyRoleObjects } from "../access/ready-role-objects.ts";
import { GROUP } from "../group-version.ts";
import { apiVersionOf } from "../kinds/kubernetes-form.ts";
import { ALL_KINDS } from "../kinds/all-kinds.ts";
import { endpointsKind } from "./endpoints-kind.ts";
import { eventKind } from "./event-kind.ts";
import { leaderLeaseKind } from "./leader-lease-kind.ts";
import { namespaceKind } from "./namespace-kind.ts";
import { podKind } from "./pod-kind.ts";
import { takeSecretValues } from "../secrets/take-secret-values.ts";
import type { ServedKind } from "./served-kind.ts";

const ownKinds = ALL_KINDS.map((api): ServedKind => ({
  group: api.kubernetesGroup ?? GROUP,
  apiVersion: apiVersionOf(api),
  name: api.kind,
  api,
  ...(api.kind === "Secret" ? { taking: takeSecretValues } : {}),
  ...(api.kind === "ClusterRole" ? { standing: readyRoleObjects } : {}),
  metadata: (metadata) => metadata,
}));

/** Those whose objects the plane keeps. */
export const OBJECT_KINDS: readonly ServedKind[] = [
  ...ownKinds,
  endpointsKind,
  namespaceKind,
  podKind,
  leaderLeaseKind,
];

export const SERVED_KINDS: readonly ServedKind[] = [...OBJECT_KINDS, eventKind];
