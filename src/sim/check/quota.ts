/**
 * [INV4] In every amount, the reserved and committed use of a tenant does not grow beyond its limit
 * and its borrowing, nothing is ever negative, and the shared accounts equal the sums of the
 * objects that justify them. [INV30] The same holds for groups, which have no more than their
 * tenants bring.
 *
 * It would break if a bind charged its replica's reservation a second time, a release refunded
 * twice, or two reservations were each checked against the balance before the other. A quota made
 * smaller than its use breaks nothing; use that still grows does.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { type ObjectKey, quotaKey } from "../../core/model/ids.ts";
import type { AnyObject, QuotaSpec, Replica } from "../../core/model/objects.ts";
import type { Account } from "../../core/observe/accounts/account.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";
import { mostHeld } from "./models/naive-grants.ts";
import { AMOUNT_NAMES } from "./models/amount-names.ts";

type Sums = { -readonly [N in AmountName]: number };

const NO_AMOUNTS: Amounts = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };

const CHARGED: ReadonlySet<string> = new Set(["Replica", "Reservation", "Grant"]);

interface QuotaAccount {
  spec: QuotaSpec | undefined;
  readonly reserved: Sums;
  readonly committed: Sums;
  /** The growth of both together in the current commit. */
  readonly grown: Sums;
}

interface Charge {
  readonly tenant: string;
  readonly side: "reserved" | "committed";
  readonly amounts: Amounts;
}

