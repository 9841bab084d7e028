/** Namespaces as tenants, with what their resource quotas let them use. */
import type { Amounts } from "../../core/model/amounts.ts";
import { quotaKey, tenantKey } from "../../core/model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../core/model/objects.ts";
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import { groupBy } from "./group-by.ts";
import { importedMeta } from "./imported-meta.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { KubeQuota, Quantities } from "./kube-objects.ts";
import { mebibytesDown, milliOf, wholeOf } from "./kube-quantity.ts";

/** More than all nodes have, and far from what integers cannot hold. */
const UNBOUNDED: Amounts = {
  cpuMillis: 1_000_000_000,
  memoryMiB: 1_000_000_000,
  deviceMillis: 1_000_000_000,
};

/** Higher than any cluster: a namespace without a quota may have as many pods as it likes. */
const UNBOUNDED_COUNT = 1_000_000;

export function mapTenants(
  namespaces: readonly string[],
  dump: KubeDump,
  notes: ImportNotes,
): readonly AnyObject[] {
  const quotas = groupBy(dump.all("ResourceQuota"), ({ metadata }) => metadata.namespace ?? "");
  return namespaces.flatMap((name) => [
    {
      kind: "Tenant",
      key: tenantKey(name),
      meta: importedMeta(tenantKey(name)),
      spec: { displayName: name },
      status: {},
    },
    {
      kind: "Quota",
      key: quotaKey(name),
      meta: importedMeta(quotaKey(name)),
      spec: quotaSpec(quotas.get(name) ?? [], notes),
      status: {},
    },
  ]);
}

function quotaSpec(quotas: readonly KubeQuota[], notes: ImportNotes): QuotaSpec {
  let limit = UNBOUNDED;
  let replicas = UNBOUNDED_COUNT;
  for (const quota of quotas) {
    const { hard = {}, scopes = [], scopeSelector } = quota.spec ?? {};
    if (scopes.length > 0 || scopeSelector !== undefined) {
      const effect = "not counted: Berth has no quota for a part of a namespace's pods";
      notes.add("resource quotas with scopes", effect, nameOf(quota));
      continue;
    }
    limit = lower(limit, hard);
    const pods = countIn(hard, ["pods", "count/pods"]);
    if (pods !== undefined) replicas = Math.min(replicas, pods);
    noteOthers(quota, hard, notes);
  }
  return { limit, counts: { replicas, workloads: UNBOUNDED_COUNT } };
}

function lower(limit: Amounts, hard: Quantities): Amounts {
  const cpu = milliIn(hard, ["requests.cpu", "cpu"]);
  const memory = milliIn(hard, ["requests.memory", "memory"]);
  return {
    cpuMillis: Math.min(limit.cpuMillis, cpu === undefined ? Infinity : Number(cpu)),
    memoryMiB: Math.min(limit.memoryMiB, memory === undefined ? Infinity : mebibytesDown(memory)),
    deviceMillis: Math.min(limit.deviceMillis, devicesIn(hard)),
  };
}

/** "requests.nvidia.com/gpu": a name with a domain is an extended resource. */
const DEVICES = /^requests\.([^/]+\.[^/]+\/.+)$/;
const KNOWN = /^(?:(?:requests\.)?(?:cpu|memory)|pods|count\/pods)$/;

function devicesIn(hard: Quantities): number {
  const counts = Object.entries(hard).flatMap(([name, text]) => {
    const milli = DEVICES.test(name) ? milliOf(text) : undefined;
    if (milli === undefined) return [];
    return [name.endsWith("milli") ? wholeOf(milli) : Number(milli)];
  });
  return Math.min(Infinity, ...counts);
}

function noteOthers(quota: KubeQuota, hard: Quantities, notes: ImportNotes): void {
  for (const name of Object.keys(hard)) {
    if (KNOWN.test(name) || DEVICES.test(name)) continue;
    notes.add(`resource quotas of ${name}`, "this part of the quota is not counted", nameOf(quota));
  }
}

const milliIn = (hard: Quantities, names: readonly string[]): bigint | undefined => {
  const text = names.map((name) => hard[name]).find((value) => value !== undefined);
  return text === undefined ? undefined : milliOf(text);
};

const countIn = (hard: Quantities, names: readonly string[]): number | undefined => {
  const milli = milliIn(hard, names);
  return milli === undefined ? undefined : wholeOf(milli);
};
