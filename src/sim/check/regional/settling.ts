/**
 * [LIV90] In a healed world every right is settled: no version waits for a region's word, and the
 * global plane counts exactly what the region may hold. [LIV91] Every region that is there has a
 * term and has learned. [LIV92] No replica waits for quota while another region or the global plane
 * has more of its tenant's than it uses.
 */
import type { Amounts } from "../../../core/model/amounts.ts";
import { grantKey, type ObjectKey, quotaKey } from "../../../core/model/ids.ts";
import type { Grant, Replica } from "../../../core/model/objects.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";
import type { Report } from "../checker.ts";
import { Charges } from "./charges.ts";
import type { EstateTruth, Realm, RegionalChecker } from "./realm.ts";
import { add, none, raise, type Sums } from "./tenant-sums.ts";

/** A heartbeat, a move of rights from one region to another, and several lost views on the way. */
const PATIENCE_MS = 120_000;

interface Unsettled {
  readonly rule: "LIV90" | "LIV91" | "LIV92";
  readonly stuckAs: string;
  readonly message: string;
  readonly key?: ObjectKey;
}

export function isSettled(realm: Realm): boolean {
  for (const _ of unsettled(realm)) return false;
  return true;
}

export class SettlingChecker implements RegionalChecker {
  readonly name = "settling";
  private since = new Map<string, number>();

  sampled(realm: Realm): void {
    const { truth } = realm.global;
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const since = new Map<string, number>();
    for (const { rule, stuckAs } of unsettled(realm)) {
      const name = `${rule} ${stuckAs}`;
      since.set(name, this.since.get(name) ?? truth.nowMs);
    }
    this.since = since;
  }

  atEnd(realm: Realm, report: Report): void {
    const { nowMs } = realm.global.truth;
    for (const { rule, stuckAs, message, key } of unsettled(realm)) {
      const lastedMs = nowMs - (this.since.get(`${rule} ${stuckAs}`) ?? nowMs);
      if (lastedMs >= PATIENCE_MS)
        report(rule, `${message} It has been so for ${lastedMs} ms.`, key);
    }
  }
}

export function* unsettled(realm: Realm): Iterable<Unsettled> {
  for (const at of realm.regions) {
    if (!at.isLost) yield* termless(at, realm);
  }
  yield* unsettledGrants(realm);
  yield* starving(realm);
}

function* termless(at: EstateTruth, { global }: Realm): Iterable<Unsettled> {
  const { status } = at.truth.objects.plane ?? {};
  const lacks =
    status?.role !== "regional" || status.incarnation !== at.incarnation
      ? "does not know its incarnation"
      : status.learning !== undefined
        ? "learns"
        : status.global !== global.incarnation
          ? "obeys another incarnation of the global plane"
          : status.term === undefined || status.ended === true
            ? "has no term"
            : undefined;
  if (lacks === undefined) return;
  yield { rule: "LIV91", stuckAs: `${at.name} ${lacks}`, message: `${at.name} ${lacks}.` };
}

export function* unsettledGrants({ global, regions }: Realm): Iterable<Unsettled> {
  for (const grant of global.truth.objects.all("Grant").values()) {
    const at = regions.find(({ name }) => name === grant.spec.region);
    if (at === undefined || grant.spec.side !== "lent") continue;
    const tenant = grant.meta.namespace;
    const why = at.isLost ? whyKept(grant) : whyUnsettled(grant, tenant, at);
    if (why === undefined) continue;
    const { key } = grant;
    yield { rule: "LIV90", stuckAs: `${key} ${why}`, message: `${key} ${why}.`, key };
  }
}

const whyKept = ({ status }: Grant): string | undefined =>
  (status.pending ?? []).length > 0 || isSome(status.held ?? none())
    ? "is charged for a region that is gone"
    : undefined;

function whyUnsettled({ status }: Grant, tenant: string, at: EstateTruth): string | undefined {
  const { pending = [], held = none() } = status;
  if (pending.length > 0) return `has version ${pending[0]?.version} unacknowledged`;
  const own = ownHeld(tenant, at);
  const name = AMOUNT_NAMES.find((amount) => own[amount] !== held[amount]);
  if (name === undefined) return undefined;
  return `counts ${held[name]} ${name}, and the region may hold ${own[name]}`;
}

function ownHeld(tenant: string, { truth }: EstateTruth): Sums {
  const most = none();
  raise(most, truth.objects.all("Quota").get(quotaKey(tenant))?.spec.limit ?? none());
  raise(most, Charges.of(truth.objects).ofTenant(tenant));
  return most;
}

const isSome = (amounts: Amounts): boolean => AMOUNT_NAMES.some((name) => amounts[name] > 0);

/** A replica that waits for quota, while its tenant has as much of it unused elsewhere. */
function* starving(realm: Realm): Iterable<Unsettled> {
  for (const at of realm.regions) {
    if (at.isLost) continue;
    for (const replica of at.truth.objects.all("Replica").values()) {
      if (replica.status.stage !== "admitted" || replica.status.stopping !== undefined) continue;
      if (isReserved(replica, at) || !couldHave(replica, at, realm)) continue;
      const { key } = replica;
      const message = `${key} waits for quota in ${at.name}, and its tenant has enough of it elsewhere.`;
      yield { rule: "LIV92", stuckAs: `${key} ${replica.status.incarnation}`, message, key };
    }
  }
}

function isReserved({ key }: Replica, { truth }: EstateTruth): boolean {
  for (const { spec } of truth.objects.all("Reservation").values()) {
    if (spec.owner === key && spec.for === "quota") return true;
  }
  return false;
}

/** Its tenant's quota, less what is charged anywhere, has room for it; a group only if all have. */
function couldHave(replica: Replica, at: EstateTruth, { global, regions }: Realm): boolean {
  const tenant = replica.meta.namespace;
  const quota = global.truth.objects.all("Quota").get(quotaKey(tenant))?.spec;
  if (quota === undefined) return false;
  const charged = none();
  for (const region of regions) {
    const of = region.isLost
      ? lostHeld(global, tenant, region.name)
      : Charges.of(region.truth.objects).ofTenant(tenant);
    add(charged, of);
  }
  const { amounts } = replica.spec.template.ask;
  const share = quota.regions?.[at.name];
  const own = Charges.of(at.truth.objects).ofTenant(tenant);
  return AMOUNT_NAMES.every((name) => {
    const ask = amounts[name];
    if (ask === 0) return true;
    if (share !== undefined && own[name] + ask > share[name]) return false;
    return charged[name] + ask <= quota.limit[name];
  });
}

/** Until a person says that it is gone, what it held cannot be used. */
const lostHeld = (global: EstateTruth, tenant: string, region: string): Amounts =>
  global.truth.objects.all("Grant").get(grantKey(tenant, region))?.status.held ?? none();
