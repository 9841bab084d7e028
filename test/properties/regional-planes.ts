/**
 * One global plane and three regions as bare logs, with messages between them that any move may lose, delay,
 * double or reorder. After every move the invariant of docs/grants.md is added up here, from the objects alone.
 */
import { AMOUNT_NAMES, type Amounts, NOTHING } from "../../src/core/model/amounts.ts";
import { grantKey, quotaKey, regionKey, tenantKey } from "../../src/core/model/ids.ts";
import type { Grant } from "../../src/core/model/objects.ts";
import type { RegionHeard } from "../../src/core/model/regional/region-plane.ts";
import type { RegionReport, RegionTerms } from "../../src/core/protocol/region-exchange.ts";
import { reportOf } from "../../src/core/rules/regional/report-of.ts";
import { regionalOf } from "../../src/core/rules/regional/term.ts";
import { termsFor } from "../../src/core/rules/regional/terms-for.ts";
import { putting } from "../builders/a-plane.ts";
import { PlainPlane, REPLICA } from "./a-plain-plane.ts";

export const TENANTS = ["red", "blue"] as const;
export const REGIONS = ["east", "north", "west"] as const;
type Tenant = (typeof TENANTS)[number];
type RegionName = (typeof REGIONS)[number];

const TERM_MS = 10_000;

/** Numbers that a move picks by; each takes of them what it needs. */
export interface Move {
  readonly kind:
    | "lend"
    | "ask"
    | "deliver"
    | "exchange"
    | "round"
    | "spend"
    | "spend-globally"
    | "free"
    | "pass"
    | "end-term"
    | "end-learning"
    | "restart"
    | "restore"
    | "limit";
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

type Message =
  | { readonly to: "global"; readonly report: RegionReport }
  | { readonly to: RegionName; readonly terms: RegionTerms };

/** A region's plane, and what its host keeps in mind beside the log. */
class RegionalWorld {
  incarnation = 1;
  /** What the global plane has taken in, as far as the host knows. */
  heard = 0;
  /** By tenant: what a backup brought back, until the region has said so. */
  revived = new Map<Tenant, Amounts>();
  readonly plane: PlainPlane;

  constructor(plane: PlainPlane) {
    this.plane = plane;
  }
}

export class RegionalPlanes {
  readonly global = new PlainPlane({ perSecond: 1_000, offsetMs: 7_000 });
  readonly regions: Readonly<Record<RegionName, RegionalWorld>>;
  private incarnation = 1;
  private messages: Message[] = [];
  /** Most that each tenant may hold: its limit, or what it could hold before that was made smaller. */
  private readonly bound = new Map<Tenant, Amounts>();

  constructor() {
    const { global } = this;
    global.send("region-link", { kind: "incarnate", plane: { role: "global" }, incarnation: 1 });
    for (const name of TENANTS) {
      const spec = { displayName: name };
      global.send("user", putting(tenantKey(name), { kind: "Tenant", spec }));
      this.setLimit(name, 12);
    }
    const made = REGIONS.map((name, at) => {
      const spec = { zones: [], plane: { termMs: TERM_MS } };
      global.send("user", putting(regionKey(name), { kind: "Region", spec }));
      const plane = new PlainPlane({ perSecond: 990 + 10 * at, offsetMs: 1_000 * at });
      this.incarnate(plane, name, 1);
      return [name, new RegionalWorld(plane)] as const;
    });
    this.regions = Object.fromEntries(made) as Record<RegionName, RegionalWorld>;
  }

  private incarnate(plane: PlainPlane, region: RegionName, incarnation: number): void {
    const role = { role: "regional", region } as const;
    plane.send("region-link", { kind: "incarnate", plane: role, incarnation });
  }

  /** A question and its answer arrive at once; one of the two may arrive again much later. */
  private exchange(region: RegionName, c: number): void {
    this.ask(region, false);
    this.deliver(this.messages.length - 1, c % 5 === 0 ? 2 : 0);
    this.deliver(this.messages.length - 1, c % 2 === 0 ? 2 : 0);
  }