class QuotaChecker implements Checker {
  readonly name = "quota";
  readonly ignoresRenewals = true;
  private readonly quotaUsage = new Map<string, QuotaAccount>();
  /** The charge of each reservation, each queued or bound replica, and each grant to a region. */
  private readonly charges = new Map<ObjectKey, Charge>();
  /** Tenants whose sums changed in the current commit. */
  private readonly moved = new Set<string>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      const { key, after, before } = change;
      const some = after ?? before;
      if (some !== undefined && CHARGED.has(some.kind)) this.see(key, after, report);
      else if (some?.kind === "Quota") {
        this.usage(some.meta.namespace).spec = after?.kind === "Quota" ? after.spec : undefined;
      }
    }
    // A bind moves an amount from one side to the other, so only the whole commit can be checked.
    if (this.moved.size > 0) this.check(commit, report);
  }

  sampled(truth: Truth, report: Report): void {
    const tenants = new Set([...truth.objects.tenantsWithAccount(), ...this.quotaUsage.keys()]);
    const groups = new Set<string>();
    for (const tenant of tenants) {
      const { spec } = this.usage(tenant);
      compare(`tenant ${tenant}`, truth.objects.accountOf(tenant), this.due([tenant]), (text) =>
        report("INV4", text, quotaKey(tenant)),
      );
      if (spec?.group !== undefined) groups.add(spec.group);
    }
    for (const name of groups) {
      const account = truth.objects.quotaUsage.group(name)?.account;
      const members = this.members(name);
      if (account === undefined) report("INV30", `Group ${name} has tenants and no account.`);
      else {
        const due = { ...this.due(members), mayBorrow: NO_AMOUNTS };
        compare(`group ${name}`, account, due, (text) => report("INV30", text));
      }
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private see(key: ObjectKey, after: AnyObject | undefined, report: Report): void {
    const was = this.charges.get(key);
    const side = after?.kind === "Replica" ? sideOf(after) : undefined;
    if (after?.kind === "Replica" && side !== undefined) {
      const { amounts } = after.spec.template.ask;
      if (was?.side === side && sameAmounts(was.amounts, amounts)) return;
      this.refund(key, was);
      this.charge(key, { tenant: after.meta.namespace, side, amounts }, report);
    } else if (after?.kind === "Reservation" && after.spec.for === "quota") {
      const { amounts, tenant } = after.spec;
      if (was !== undefined && sameAmounts(was.amounts, amounts)) return;
      this.refund(key, was);
      this.charge(key, { tenant, side: "reserved", amounts }, report);
    } else if (after?.kind === "Grant") {
      const amounts = mostHeld(after);
      if (was !== undefined && sameAmounts(was.amounts, amounts)) return;
      this.refund(key, was);
      this.charge(key, { tenant: after.meta.namespace, side: "committed", amounts }, report);
    } else {
      this.refund(key, was);
    }
  }

  private charge(key: ObjectKey, charge: Charge, report: Report): void {
    const { amounts, tenant } = charge;
    for (const name of AMOUNT_NAMES) {
      if (amounts[name] < 0)
        report("INV4", `${key} is charged a negative ${name} of ${amounts[name]}.`, key);
    }
    const usage = this.usage(tenant);
    add(usage[charge.side], amounts, 1);
    add(usage.grown, amounts, 1);
    this.charges.set(key, charge);
    this.moved.add(tenant);
  }

  private refund(key: ObjectKey, was: Charge | undefined): void {
    if (was === undefined) return;
    const usage = this.usage(was.tenant);
    add(usage[was.side], was.amounts, -1);
    add(usage.grown, was.amounts, -1);
    this.charges.delete(key);
    this.moved.add(was.tenant);
  }

  private check(commit: Commit, report: Report): void {
    for (const tenant of this.moved) {
      const { spec, grown, reserved, committed } = this.usage(tenant);
      const { limit, mayBorrow } = this.due([tenant]);
      for (const name of AMOUNT_NAMES) {
        // A region says what it holds; checkers across planes judge whether it may (INV220).
        if (grown[name] <= 0 || commit.command === "hear") continue;
        if (reserved[name] + committed[name] <= limit[name] + mayBorrow[name]) continue;
        report(
          "INV4",
          `After ${commit.command} ${commit.operation}, tenant ${tenant} has ${name} ${reserved[name]} reserved and ${committed[name]} committed of ${limit[name]}${mayBorrow[name] === 0 ? "" : ` and ${mayBorrow[name]} it may borrow`}.`,
          quotaKey(tenant),
        );
      }
      if (spec?.group !== undefined) this.checkGroup(spec.group, commit, report);
    }
    for (const tenant of this.moved) Object.assign(this.usage(tenant).grown, NO_AMOUNTS);
    this.moved.clear();
  }

  private checkGroup(group: string, commit: Commit, report: Report): void {
    const members = this.members(group);
    const { limit, reserved, committed } = this.due(members);
    for (const name of AMOUNT_NAMES) {
      const grown = members.reduce((sum, tenant) => sum + this.usage(tenant).grown[name], 0);
      if (grown <= 0 || commit.command === "hear") continue;
      if (reserved[name] + committed[name] <= limit[name]) continue;
      report(
        "INV30",
        `After ${commit.command} ${commit.operation}, group ${group} has ${name} ${reserved[name]} reserved and ${committed[name]} committed of ${limit[name]}.`,
      );
    }
  }

  private members(group: string): readonly string[] {
    return [...this.quotaUsage].flatMap(([tenant, { spec }]) =>
      spec?.group === group ? [tenant] : [],
    );
  }

  /** The account of these tenants together, as it should be. */
  private due(tenants: readonly string[]): Due {
    const limit = { ...NO_AMOUNTS };
    const mayBorrow = { ...NO_AMOUNTS };
    const reserved = { ...NO_AMOUNTS };
    const committed = { ...NO_AMOUNTS };
    for (const tenant of tenants) {
      const usage = this.usage(tenant);
      add(limit, usage.spec?.limit ?? NO_AMOUNTS, 1);
      add(mayBorrow, borrowOf(usage.spec), 1);
      add(reserved, usage.reserved, 1);
      add(committed, usage.committed, 1);
    }
    return { limit, mayBorrow, reserved, committed };
  }

  private usage(tenant: string): QuotaAccount {
    let usage = this.quotaUsage.get(tenant);
    if (usage === undefined) {
      usage = {
        spec: undefined,
        reserved: { ...NO_AMOUNTS },
        committed: { ...NO_AMOUNTS },
        grown: { ...NO_AMOUNTS },
      };
      this.quotaUsage.set(tenant, usage);
    }
    return usage;
  }
}

interface Due {
  readonly limit: Amounts;
  readonly mayBorrow: Amounts;
  readonly reserved: Amounts;
  readonly committed: Amounts;
}

const WHATEVER: Amounts = { cpuMillis: Infinity, memoryMiB: Infinity, deviceMillis: Infinity };

const borrowOf = (spec: QuotaSpec | undefined): Amounts =>
  spec?.group === undefined ? NO_AMOUNTS : (spec.borrow ?? WHATEVER);

function compare(whose: string, account: Account, due: Due, report: (text: string) => void): void {
  const says = (name: AmountName, side: keyof Account, expected: number): void => {
    const shown = account[side][name];
    if (shown === expected) return;
    report(
      `The account of ${whose} shows ${name} ${shown} as ${side}; the log adds up to ${expected}.`,
    );
  };
  for (const name of AMOUNT_NAMES) {
    for (const side of ["limit", "reserved", "committed"] as const)
      says(name, side, due[side][name]);
    const beyond = due.reserved[name] + due.committed[name] - due.limit[name];
    const borrowed = Math.min(Math.max(0, beyond), due.mayBorrow[name]);
    says(name, "free", Math.max(0, -beyond));
    says(name, "borrowed", borrowed);
    says(name, "overdrawn", Math.max(0, beyond) - borrowed);
  }
}

/** A queued replica holds its quota, a bound one uses it. */
function sideOf(replica: Replica): Charge["side"] | undefined {
  if (replica.status.stage === "queued") return "reserved";
  return isHolding(replica) ? "committed" : undefined;
}

/**
 * By identity first: a stage report leaves the request as it was, and most commits are stage
 * reports.
 */
const sameAmounts = (a: Amounts, b: Amounts): boolean =>
  a === b ||
  (a.cpuMillis === b.cpuMillis && a.memoryMiB === b.memoryMiB && a.deviceMillis === b.deviceMillis);

function add(sums: Sums, amounts: Amounts, sign: 1 | -1): void {
  sums.cpuMillis += sign * amounts.cpuMillis;
  sums.memoryMiB += sign * amounts.memoryMiB;
  sums.deviceMillis += sign * amounts.deviceMillis;
}

export const createQuotaChecker = (): Checker => new QuotaChecker();
