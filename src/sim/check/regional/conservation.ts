/**
 * [INV220] For each tenant and amount, what the tenant may hold in all regions together is never
 * more than its quota, or than what it could hold when the quota was made smaller. [INV221] The
 * global plane never counts less for a region than the tenant may hold there.
 *
 * It would break by a right that is credited twice or before the region's word is durable, by a
 * version that is forgotten while an answer with it is on its way, by an incarnation that spends
 * what was lent to another, or by a restored plane that lends what it has forgotten to have lent.
 */
import type { Amounts } from "../../../core/model/amounts.ts";
import { grantKey, quotaKey, regionKey } from "../../../core/model/ids.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";
import { mostHeld } from "../models/naive-grants.ts";
import type { Report } from "../checker.ts";
import { GLOBAL } from "../../regional/regional-world.ts";
import { Charges } from "./charges.ts";
import { Lent } from "./lent.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";
import { add, firstBeyond, none, raise, type Sums } from "./tenant-sums.ts";

const MOVING: ReadonlySet<string> = new Set(["Replica", "Reservation", "Quota", "Grant", "Plane"]);

export class ConservationChecker implements RegionalChecker {
  readonly name = "conservation";
  private readonly charges = new Map<string, Charges>();
  private readonly lent = new Lent();
  private readonly members = new Map<string, Set<string>>();
  /** By tenant or group: what all regions together may have at this moment. */
  private readonly allowed = new Map<string, Sums>();

  committed(commit: Commit, at: EstateTruth, realm: Realm, report: Report): void {
    const tenants = new Set<string>();
    let isAnyPlane = false;
    for (const { after, before } of commit.changes) {
      const some = after ?? before;
      if (some === undefined || !MOVING.has(some.kind)) continue;
      if (some.kind === "Plane") isAnyPlane = true;
      else tenants.add(some.meta.namespace === "" ? tenantOf(some) : some.meta.namespace);
    }
    if (at.name === GLOBAL) this.lent.see(commit, at.incarnation);
    else this.chargesAt(at).see(commit);
    const touched = isAnyPlane ? tenantsIn(realm) : tenants;
    for (const tenant of touched) this.check(tenant, realm, report);
  }

  restored(at: EstateTruth): void {
    this.charges.set(at.name, Charges.of(at.truth.objects));
    if (at.name === GLOBAL) this.lent.seeAgain(at.truth.objects, at.incarnation);
  }

  processStarted(at: EstateTruth, realm: Realm, report: Report): void {
    for (const tenant of new Set(at.running().map((each) => each.tenant))) {
      this.check(tenant, realm, report);
    }
  }

  private check(tenant: string, realm: Realm, report: Report): void {
    const quota = realm.global.truth.objects.all("Quota").get(quotaKey(tenant))?.spec;
    const group = quota?.group;
    const members = group === undefined ? [tenant] : this.membersOf(realm, group);
    let ofGroup = none();
    let countedOfGroup = none();
    let limit = none();
    for (const member of members) {
      const spec = realm.global.truth.objects.all("Quota").get(quotaKey(member))?.spec;
      const [held, counted] = this.mayHold(member, realm, report);
      ofGroup = plus(ofGroup, held);
      countedOfGroup = plus(countedOfGroup, counted);
      limit = plus(limit, spec?.limit ?? none());
      const own = group === undefined ? none() : (spec?.borrow ?? ANY);
      this.compare(
        { whose: member, held, counted, limit: plus(spec?.limit ?? none(), own) },
        report,
      );
    }
    if (group === undefined) return;
    const whose = `group ${group}`;
    this.compare({ whose, held: ofGroup, counted: countedOfGroup, limit }, report);
  }

  /** Also those whose quota a restored global plane has forgotten, until it is written again. */
  private membersOf({ global }: Realm, group: string): Iterable<string> {
    const members = this.members.get(group) ?? new Set<string>();
    this.members.set(group, members);
    for (const { meta, spec } of global.truth.objects.all("Quota").values()) {
      if (spec.group === group) members.add(meta.namespace);
    }
    return members;
  }

