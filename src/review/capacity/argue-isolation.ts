/**
 * Whether what is protected for a tenant can be taken by others as the rules stand: what its quota
 * guarantees, what its classes protect from preemption, and what is kept for its recoveries.
 */
import { AMOUNT_NAMES, type AmountName, NOTHING, plus } from "../../core/model/amounts.ts";
import { quotaKey } from "../../core/model/ids.ts";
import type { PriorityClass, Quota } from "../../core/model/objects.ts";
import { classOf, mayPreempt } from "../../core/model/preemption.ts";
import { recoveryTarget } from "../../core/model/recovery.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { capacityClasses } from "../../core/rules/capacity-classes.ts";
import { spareNeed, sparesOf } from "../../core/rules/recovery/spare-rooms.ts";

export interface IsolationFact {
  /** e.g. "the quota of payments" */
  readonly protected: string;
  readonly isSafe: boolean;
  /** Cause, as a sentence. */
  readonly because: string;
}

export function argueIsolation(objects: ObjectIndex, tenant: string): readonly IsolationFact[] {
  return [
    quotaFact(objects, tenant),
    ...classFacts(objects, tenant),
    ...reserveFacts(objects, tenant),
  ];
}

const AMOUNT_TEXTS: Readonly<Record<AmountName, string>> = {
  cpuMillis: "thousandths of a CPU",
  memoryMiB: "MiB of memory",
  deviceMillis: "thousandths of a device",
};

/** All that others may hold at once leaves as much of the machines as it is guaranteed. */
function quotaFact(objects: ObjectIndex, tenant: string): IsolationFact {
  const of = { protected: `the quota of ${tenant}` };
  const own = objects.all("Quota").get(quotaKey(tenant));
  if (own === undefined) {
    return {
      ...of,
      isSafe: false,
      because: `${tenant} has no quota: nothing is guaranteed to it.`,
    };
  }
  const unbounded = tenantsOf(objects).find(
    (each) => each !== tenant && objects.all("Quota").get(quotaKey(each)) === undefined,
  );
  if (unbounded !== undefined) {
    const because = `Tenant ${unbounded} has no quota, and may hold all that is free.`;
    return { ...of, isSafe: false, because };
  }
  const others = [...objects.all("Quota").values()]
    .filter(({ key }) => key !== own.key)
    .reduce((sum, { spec }) => plus(sum, spec.limit), NOTHING);
  const { capacity } = capacityClasses(objects).total.hard;
  const short = AMOUNT_NAMES.find((name) => others[name] + own.spec.limit[name] > capacity[name]);
  if (short === undefined) {
    return { ...of, isSafe: true, because: "All quotas together fit on the machines." };
  }
  const because =
    `Other tenants may hold ${others[short]} of ${capacity[short]} ${AMOUNT_TEXTS[short]}, and ` +
    `${own.spec.limit[short]} are guaranteed to ${tenant}.`;
  return { ...of, isSafe: false, because };
}

function tenantsOf(objects: ObjectIndex): readonly string[] {
  const names = new Set([...objects.all("Workload").values()].map(({ meta }) => meta.namespace));
  return [...names].toSorted();
}

/** A class that others may use, and that preempts the tenant's. */
function classFacts(objects: ObjectIndex, tenant: string): readonly IsolationFact[] {
  const classes = objects.all("PriorityClass");
  const names = new Set<string>();
  for (const { meta, spec } of objects.all("Workload").values()) {
    if (meta.namespace === tenant) names.add(spec.template.priorityClass);
  }
  return [...names].toSorted().map((name) => {
    const of = { protected: `work of ${tenant} ${name === "" ? "without a class" : `of ${name}`}` };
    const by = [...classes.values()]
      .toSorted((a, b) => (a.key < b.key ? -1 : 1))
      .find(
        (each) => mayPreempt(each.spec, classOf(classes, name)) && userOf(objects, tenant, each),
      );
    if (by === undefined) {
      return { ...of, isSafe: true, because: "No class that another tenant may use preempts it." };
    }
    const because = `Work of class ${by.meta.name} of another tenant may preempt it.`;
    return { ...of, isSafe: false, because };
  });
}

/** Whether another tenant may use the class: a quota of nothing for it forbids that. */
function userOf(objects: ObjectIndex, tenant: string, { meta }: PriorityClass): boolean {
  return tenantsOf(objects).some((each) => {
    if (each === tenant) return false;
    const quota: Quota | undefined = objects.all("Quota").get(quotaKey(each));
    const limit = quota?.spec.classes?.[meta.name];
    return limit === undefined || AMOUNT_NAMES.some((name) => limit[name] > 0);
  });
}

/** No replica of another workload is bound to what is kept (RV4): it must only be there. */
function reserveFacts(objects: ObjectIndex, tenant: string): readonly IsolationFact[] {
  return [...objects.all("Workload").values()]
    .filter(({ meta, spec }) => meta.namespace === tenant && spec.recovery !== undefined)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map((workload) => {
      const { name } = workload.meta;
      const { need } = spareNeed(objects, workload);
      const held = sparesOf(objects, workload).length;
      const isSafe = held >= need;
      const because = isSafe
        ? `${held} rooms are kept, and no other workload takes them.`
        : `${held} of ${need} rooms are kept for ${recoveryTarget(workload)} replicas: others may take the rest.`;
      return { protected: `the recovery reserve of ${tenant}/${name}`, isSafe, because };
    });
}
