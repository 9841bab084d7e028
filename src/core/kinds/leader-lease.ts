/**
 * LeaderLease: what other people's controllers elect their leader by. Kubernetes' clients know it
 * as coordination.k8s.io/v1 Lease.
 */
import { tenantKey } from "../model/ids.ts";
import { count, optional, patterned, shown, word } from "./fields/field.ts";
import { APPLIED_LAST, type WrittenDefinition } from "./kind-definition.ts";

/** A day; electors use seconds. */
const DURATION_SECONDS = { least: 1, most: 86_400 } as const;
/** As Kubernetes counts them. */
const TRANSITIONS = { least: 0, most: 2_147_483_647 } as const;

const TIME = {
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$",
  expected: "a time such as 2026-01-31T12:00:00.000000Z",
} as const;

export const leaderLeaseDefinition: WrittenDefinition<"LeaderLease"> = {
  kind: "LeaderLease",
  plural: "leaderleases",
  shortNames: [],
  scope: "tenant",
  writer: "people",
  deletedBy: "user",
  applyStep: APPLIED_LAST,
  about:
    "A lease by which controllers elect one of them. Kubernetes clients know it as coordination.k8s.io/v1 Lease.",
  references: (_, namespace) => [{ key: tenantKey(namespace), mustStay: true }],
  spec: {
    about: "The holder and its times. Berth stores them and decides nothing by them.",
    isOptional: true,
    fields: {
      holderIdentity: shown(optional(word("The holder. Default: none.", 1_024)), {
        name: "Holder",
        about: "The holder.",
      }),
      leaseDurationSeconds: optional(
        count("How long others wait after the last renewal, in seconds.", DURATION_SECONDS),
      ),
      acquireTime: optional(patterned("When the holder acquired it.", TIME)),
      renewTime: optional(patterned("When the holder last renewed it.", TIME)),
      leaseTransitions: optional(count("How often the holder has changed.", TRANSITIONS)),
    },
    example: {
      name: "my-controller",
      namespace: "payments",
      spec: { holderIdentity: "my-controller-0", leaseDurationSeconds: 15 },
    },
  },
};