  private compare({ whose, held, counted, limit }: Compared, report: Report): void {
    const allowed = this.allowed.get(whose) ?? none();
    for (const name of AMOUNT_NAMES) allowed[name] = Math.max(limit[name], allowed[name]);
    const name = firstBeyond(held, allowed);
    if (name !== undefined) {
      report(
        "INV220",
        `${whose} may hold ${held[name]} ${name} in all regions together, and ${allowed[name]} is its most.`,
        quotaKey(whose),
      );
    }
    // Rights beyond a smaller limit are not lent again once the regions have given them up.
    for (const amount of AMOUNT_NAMES) {
      allowed[amount] = Math.max(limit[amount], Math.min(allowed[amount], counted[amount]));
    }
    this.allowed.set(whose, allowed);
  }

  /** In all regions, in truth and as far as the global plane knows at best. */
  private mayHold(tenant: string, realm: Realm, report: Report): readonly [Sums, Sums] {
    const all = none();
    const allCounted = none();
    for (const region of realm.regions) {
      if (region.isLost) continue;
      const own = this.mayHoldAt(tenant, region);
      add(all, own);
      const grant = realm.global.truth.objects.all("Grant").get(grantKey(tenant, region.name));
      const counted = grant === undefined ? none() : { ...mostHeld(grant) };
      this.compareAccount({ tenant, at: region, own, counted }, realm, report);
      raise(counted, own);
      add(allCounted, counted);
    }
    return [all, allCounted];
  }

  private mayHoldAt(tenant: string, at: EstateTruth): Sums {
    const { objects } = at.truth;
    const most = none();
    for (const { tenant: whose, asked } of at.running()) if (whose === tenant) add(most, asked);
    const { status } = objects.plane ?? {};
    const isNew = status?.incarnation !== at.incarnation;
    const isLearning = isNew || (status?.role === "regional" && status.learning !== undefined);
    // A restored log speaks of what was: until it has learned, what runs is all that counts.
    if (isLearning) return most;
    raise(most, this.chargesAt(at).ofTenant(tenant));
    raise(most, objects.all("Quota").get(quotaKey(tenant))?.spec.limit ?? none());
    for (const { amounts } of this.lent.open(tenant, at)) raise(most, amounts);
    return most;
  }

  /** Only a global plane that knows of every region keeps accounts that mean something. */
  private compareAccount(
    { tenant, at, own, counted }: Account,
    realm: Realm,
    report: Report,
  ): void {
    const { objects } = realm.global.truth;
    const obeyed = at.truth.objects.plane?.status;
    if (obeyed?.role !== "regional" || obeyed.incarnation !== at.incarnation) return;
    if (obeyed.global !== realm.global.incarnation || obeyed.learning !== undefined) return;
    const heard = objects.all("Region").get(regionKey(at.name))?.status.heard;
    if (heard?.incarnation !== at.incarnation || heard.confirmed !== realm.global.incarnation)
      return;
    if (heard.learning || heard.earlier !== undefined) return;
    const name = firstBeyond(own, counted);
    if (name === undefined) return;
    report(
      "INV221",
      `The global plane counts ${counted[name]} ${name} of ${tenant} in ${at.name}, where ${own[name]} may be held.`,
      grantKey(tenant, at.name),
    );
  }

  private chargesAt(at: EstateTruth): Charges {
    let charges = this.charges.get(at.name);
    if (charges === undefined) this.charges.set(at.name, (charges = new Charges()));
    return charges;
  }
}

interface Compared {
  readonly whose: string;
  readonly held: Amounts;
  readonly counted: Amounts;
  readonly limit: Amounts;
}

interface Account {
  readonly tenant: string;
  readonly at: EstateTruth;
  readonly own: Amounts;
  readonly counted: Amounts;
}

const ANY: Amounts = { cpuMillis: Infinity, memoryMiB: Infinity, deviceMillis: Infinity };

const plus = (a: Amounts, b: Amounts): Sums => {
  const sum = { ...a };
  add(sum, b);
  return sum;
};

/** Reservations have no namespace of their own. */
const tenantOf = (object: { readonly spec: object }): string =>
  "tenant" in object.spec && typeof object.spec.tenant === "string" ? object.spec.tenant : "";

function tenantsIn({ global, regions }: Realm): ReadonlySet<string> {
  const tenants = new Set<string>();
  for (const { truth } of [global, ...regions]) {
    for (const { meta } of truth.objects.all("Quota").values()) tenants.add(meta.namespace);
  }
  return tenants;
}
