/**
 * Moves a tenant's rights between regions, before they are short: lends to regions where work waits
 * or that have less than their share, and takes back from those that have more. Observes what the
 * regions reported, which may be old; proposes `lend`, one version at a time. What a region gives
 * up is lent elsewhere only once the region has said so: until then it is charged to the tenant,
 * and the authority refuses (RG7).
 */
import { AMOUNT_NAMES, type Amounts, minus, NOTHING, plus } from "../model/amounts.ts";
import { grantKey, type ObjectKey, parseKey, quotaKey, tenantKey } from "../model/ids.ts";
import type { Grant, Region } from "../model/objects.ts";
import { beyond, exposureOf, smallerOf } from "../model/regional/exposure.ts";
import type { GrantDemand } from "../model/regional/grant.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { View } from "../observe/view.ts";
import type { IntentOf } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import { type Decision, propose, settled } from "../protocol/decision.ts";
import { lendOperation } from "../protocol/operations.ts";
import { apportionRights } from "../rules/regional/apportion-rights.ts";
import { isCredited, unconfirmedRegion } from "../rules/regional/lending.ts";
import { globalOf } from "../rules/regional/term.ts";
import type { Controller } from "../runner/controller.ts";

/** Changes of less than this part of a grant are not sent unless work waits for them. */
const SMALLEST_PART = 10;

/** The region has yet to speak of these: more of them would only make it hold more. */
const PENDING_ENOUGH = 2;

const NO_DEMAND: GrantDemand = {
  charged: NOTHING,
  waiting: NOTHING,
  largest: NOTHING,
  smallest: NOTHING,
};

export function createApportion(): Controller {
  return {
    role: "apportion",
    interest: {
      kinds: new Set(["Plane", "Region", "Grant", "Quota", "Tenant", "Replica", "Reservation"]),
      node: undefined,
      onlyWith: "Plane",
    },
    keysFor,
    allKeys: (view) => tenantsOf(view),
    reconcile: (key, view) => apportion(parseKey(key).namespace, view.objects),
  };
}

/** Every tenant with a quota, or with rights in a region. */
function tenantsOf({ objects }: View): readonly ObjectKey[] {
  if (globalOf(objects.plane) === undefined) return [];
  const keys = new Set<ObjectKey>(objects.all("Quota").keys());
  for (const { meta } of objects.all("Grant").values()) keys.add(quotaKey(meta.namespace));
  return [...keys].toSorted();
}

function keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
  const some = after ?? before;
  switch (some?.kind) {
    case "Plane":
      return tenantsOf(view);
    case "Grant":
    case "Quota":
      return globalOf(view.objects.plane) ? [quotaKey(some.meta.namespace)] : [];
    case "Tenant":
      return globalOf(view.objects.plane) ? [quotaKey(some.meta.name)] : [];
    // A region speaks all the time; whether it may be lent to seldom changes.
    case "Region":
      return isSameLink(before as Region | undefined, after as Region | undefined)
        ? []
        : tenantsOf(view);
    default:
      return [];
  }
}

function isSameLink(before: Region | undefined, after: Region | undefined): boolean {
  const [was, is] = [before?.status.heard, after?.status.heard];
  return (
    (before?.spec.plane === undefined) === (after?.spec.plane === undefined) &&
    was?.incarnation === is?.incarnation &&
    was?.gone === is?.gone &&
    was?.settledBy === is?.settledBy &&
    was?.confirmed === is?.confirmed &&
    (was !== undefined && isCredited(was)) === (is !== undefined && isCredited(is))
  );
}

/** A region that can be lent to now, and what it was lent. */
interface Lent {
  readonly region: string;
  readonly incarnation: number;
  readonly grant: Grant | undefined;
}

function apportion(tenant: string, objects: ObjectIndex): Decision {
  const own = globalOf(objects.plane);
  if (own === undefined || unconfirmedRegion(objects, own) !== undefined) return settled;
  const lent = lendable(tenant, objects, own.incarnation);
  if (lent.length === 0) return settled;
  const rights = targets(tenant, objects, lent);
  const short = shortOf(lent, rights);
  const { free } = objects.accountOf(tenant);
  const intents: IntentOf<"lend">[] = [];
  let left: Amounts = free;
  // Where work waits comes first: what is left of the quota may not be enough for all.
  for (const each of lent.toSorted((a, b) => urgency(b) - urgency(a))) {
    const target = rights.get(each.region) ?? NOTHING;
    const amounts = within(each, target, left);
    if (!isWorthSending(each, amounts, short)) continue;
    intents.push(lend(tenant, own.incarnation, { ...each, amounts }));
    left = minus(left, beyond(amounts, exposureIn(each)));
  }
  return intents.length === 0
    ? settled
    : propose(intents, {
        summary: `${tenant} is lent ${intents.map(({ region, amounts }) => `${region} ${amounts.cpuMillis} mCPU`).join(", ")}`,
      });
}

