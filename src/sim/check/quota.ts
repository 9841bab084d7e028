/**
 * [INV4] In every amount, what a tenant has reserved and committed stays within its limit, nothing is ever
 * negative, and the accounts everybody reads equal the sums of the objects that justify them.
 *
 * It would break if a bind charged without consuming its reservation, a release refunded twice, or two
 * reservations were each checked against the balance before the other.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { type ObjectKey, quotaKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { Account } from "../../core/observe/usage.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal, keepsBinding } from "./fast-path.ts";
import { isHolding } from "./holding.ts";

type Sums = { -readonly [N in AmountName]: number };

const AMOUNT_NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "devices"];
const NO_AMOUNTS: Amounts = { cpuMillis: 0, memoryMiB: 0, devices: 0 };

interface Book {
  limit: Amounts;
  readonly reserved: Sums;
  readonly committed: Sums;
}

interface Charge {
  readonly tenant: string;
  readonly side: "reserved" | "committed";
  readonly amounts: Amounts;
}

class QuotaChecker implements Checker {
  readonly name = "quota";
  private readonly books = new Map<string, Book>();
  /** What each reservation and each holding replica is charged for. */
  private readonly charges = new Map<ObjectKey, Charge>();
  /** Tenants whose sums the commit at hand moved. */
  private readonly moved = new Set<string>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      const { key, after, before } = change;
      const some = after ?? before;
      if (some?.kind === "Replica" || some?.kind === "Reservation") this.see(key, after, report);
      else if (some?.kind === "Quota") {
        const tenant = some.meta.namespace;
        this.book(tenant).limit = after?.kind === "Quota" ? after.spec.limit : NO_AMOUNTS;
        this.moved.add(tenant);
      }
    }
    // A bind takes from one side what it adds to the other, so only the whole commit can be judged.
    if (this.moved.size > 0) this.judge(commit, report);
  }

  sampled(truth: Truth, report: Report): void {
    for (const tenant of truth.objects.tenantsWithAccount()) {
      this.compare(tenant, truth.objects.accountOf(tenant), report);
    }
    for (const tenant of this.books.keys()) {
      this.compare(tenant, truth.objects.accountOf(tenant), report);
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private see(key: ObjectKey, after: AnyObject | undefined, report: Report): void {
    const was = this.charges.get(key);
    if (after?.kind === "Replica" && isHolding(after)) {
      const { amounts } = after.spec.template.ask;
      if (was !== undefined && sameAmounts(was.amounts, amounts)) return;
      this.refund(key, was);
      this.charge(key, { tenant: after.meta.namespace, side: "committed", amounts }, report);
    } else if (after?.kind === "Reservation") {
      const { amounts, tenant } = after.spec;
      if (was !== undefined && sameAmounts(was.amounts, amounts)) return;
      this.refund(key, was);
      this.charge(key, { tenant, side: "reserved", amounts }, report);
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
    add(this.book(tenant)[charge.side], amounts, 1);
    this.charges.set(key, charge);
    this.moved.add(tenant);
  }

  private refund(key: ObjectKey, was: Charge | undefined): void {
    if (was === undefined) return;
    add(this.book(was.tenant)[was.side], was.amounts, -1);
    this.charges.delete(key);
    this.moved.add(was.tenant);
  }

  private judge(commit: Commit, report: Report): void {
    for (const tenant of this.moved) {
      const { limit, reserved, committed } = this.book(tenant);
      for (const name of AMOUNT_NAMES) {
        if (reserved[name] + committed[name] <= limit[name]) continue;
        report(
          "INV4",
          `After ${commit.command} ${commit.operation}, tenant ${tenant} has ${name} ${reserved[name]} reserved and ${committed[name]} committed of ${limit[name]}.`,
          quotaKey(tenant),
        );
      }
    }
    this.moved.clear();
  }

  private compare(tenant: string, account: Account, report: Report): void {
    const book = this.book(tenant);
    for (const name of AMOUNT_NAMES) {
      for (const side of ["limit", "reserved", "committed"] as const) {
        if (account[side][name] === book[side][name]) continue;
        report(
          "INV4",
          `The account of tenant ${tenant} shows ${name} ${account[side][name]} as ${side}; the log adds up to ${book[side][name]}.`,
          quotaKey(tenant),
        );
      }
      const free = book.limit[name] - book.reserved[name] - book.committed[name];
      if (account.free[name] !== free) {
        report(
          "INV4",
          `The account of tenant ${tenant} shows ${name} ${account.free[name]} as free; limit minus use is ${free}.`,
          quotaKey(tenant),
        );
      }
    }
  }

  private book(tenant: string): Book {
    let book = this.books.get(tenant);
    if (book === undefined) {
      book = {
        limit: NO_AMOUNTS,
        reserved: { cpuMillis: 0, memoryMiB: 0, devices: 0 },
        committed: { cpuMillis: 0, memoryMiB: 0, devices: 0 },
      };
      this.books.set(tenant, book);
    }
    return book;
  }
}

/** By identity first: a stage report leaves the ask as it was, and there are very many of them. */
const sameAmounts = (a: Amounts, b: Amounts): boolean =>
  a === b ||
  (a.cpuMillis === b.cpuMillis && a.memoryMiB === b.memoryMiB && a.devices === b.devices);

function add(sums: Sums, amounts: Amounts, sign: 1 | -1): void {
  sums.cpuMillis += sign * amounts.cpuMillis;
  sums.memoryMiB += sign * amounts.memoryMiB;
  sums.devices += sign * amounts.devices;
}

export const createQuotaChecker = (): Checker => new QuotaChecker();
