/** Quota: how much a tenant may use at once, and how much of it is in use. */
import { Type } from "typebox";
import { plus } from "../../core/model/amounts.ts";
import type { Quota } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Account } from "../../core/observe/usage.ts";
import { fields, quantity, wholeNumber } from "../schema/shapes.ts";
import { cpuShare, deviceShare, memoryShare, shownAmounts, writeAmounts } from "./amounts-text.ts";
import { defineKind } from "./define-kind.ts";
import { SpecReader } from "./spec-reader.ts";

/** More devices than any tenant has; it keeps sums exact. */
const MOST_QUOTA_DEVICES = 1_000_000_000;

const spec = fields("The quota as an operator sets it.", {
  limit: fields("The most that the tenant's replicas may hold together.", {
    cpu: quantity("CPUs, such as 200 or 500m."),
    memory: quantity("Memory, such as 64Gi."),
    devices: Type.Optional(
      wholeNumber("Exclusive devices of all classes together.", {
        from: 0,
        to: MOST_QUOTA_DEVICES,
        byDefault: 0,
      }),
    ),
  }),
});

const status = fields("What the quota is spent on. The three always add up to the limit.", {
  used: shownAmounts("Held by replicas that are bound to a node."),
  reserved: shownAmounts("Held for replicas that are on their way to a node."),
  free: shownAmounts("What is left."),
});

const accountOf = (quota: Quota, objects: ObjectIndex): Account =>
  objects.accountOf(quota.meta.namespace);

/** What nobody else can have: a reservation is as good as taken. */
const taken = (account: Account) => plus(account.committed, account.reserved);

export const quotaKind = defineKind({
  kind: "Quota",
  plural: "quotas",
  isNamespaced: true,
  description: 'How much a tenant may use at once. Each tenant has one, named "default".',
  spec,
  status,
  onlyName: "default",
  columns: [
    {
      name: "CPU",
      type: "string",
      description: "CPUs used and reserved, of the limit.",
      cell: (quota, objects) => cpuShare(taken(accountOf(quota, objects)), quota.spec.limit),
    },
    {
      name: "Memory",
      type: "string",
      description: "Memory used and reserved, of the limit.",
      cell: (quota, objects) => memoryShare(taken(accountOf(quota, objects)), quota.spec.limit),
    },
    {
      name: "Devices",
      type: "string",
      description: "Devices used and reserved, of the limit.",
      cell: (quota, objects) => deviceShare(taken(accountOf(quota, objects)), quota.spec.limit),
    },
  ],
  toApi: (quota, objects) => {
    const account = accountOf(quota, objects);
    return {
      spec: { limit: writeAmounts(quota.spec.limit) },
      status: {
        used: writeAmounts(account.committed),
        reserved: writeAmounts(account.reserved),
        free: writeAmounts(account.free),
      },
    };
  },
  toDesired: (written) => {
    const { limit } = written as Type.Static<typeof spec>;
    const reader = new SpecReader();
    const amounts = reader.amounts("spec.limit", limit, limit.devices ?? 0);
    return reader.mistakes.length > 0
      ? reader.mistakes
      : { kind: "Quota", spec: { limit: amounts } };
  },
});
