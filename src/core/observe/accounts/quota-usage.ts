/**
 * The accounts of all tenants and groups, kept from objects alone: what each has reserved and
 * committed, in which region and for which priority class, and what is on its way out. Cache and
 * authority fold the same changes through this file, so they can disagree about *when*, never about
 * *how much*.
 */
import { type Amounts, minus, NOTHING } from "../../model/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Grant, QuotaSpec, Replica } from "../../model/objects.ts";
import { exposureOf } from "../../model/regional/exposure.ts";
import {
  type Account,
  addTo,
  assertConserved,
  type Balance,
  emptyAccount,
  moveToCommitted,
  payIn,
  setMayBorrow,
  type Side,
  UNBOUNDED,
  use,
  zeroBalance,
} from "./account.ts";

export interface TenantUsage {
  readonly account: Account;
  /** The quota as it stands; undefined while the tenant has none. */
  spec: QuotaSpec | undefined;
  /** Committed, by the region of the node. */
  readonly byRegion: Map<string, Balance>;
  /** Reserved and committed, by priority class; the empty name is work without one. */
  readonly byClass: Map<string, Balance>;
  /**
   * Held by replicas that were asked to stop and whose node can be asked: it will be free without
   * more ado.
   */
  readonly leaving: Balance;
  /** Replicas that were started and hold nothing yet, or only a reservation. */
  readonly admitted: Map<ObjectKey, Replica>;
}

/** Tenants that lend each other what they do not use. */
export interface GroupUsage {
  readonly name: string;
  readonly account: Account;
  readonly members: Set<string>;
}

export interface Posting {
  readonly tenant: string;
  readonly side: Side;
  readonly priorityClass: string;
  readonly amounts: Amounts;
}

const NO_BORROWING: Amounts = NOTHING;
const ANY_BORROWING: Amounts = {
  cpuMillis: UNBOUNDED,
  memoryMiB: UNBOUNDED,
  deviceMillis: UNBOUNDED,
};

export class QuotaUsage {
  /** What a recount found to be wrong, in a sentence; nothing is granted on such accounts (RP4). */
  wrong: string | undefined;
  private readonly tenants = new Map<string, TenantUsage>();
  private readonly groups = new Map<string, GroupUsage>();
  private readonly places = new Map<string, Map<string, Balance>>();

  /** In order of arrival: sort before deciding on it. */
  names(): Iterable<string> {
    return this.tenants.keys();
  }

  of(tenant: string): TenantUsage {
    let usage = this.tenants.get(tenant);
    if (usage === undefined) {
      usage = {
        account: emptyAccount(),
        spec: undefined,
        byRegion: new Map(),
        byClass: new Map(),
        leaving: zeroBalance(),
        admitted: new Map(),
      };
      this.tenants.set(tenant, usage);
    }
    return usage;
  }

  group(name: string | undefined): GroupUsage | undefined {
    return name === undefined ? undefined : this.groups.get(name);
  }

  groupOf(tenant: string): GroupUsage | undefined {
    return this.group(this.tenants.get(tenant)?.spec?.group);
  }

  /** The tenants of the group by name, or the tenant alone. */
  membersWith(tenant: string): readonly string[] {
    const members = this.groupOf(tenant)?.members;
    return members === undefined ? [tenant] : [...members].toSorted();
  }

  post({ tenant, side, priorityClass, amounts }: Posting, sign: 1 | -1): void {
    const usage = this.of(tenant);
    use(usage.account, side, amounts, sign);
    tally(usage.byClass, priorityClass, amounts, sign);
    const group = this.group(usage.spec?.group);
    if (group !== undefined) use(group.account, side, amounts, sign);
  }

  /**
   * What a region may hold of what it was lent. It is used like any binding, and by no class that
   * is known here.
   */
  lend(held: Grant | undefined, after: Grant | undefined): void {
    if (held !== undefined) this.expose(held, -1);
    if (after !== undefined) this.expose(after, 1);
  }

