/**
 * Adds up from all objects what the accounts keep as running sums, and says where the two differ.
 * The sums are made here a second time and in another way, each object by itself: a posting that
 * was forgotten, or made twice, shows.
 */
import { AMOUNT_NAMES, type Amounts, NOTHING } from "../../model/amounts.ts";
import type { GrantStatus } from "../../model/regional/grant.ts";
import type { ObjectIndex } from "../object-index.ts";
import { addTo, type Balance, zeroBalance } from "./account.ts";

/** Sums by name, e.g. "tenant payments reserved". */
class Sums {
  readonly byName = new Map<string, Balance>();

  add(name: string, amounts: Amounts): void {
    let sum = this.byName.get(name);
    if (sum === undefined) {
      sum = zeroBalance();
      this.byName.set(name, sum);
    }
    addTo(sum, amounts, 1);
  }
}

/** The first difference by name, in a sentence, or undefined when the accounts are right. */
export function recount(objects: ObjectIndex): string | undefined {
  const due = fromObjects(objects).byName;
  const kept = fromAccounts(objects).byName;
  for (const name of [...new Set([...due.keys(), ...kept.keys()])].toSorted()) {
    for (const amount of AMOUNT_NAMES) {
      const expected = (due.get(name) ?? NOTHING)[amount];
      const found = (kept.get(name) ?? NOTHING)[amount];
      if (expected !== found) {
        return `the account of ${amount} has ${found} as ${name}, and the objects add up to ${expected}`;
      }
    }
  }
  return undefined;
}

/** What one tenant uses. Kept apart by tenant: half a million replicas are added up in one turn. */
class TenantUse {
  readonly reserved = zeroBalance();
  readonly committed = zeroBalance();
  readonly byClass = new Map<string, Balance>();
  readonly byRegion = new Map<string, Balance>();

  add(side: "reserved" | "committed", priorityClass: string, amounts: Amounts): void {
    addTo(this[side], amounts, 1);
    addTo(balanceOf(this.byClass, priorityClass), amounts, 1);
  }
}

function balanceOf(balances: Map<string, Balance>, name: string): Balance {
  let balance = balances.get(name);
  if (balance === undefined) {
    balance = zeroBalance();
    balances.set(name, balance);
  }
  return balance;
}

function usesOf(objects: ObjectIndex): ReadonlyMap<string, TenantUse> {
  const uses = new Map<string, TenantUse>();
  const of = (tenant: string): TenantUse => {
    let use = uses.get(tenant);
    if (use === undefined) {
      use = new TenantUse();
      uses.set(tenant, use);
    }
    return use;
  };
  const regions = new Map<string, string>();
  for (const { meta, spec } of objects.all("Node").values()) regions.set(meta.name, spec.region);
  for (const { spec } of objects.all("Reservation").values()) {
    // Room that is held takes no quota: its owner has that already.
    if (spec.for !== "quota") continue;
    of(spec.tenant).add("reserved", spec.priorityClass ?? "", spec.amounts);
  }
  for (const { meta, spec, status } of objects.all("Replica").values()) {
    const { node } = status;
    if (node === undefined && status.stage !== "queued") continue;
    const { ask, priorityClass } = spec.template;
    const use = of(meta.namespace);
    use.add(node === undefined ? "reserved" : "committed", priorityClass, ask.amounts);
    if (node === undefined) continue;
    addTo(balanceOf(use.byRegion, regions.get(node) ?? ""), ask.amounts, 1);
  }
  for (const { meta, spec, status } of objects.all("Grant").values()) {
    if (spec.side === "lent") addExposure(of(meta.namespace), spec.region, status);
  }
  return uses;
}

/** Of each amount the largest that the region may have taken over. */
function addExposure(use: TenantUse, region: string, { held, pending = [] }: GrantStatus): void {
  const most = zeroBalance();
  for (const amounts of [held ?? NOTHING, ...pending.map((each) => each.amounts)]) {
    for (const name of AMOUNT_NAMES) most[name] = Math.max(most[name], amounts[name]);
  }
  addTo(use.committed, most, 1);
  addTo(balanceOf(use.byRegion, region), most, 1);
}

function fromObjects(objects: ObjectIndex): Sums {
  const sums = new Sums();
  const groups = new Map<string, string>();
  for (const { meta, spec } of objects.all("Quota").values()) {
    sums.add(`tenant ${meta.namespace} limit`, spec.limit);
    if (spec.group === undefined) continue;
    groups.set(meta.namespace, spec.group);
    sums.add(`group ${spec.group} limit`, spec.limit);
  }
  for (const [tenant, use] of usesOf(objects)) {
    for (const side of ["reserved", "committed"] as const) {
      sums.add(`tenant ${tenant} ${side}`, use[side]);
      const group = groups.get(tenant);
      if (group !== undefined) sums.add(`group ${group} ${side}`, use[side]);
    }
    for (const [name, used] of use.byClass) sums.add(`tenant ${tenant} class ${name}`, used);
    for (const [name, used] of use.byRegion) sums.add(`tenant ${tenant} region ${name}`, used);
  }
  return sums;
}

function fromAccounts({ quotaUsage }: ObjectIndex): Sums {
  const sums = new Sums();
  for (const tenant of quotaUsage.names()) {
    const { account, byClass, byRegion } = quotaUsage.of(tenant);
    for (const side of ["limit", "reserved", "committed"] as const) {
      sums.add(`tenant ${tenant} ${side}`, account[side]);
    }
    for (const [name, used] of byClass) sums.add(`tenant ${tenant} class ${name}`, used);
    for (const [name, used] of byRegion) sums.add(`tenant ${tenant} region ${name}`, used);
  }
  for (const { name, account } of quotaUsage.allGroups()) {
    for (const side of ["limit", "reserved", "committed"] as const) {
      sums.add(`group ${name} ${side}`, account[side]);
    }
  }
  return sums;
}