function lendable(tenant: string, objects: ObjectIndex, lender: number): readonly Lent[] {
  const lent: Lent[] = [];
  for (const { meta, spec, status } of objects.all("Region").values()) {
    const { heard } = status;
    if (spec.plane === undefined || heard === undefined || heard.gone === true) continue;
    if (!isCredited(heard) || heard.confirmed !== lender) continue;
    const { name: region } = meta;
    const grant = objects.all("Grant").get(grantKey(tenant, region));
    lent.push({ region, incarnation: heard.incarnation, grant });
  }
  return lent.toSorted((a, b) => (a.region < b.region ? -1 : 1));
}

const exposureIn = ({ grant }: Lent): Amounts =>
  grant === undefined ? NOTHING : exposureOf(grant);

const demandIn = ({ grant }: Lent): GrantDemand => grant?.status.demand ?? NO_DEMAND;

const urgency = (lent: Lent): number =>
  AMOUNT_NAMES.some((name) => demandIn(lent).waiting[name] > 0) ? 1 : 0;

/** What the region has once it has taken over everything that is under way. */
const rightsIn = ({ grant }: Lent): Amounts =>
  grant === undefined
    ? NOTHING
    : (grant.status.pending?.at(-1)?.amounts ?? grant.status.held ?? NOTHING);

function targets(
  tenant: string,
  objects: ObjectIndex,
  lent: readonly Lent[],
): ReadonlyMap<string, Amounts> {
  const { account, spec } = objects.quotaUsage.of(tenant);
  const owner = objects.get(tenantKey(tenant));
  const isStaying = owner !== undefined && owner.meta.deletingMs === undefined;
  const used = plus(account.reserved, account.committed);
  const exposed = lent.reduce((sum, each) => plus(sum, exposureIn(each)), NOTHING);
  // What the tenant uses elsewhere is not theirs to share; the limit is.
  const elsewhere = minus(used, exposed);
  const pool = isStaying ? beyond(account.limit, elsewhere) : NOTHING;
  return apportionRights(
    pool,
    lent.map((each) => ({
      region: each.region,
      demand: demandIn(each),
      most: spec?.regions?.[each.region],
    })),
  );
}

/** No more than what is free now: the rest is lent when another region has given it up. */
function within(lent: Lent, target: Amounts, left: Amounts): Amounts {
  const may = plus(exposureIn(lent), beyond(left, NOTHING));
  return smallerOf(target, may);
}

/** Amounts that some region is to have more of because work waits for them there. */
function shortOf(
  lent: readonly Lent[],
  rights: ReadonlyMap<string, Amounts>,
): ReadonlySet<keyof Amounts> {
  const isShort = (each: Lent, name: keyof Amounts): boolean =>
    demandIn(each).waiting[name] > 0 &&
    (rights.get(each.region) ?? NOTHING)[name] > rightsIn(each)[name];
  return new Set(AMOUNT_NAMES.filter((name) => lent.some((each) => isShort(each, name))));
}

function isWorthSending(lent: Lent, amounts: Amounts, short: ReadonlySet<keyof Amounts>): boolean {
  const has = rightsIn(lent);
  if ((lent.grant?.status.pending?.length ?? 0) >= PENDING_ENOUGH) return false;
  const { charged, waiting } = demandIn(lent);
  return AMOUNT_NAMES.some((name) => {
    const [was, is] = [has[name], amounts[name]];
    if (was === is) return false;
    // However little it is, with what others give up it may be what work elsewhere waits for.
    if (is < was && short.has(name)) return true;
    // Work waits there, and this is more for it.
    if (is > was && waiting[name] > 0 && was < charged[name] + waiting[name]) return true;
    return Math.abs(is - was) * SMALLEST_PART > Math.max(was, is);
  });
}

function lend(
  tenant: string,
  lender: number,
  to: Lent & { readonly amounts: Amounts },
): IntentOf<"lend"> {
  const { region, incarnation, grant, amounts } = to;
  const version = (grant?.spec.version ?? 0) + 1;
  const named = { tenant, region, incarnation, version };
  return { kind: "lend", operation: lendOperation(lender, named), ...named, amounts };
}
