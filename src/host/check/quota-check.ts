/**
 * What tenants and groups have reserved and committed, added up from objects one by one: it never
 * grows beyond the limit and what may be borrowed, and it is what the ledger's accounts say. A
 * quota made smaller than its use is no fault; use that grows all the same is.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { KINDS, type ObjectKey, quotaKey } from "../../core/model/ids.ts";
import type { AnyObject, QuotaSpec } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { about, type Report } from "./check-names.ts";
import { isHolding, type StateCheck } from "./state-check.ts";

type Sums = { -readonly [Name in AmountName]: number };
type Side = "reserved" | "committed";

const NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "deviceMillis"];
const nothing = (): Sums => ({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });

interface Charge {
  readonly tenant: string;
  readonly side: Side;
  readonly amounts: Amounts;
}

interface Use {
  readonly reserved: Sums;
  readonly committed: Sums;
}

export class QuotaCheck implements StateCheck {
  private readonly specs = new Map<string, QuotaSpec>();
  private readonly uses = new Map<string, Use>();
  private readonly charges = new Map<ObjectKey, Charge>();

  begin(objects: ObjectIndex): void {
    for (const each of [this.specs, this.uses, this.charges]) each.clear();
    for (const kind of KINDS) {
      for (const object of objects.all(kind).values()) this.see(object.key, object);
    }
  }

  afterCommit({ changes, revision }: Commit, report: Report): void {
    const grown = new Map<string, Sums>();
    for (const { key, after, before } of changes) {
      const some = after ?? before;
      if (some?.kind === "Quota" && after === undefined) this.specs.delete(some.meta.namespace);
      const was = this.charges.get(key);
      const is = this.see(key, after);
      if (was !== undefined) add(sumsOf(grown, was.tenant), was.amounts, -1);
      if (is !== undefined) add(sumsOf(grown, is.tenant), is.amounts, 1);
    }
    for (const [tenant, more] of grown) this.check(tenant, more, revision, report);
  }

  atEnd(objects: ObjectIndex, revision: number, report: Report): void {
    for (const tenant of new Set([...objects.tenantsWithAccount(), ...this.uses.keys()])) {
      const account = objects.accountOf(tenant);
      const use = this.use(tenant);
      for (const name of NAMES) {
        for (const side of ["reserved", "committed"] as const) {
          if (account[side][name] === use[side][name]) continue;
          const found = `the ledger has ${name} ${account[side][name]} as ${side}, and the objects add up to ${use[side][name]}`;
          report(about("quota", quotaKey(tenant), revision, found));
        }
      }
    }
    for (const [key, { amounts }] of this.charges) {
      if (NAMES.every((name) => amounts[name] >= 0)) continue;
      report(about("quota", key, revision, "it requests a negative amount"));
    }
  }

  counts(): { readonly quota: number } {
    return { quota: this.uses.size };
  }

  private see(key: ObjectKey, after: AnyObject | undefined): Charge | undefined {
    const was = this.charges.get(key);
    if (was !== undefined) add(this.use(was.tenant)[was.side], was.amounts, -1);
    this.charges.delete(key);
    if (after?.kind === "Quota") this.specs.set(after.meta.namespace, after.spec);
    const is = after && chargeOf(after);
    if (is === undefined) return undefined;
    add(this.use(is.tenant)[is.side], is.amounts, 1);
    this.charges.set(key, is);
    return is;
  }

  private check(tenant: string, grown: Amounts, revision: number, report: Report): void {
    const spec = this.specs.get(tenant);
    const use = total([this.use(tenant)]);
    const own = total(this.membersOf(spec?.group).map((member) => this.use(member)));
    for (const name of NAMES) {
      if (grown[name] <= 0) continue;
      const limit = spec?.limit[name] ?? 0;
      const borrow = spec?.group === undefined ? 0 : (spec.borrow?.[name] ?? Infinity);
      if (use[name] > limit + borrow) {
        const found = `${name} in use grew to ${use[name]}, beyond the limit of ${limit}`;
        report(about("quota", quotaKey(tenant), revision, found));
      }
      const shared = this.groupLimit(spec?.group, name);
      if (shared !== undefined && own[name] > shared) {
        const found = `${name} of the group ${spec?.group} grew to ${own[name]}, beyond the ${shared} of its tenants`;
        report(about("quota", quotaKey(tenant), revision, found));
      }
    }
  }

  private membersOf(group: string | undefined): readonly string[] {
    if (group === undefined) return [];
    return [...this.specs].flatMap(([tenant, spec]) => (spec.group === group ? [tenant] : []));
  }

  private groupLimit(group: string | undefined, name: AmountName): number | undefined {
    if (group === undefined) return undefined;
    const members = this.membersOf(group);
    return members.reduce((sum, tenant) => sum + (this.specs.get(tenant)?.limit[name] ?? 0), 0);
  }

  private use(tenant: string): Use {
    let use = this.uses.get(tenant);
    if (use === undefined) {
      use = { reserved: nothing(), committed: nothing() };
      this.uses.set(tenant, use);
    }
    return use;
  }
}

/**
 * A queued replica holds its quota itself, and so does one on a node; room that is held takes none.
 */
function chargeOf(object: AnyObject): Charge | undefined {
  if (object.kind === "Reservation") {
    const { tenant, amounts } = object.spec;
    return object.spec.for === "quota" ? { tenant, side: "reserved", amounts } : undefined;
  }
  if (object.kind !== "Replica") return undefined;
  const { amounts } = object.spec.template.ask;
  const tenant = object.meta.namespace;
  if (object.status.stage === "queued") return { tenant, side: "reserved", amounts };
  return isHolding(object) ? { tenant, side: "committed", amounts } : undefined;
}

function total(uses: readonly Use[]): Sums {
  const sum = nothing();
  for (const { reserved, committed } of uses) {
    add(sum, reserved, 1);
    add(sum, committed, 1);
  }
  return sum;
}

function sumsOf(all: Map<string, Sums>, tenant: string): Sums {
  let sums = all.get(tenant);
  if (sums === undefined) {
    sums = nothing();
    all.set(tenant, sums);
  }
  return sums;
}

function add(sums: Sums, amounts: Amounts, sign: 1 | -1): void {
  for (const name of NAMES) sums[name] += sign * amounts[name];
}