  /** All that the tenant has left, and what it has there already. */
  private most(tenant: Tenant, region: RegionName): number {
    const { cpuMillis } = beyond(this.global.limit(tenant), this.lentAndUsed(tenant));
    const { held = NOTHING } = this.grant(tenant, region)?.status ?? {};
    return Math.floor((cpuMillis + held.cpuMillis) / REPLICA.cpuMillis);
  }

  private setLimit(tenant: Tenant, replicas: number): void {
    const limit = { ...times(replicas), deviceMillis: 0 };
    this.global.send("user", putting(quotaKey(tenant), { kind: "Quota", spec: { limit } }));
    this.bound.set(tenant, largest(limit, this.bound.get(tenant) ?? NOTHING));
  }

  move({ kind, a, b, c }: Move): void {
    const region = REGIONS[a % REGIONS.length]!;
    const tenant = TENANTS[b % TENANTS.length]!;
    const own = this.regions[region];
    switch (kind) {
      case "lend":
        return this.lend(tenant, region, c % 3 === 0 ? c % 14 : this.most(tenant, region));
      case "ask":
        return this.ask(region, c % 4 === 0);
      case "deliver":
        return this.deliver(a, b % 4);
      case "exchange":
        return this.exchange(region, c);
      case "round":
        for (const name of REGIONS) if (name !== region || b % 3 > 0) this.exchange(name, c);
        return;
      case "spend":
        for (let times = 0; times <= c % 5; times += 1) own.plane.spend(tenant);
        return;
      case "spend-globally":
        return this.global.spend(tenant);
      case "free":
        return (c % 5 === 0 ? this.global : own.plane).free(tenant);
      case "pass":
        return this.pass([100, 1_000, 4_000, 11_000, 30_000][c % 5]!);
      case "end-term":
        return this.endTerm(region);
      case "end-learning":
        return this.endLearning(region);
      case "restart":
        return this.restart(a % 4 === 3 ? undefined : region, c);
      case "restore":
        return a % 4 === 3 ? this.restoreGlobal(c) : this.restoreRegion(region, c);
      case "limit":
        return this.setLimit(tenant, 4 + (c % 16));
    }
  }

  pass(ms: number): void {
    for (const plane of this.planes()) plane.trueMs += ms;
  }

  private planes(): readonly PlainPlane[] {
    return [this.global, ...REGIONS.map((name) => this.regions[name].plane)];
  }

  private heardOf(region: RegionName): RegionHeard | undefined {
    return this.global.ledger.objects.all("Region").get(regionKey(region))?.status.heard;
  }

  private grant(tenant: Tenant, region: RegionName): Grant | undefined {
    return this.global.ledger.objects.all("Grant").get(grantKey(tenant, region));
  }

  lend(tenant: Tenant, region: RegionName, replicas: number): void {
    const version = (this.grant(tenant, region)?.spec.version ?? 0) + 1;
    const incarnation = this.heardOf(region)?.incarnation ?? 1;
    const to = { tenant, region, incarnation, version };
    this.global.send("apportion", { kind: "lend", ...to, amounts: times(replicas) });
  }

  ask(region: RegionName, isFull: boolean): void {
    const { plane, heard } = this.regions[region];
    const { epoch, revision, objects } = plane.ledger;
    const from = isFull ? 0 : heard;
    const changed = plane.commits
      .slice(from)
      .flatMap(({ changes }) =>
        changes.map(({ before, after }) => (after ?? before)?.meta.namespace ?? ""),
      );
    const tenants = changed.filter((name) => name !== "");
    const at = { epoch, revision, askedMs: plane.now() };
    const report = reportOf(objects, { from, changed: tenants }, at)!;
    this.messages.push({ to: "global", report });
  }

