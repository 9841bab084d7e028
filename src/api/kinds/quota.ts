/** Quota: how much a tenant may use at once, whom it shares with, and how much of it is in use. */
import { type Amounts, plus } from "../../core/model/amounts.ts";
import type { Quota } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { showKind } from "./show-kind.ts";
import { quotaStatusSchema, writeQuotaStatus } from "./status/quota-status.ts";
import { cpuShare, deviceShare, memoryShare } from "./text/amounts-text.ts";

/** What no other workload can have: a reservation is as good as taken. */
function taken({ meta }: Quota, objects: ObjectIndex): Amounts {
  const { committed, reserved } = objects.accountOf(meta.namespace);
  return plus(committed, reserved);
}

export const quotaKind = showKind({
  kind: "Quota",
  status: quotaStatusSchema,
  showStatus: writeQuotaStatus,
  columns: [
    {
      name: "CPU",
      type: "string",
      description: "CPUs used and reserved, of the limit.",
      cell: (quota, objects) => cpuShare(taken(quota, objects), quota.spec.limit),
    },
    {
      name: "Memory",
      type: "string",
      description: "Memory used and reserved, of the limit.",
      cell: (quota, objects) => memoryShare(taken(quota, objects), quota.spec.limit),
    },
    {
      name: "Devices",
      type: "string",
      description: "Devices used and reserved, of the limit.",
      cell: (quota, objects) => deviceShare(taken(quota, objects), quota.spec.limit),
    },
    {
      name: "Group",
      type: "string",
      description: "The group whose tenants lend each other unused quota.",
      cell: ({ spec }) => spec.group ?? "",
    },
    {
      name: "Beyond",
      type: "string",
      description: "Whether usage exceeds the limit, and why.",
      cell: beyondText,
    },
  ],
});

const isSome = ({ cpuMillis, memoryMiB, deviceMillis }: Amounts): boolean =>
  cpuMillis > 0 || memoryMiB > 0 || deviceMillis > 0;

function beyondText({ meta }: Quota, objects: ObjectIndex): string {
  const { borrowed, overdrawn } = objects.accountOf(meta.namespace);
  const grounds = [isSome(borrowed) ? "borrowed" : "", isSome(overdrawn) ? "overdrawn" : ""];
  return grounds.filter((ground) => ground !== "").join(",");
}