  private expose(grant: Grant, sign: 1 | -1): void {
    const amounts = exposureOf(grant);
    if (isNothing(amounts)) return;
    const usage = this.of(grant.meta.namespace);
    use(usage.account, "committed", amounts, sign);
    tally(usage.byRegion, grant.spec.region, amounts, sign);
    const group = this.group(usage.spec?.group);
    if (group !== undefined) use(group.account, "committed", amounts, sign);
  }

  /**
   * What a queued replica has reserved it uses from now on. By far the most frequent posting of
   * two.
   */
  commit({ meta, spec }: Replica): void {
    const { amounts } = spec.template.ask;
    const usage = this.of(meta.namespace);
    moveToCommitted(usage.account, amounts);
    const group = this.group(usage.spec?.group);
    if (group !== undefined) moveToCommitted(group.account, amounts);
  }

  allGroups(): Iterable<GroupUsage> {
    return this.groups.values();
  }

  /** What all tenants together hold, by region and by priority class. */
  get held(): ReadonlyMap<string, ReadonlyMap<string, Amounts>> {
    return this.places;
  }

  /** A replica takes or leaves a node of this region; it is committed or given back besides. */
  place({ meta, spec }: Replica, region: string, sign: 1 | -1): void {
    const { ask, priorityClass } = spec.template;
    tally(this.of(meta.namespace).byRegion, region, ask.amounts, sign);
    const byClass = this.places.get(region) ?? new Map<string, Balance>();
    tally(byClass, priorityClass, ask.amounts, sign);
    if (byClass.size > 0) this.places.set(region, byClass);
    else this.places.delete(region);
  }

  setQuota(tenant: string, spec: QuotaSpec | undefined): void {
    const usage = this.of(tenant);
    const { account } = usage;
    // Out of the old group with all it brought, and into the new one: the group may be another, or
    // the limit.
    this.leaveGroup(tenant, usage);
    payIn(account, minus(spec?.limit ?? NOTHING, usage.spec?.limit ?? NOTHING));
    setMayBorrow(
      account,
      spec?.group === undefined ? NO_BORROWING : (spec.borrow ?? ANY_BORROWING),
    );
    usage.spec = spec;
    this.joinGroup(tenant, usage);
  }

  assertConserved(tenant: string): void {
    assertConserved(`tenant ${tenant}`, this.of(tenant).account);
    const group = this.groupOf(tenant);
    if (group !== undefined) assertConserved(`group ${group.name}`, group.account);
  }

  private leaveGroup(tenant: string, { spec, account }: TenantUsage): void {
    const group = this.group(spec?.group);
    if (group === undefined) return;
    use(group.account, "reserved", account.reserved, -1);
    use(group.account, "committed", account.committed, -1);
    payIn(group.account, minus(NOTHING, account.limit));
    group.members.delete(tenant);
    if (group.members.size === 0) this.groups.delete(group.name);
  }

  private joinGroup(tenant: string, { spec, account }: TenantUsage): void {
    const name = spec?.group;
    if (name === undefined) return;
    let group = this.groups.get(name);
    if (group === undefined) {
      group = { name, account: emptyAccount(), members: new Set() };
      this.groups.set(name, group);
    }
    group.members.add(tenant);
    payIn(group.account, account.limit);
    use(group.account, "reserved", account.reserved, 1);
    use(group.account, "committed", account.committed, 1);
  }
}

function tally(balances: Map<string, Balance>, name: string, amounts: Amounts, sign: 1 | -1): void {
  let balance = balances.get(name);
  if (balance === undefined) {
    balance = zeroBalance();
    balances.set(name, balance);
  }
  addTo(balance, amounts, sign);
  // Accounts that add up to the same are the same, whatever once was in them.
  if (isNothing(balance)) balances.delete(name);
}

const isNothing = ({ cpuMillis, memoryMiB, deviceMillis }: Amounts): boolean =>
  cpuMillis === 0 && memoryMiB === 0 && deviceMillis === 0;