  /** One message arrives; 0, 1: and is gone, 2: and comes again, 3: it is lost. */
  deliver(at: number, fate: number): void {
    if (this.messages.length === 0) return;
    const index = at % this.messages.length;
    const message = this.messages[index]!;
    if (fate !== 2) this.messages.splice(index, 1);
    if (fate === 3) return;
    if (message.to === "global") this.hear(message.report);
    else this.take(message.to, message.terms);
  }

  private hear(report: RegionReport): void {
    const region = report.region as RegionName;
    this.global.send("region-link", { kind: "hear", report });
    // Whether or not it was taken in: an answer may never say more than what is durable.
    const { objects, revision } = this.global.ledger;
    const terms = termsFor(objects, report, { revision });
    if (terms !== undefined) this.messages.push({ to: region, terms });
    const { incarnation, revived } = this.regions[region];
    const heard = this.heardOf(region);
    if (heard?.incarnation !== incarnation || heard.revision === 0 || revived.size === 0) return;
    // What a backup brought back is counted from now on, and may be more than the limit.
    revived.clear();
    this.widen();
  }

  private take(region: RegionName, terms: RegionTerms): void {
    const own = this.regions[region];
    const outcome = own.plane.send("region-link", { kind: "take-terms", terms });
    if (terms.incarnation === own.incarnation) own.heard = terms.heard.revision;
    if (own.heard > own.plane.ledger.revision || outcome.kind === "refused") own.heard = 0;
  }

  endTerm(region: RegionName): void {
    const { plane } = this.regions[region];
    const term = regionalOf(plane.ledger.objects.plane)?.term;
    if (term === undefined) return;
    plane.send("end-term", { kind: "end-term", askedMs: term.askedMs, epoch: term.epoch });
  }

  endLearning(region: RegionName): void {
    const { plane, incarnation } = this.regions[region];
    plane.send("end-learning", { kind: "end-learning", incarnation });
  }

  private restart(region: RegionName | undefined, c: number): void {
    const plane = region === undefined ? this.global : this.regions[region].plane;
    plane.restart(clockOf(c));
  }

  private restoreRegion(region: RegionName, c: number): void {
    const own = this.regions[region];
    const before = new Map(TENANTS.map((tenant) => [tenant, this.holds(tenant, region)]));
    own.plane.restore(own.plane.commits.length - (c % 40), clockOf(c));
    own.incarnation += 1;
    own.heard = 0;
    this.incarnate(own.plane, region, own.incarnation);
    for (const tenant of TENANTS) {
      const back = beyond(own.plane.charged(tenant), before.get(tenant)!);
      own.revived.set(tenant, sum(back, own.revived.get(tenant) ?? NOTHING));
    }
  }

  private restoreGlobal(c: number): void {
    const kept = this.global.commits.length - (c % 40);
    // Before there were tenants and regions nothing is lent, and nothing is tested.
    this.global.restore(Math.max(12, kept), clockOf(c));
    this.incarnation += 1;
    const plane = { role: "global" } as const;
    const { incarnation } = this;
    this.global.send("region-link", { kind: "incarnate", plane, incarnation });
    this.widen();
  }

  /** The plane has forgotten, or learnt anew, what is held: that is not undone, and must not grow. */
  private widen(): void {
    for (const tenant of TENANTS) {
      const all = sum(this.lentAndUsed(tenant), NOTHING);
      const now = largest(largest(this.inAll(tenant), all), this.global.limit(tenant));
      this.bound.set(tenant, largest(now, this.bound.get(tenant) ?? NOTHING));
    }
  }

  /** Rights and charges of one region, what a backup brought back left out. */
  holds(tenant: Tenant, region: RegionName): Amounts {
    const { plane, revived } = this.regions[region];
    const back = revived.get(tenant) ?? NOTHING;
    return beyond(largest(plane.limit(tenant), plane.charged(tenant)), back);
  }

  inAll(tenant: Tenant): Amounts {
    return REGIONS.reduce(
      (all, region) => sum(all, this.holds(tenant, region)),
      this.global.charged(tenant),
    );
  }

  /** What the global plane counts, added up by hand. */
  lentAndUsed(tenant: Tenant): Amounts {
    return REGIONS.reduce((all, region) => {
      const { held = NOTHING, pending = [] } = this.grant(tenant, region)?.status ?? {};
      return sum(
        all,
        pending.reduce((most, { amounts }) => largest(most, amounts), held),
      );
    }, this.global.charged(tenant));
  }

  /** Undefined: the invariant holds. */
  broken(): string | undefined {
    for (const tenant of TENANTS) {
      const bound = this.bound.get(tenant)!;
      const held = this.inAll(tenant);
      const over = AMOUNT_NAMES.find((name) => held[name] > bound[name]);
      if (over !== undefined) return `${tenant} holds ${held[over]} of ${bound[over]} ${over}`;
      this.narrow(tenant);
    }
    return undefined;
  }

  /** Once the global plane knows everything and it fits, the limit alone is the bound again. */
  private narrow(tenant: Tenant): void {
    const knows = REGIONS.every((region) => {
      const heard = this.heardOf(region);
      const { incarnation, revived } = this.regions[region];
      return (
        // Only a plane that was never restored knows that it has lent nothing there.
        (heard === undefined && this.incarnation === 1) ||
        (heard?.confirmed === this.incarnation &&
          heard.settledBy === this.incarnation &&
          heard.incarnation === incarnation &&
          revived.size === 0)
      );
    });
    const limit = this.global.limit(tenant);
    const counted = this.lentAndUsed(tenant);
    if (knows && AMOUNT_NAMES.every((name) => counted[name] <= limit[name])) {
      this.bound.set(tenant, limit);
    }
  }

  /** Every message that is left arrives, and the planes go on speaking for a while. */
  settle(): void {
    while (this.messages.length > 0) this.deliver(0, 0);
    for (let round = 0; round < 8; round += 1) {
      for (const region of REGIONS) {
        this.endLearning(region);
        this.endTerm(region);
        this.ask(region, round % 2 === 0);
        while (this.messages.length > 0) this.deliver(0, 0);
      }
      this.pass(9_000);
    }
  }

  /** After that: rights that the two sides do not know alike, in words. */
  unsettled(): readonly string[] {
    return REGIONS.flatMap((region) => {
      const { plane, incarnation } = this.regions[region];
      const heard = this.heardOf(region);
      const isHeard =
        heard?.incarnation === incarnation &&
        heard.earlier === undefined &&
        heard.revision > 0 &&
        heard.confirmed === this.incarnation;
      if (!isHeard) return [`${region} is not heard: ${JSON.stringify(heard)}`];
      return TENANTS.flatMap((tenant) => {
        const grant = this.grant(tenant, region);
        const held = largest(plane.limit(tenant), plane.charged(tenant));
        const { held: counted = NOTHING, pending = [] } = grant?.status ?? {};
        const isSame = AMOUNT_NAMES.every((name) => counted[name] === held[name]);
        return isSame && pending.length === 0
          ? []
          : [`${tenant} holds ${JSON.stringify(held)} in ${region}: ${JSON.stringify(grant)}`];
      });
    });
  }
}

const clockOf = (c: number): { readonly perSecond: number; readonly offsetMs: number } => ({
  perSecond: 990 + (c % 21),
  offsetMs: 1_000 * (c % 500),
});

const times = (replicas: number): Amounts => each(REPLICA, REPLICA, (one) => one * replicas);
const largest = (a: Amounts, b: Amounts): Amounts => each(a, b, Math.max);
const sum = (a: Amounts, b: Amounts): Amounts => each(a, b, (one, other) => one + other);
const beyond = (a: Amounts, b: Amounts): Amounts =>
  each(a, b, (one, other) => Math.max(0, one - other));

function each(a: Amounts, b: Amounts, of: (a: number, b: number) => number): Amounts {
  return {
    cpuMillis: of(a.cpuMillis, b.cpuMillis),
    memoryMiB: of(a.memoryMiB, b.memoryMiB),
    deviceMillis: of(a.deviceMillis, b.deviceMillis),
  };
}
