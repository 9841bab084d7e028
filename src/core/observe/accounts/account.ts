/**
 * One account in double entry, of a tenant or of a group of tenants. Usage is booked against the
 * limit first, then against borrowing, and the rest as overdrawn. Every posting has its
 * counter-posting, so in each amount limit + borrowed + overdrawn = free + reserved + committed.
 *
 * Paying is kept in one order and paying back in the reverse one. The balances therefore depend on
 * what is used and on the quota alone, never on the order in which either came about.
 */
import { assert } from "../../model/assert.ts";
import { AMOUNT_NAMES, type AmountName, type Amounts } from "../../model/amounts.ts";

export type Balance = { -readonly [Name in AmountName]: number };

export interface Account {
  /** What was ever paid in. */
  readonly limit: Balance;
  /** The most that may be borrowed beyond the limit. */
  readonly mayBorrow: Balance;
  readonly borrowed: Balance;
  /** Used beyond both: a quota that was made smaller than its use (QT3). */
  readonly overdrawn: Balance;
  readonly free: Balance;
  readonly reserved: Balance;
  readonly committed: Balance;
}

export type Side = "reserved" | "committed";

/** No bound of its own, and still a number that can be compared and written down. */
export const UNBOUNDED = Number.MAX_SAFE_INTEGER;

export const zeroBalance = (): Balance => ({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });

export const emptyAccount = (): Account => ({
  limit: zeroBalance(),
  mayBorrow: zeroBalance(),
  borrowed: zeroBalance(),
  overdrawn: zeroBalance(),
  free: zeroBalance(),
  reserved: zeroBalance(),
  committed: zeroBalance(),
});

export function addTo(balance: Balance, amounts: Amounts, sign: 1 | -1): void {
  balance.cpuMillis += sign * amounts.cpuMillis;
  balance.memoryMiB += sign * amounts.memoryMiB;
  balance.deviceMillis += sign * amounts.deviceMillis;
}

/** Takes amounts into use (+1) or gives them back (−1). */
export function use(account: Account, side: Side, amounts: Amounts, sign: 1 | -1): void {
  addTo(account[side], amounts, sign);
  for (const name of AMOUNT_NAMES) {
    if (sign === 1) draw(account, name, amounts[name]);
    else repay(account, name, amounts[name]);
  }
}

/** From one side of use to the other: what is paid for it, and out of what, stays as it is. */
export function moveToCommitted({ reserved, committed }: Account, amounts: Amounts): void {
  addTo(reserved, amounts, -1);
  addTo(committed, amounts, 1);
}

/**
 * Pays in, or out again with negative amounts. A payment out of an account in use is drawn like
 * use.
 */
export function payIn(account: Account, amounts: Amounts): void {
  addTo(account.limit, amounts, 1);
  for (const name of AMOUNT_NAMES) {
    if (amounts[name] < 0) draw(account, name, -amounts[name]);
    else repay(account, name, amounts[name]);
  }
}

/** Usage beyond the limit is borrowed as far as the new bound goes, and overdrawn beyond it. */
export function setMayBorrow(account: Account, most: Amounts): void {
  for (const name of AMOUNT_NAMES) {
    account.mayBorrow[name] = most[name];
    const beyond = account.borrowed[name] + account.overdrawn[name];
    account.borrowed[name] = Math.min(beyond, most[name]);
    account.overdrawn[name] = beyond - account.borrowed[name];
  }
}

function draw(account: Account, name: AmountName, amount: number): void {
  const own = Math.min(amount, account.free[name]);
  account.free[name] -= own;
  const lent = Math.min(amount - own, account.mayBorrow[name] - account.borrowed[name]);
  account.borrowed[name] += lent;
  account.overdrawn[name] += amount - own - lent;
}

function repay(account: Account, name: AmountName, amount: number): void {
  const due = Math.min(amount, account.overdrawn[name]);
  account.overdrawn[name] -= due;
  const lent = Math.min(amount - due, account.borrowed[name]);
  account.borrowed[name] -= lent;
  account.free[name] += amount - due - lent;
}

/** Used beyond the limit, whether it was lent or not. */
export const beyondLimit = ({ borrowed, overdrawn }: Account, name: AmountName): number =>
  borrowed[name] + overdrawn[name];

/** Quota is neither made nor lost, and no balance is ever below nothing (QT2). */
export function assertConserved(whose: string, account: Account): void {
  const { limit, borrowed, overdrawn, free, reserved, committed } = account;
  for (const name of AMOUNT_NAMES) {
    const from = limit[name] + borrowed[name] + overdrawn[name];
    const to = free[name] + reserved[name] + committed[name];
    const isNegative =
      free[name] < 0 ||
      borrowed[name] < 0 ||
      overdrawn[name] < 0 ||
      reserved[name] < 0 ||
      committed[name] < 0;
    // Who has some left has no reason to borrow; who could still borrow has no reason to overdraw.
    const isOutOfOrder =
      (free[name] > 0 && from > limit[name]) ||
      (overdrawn[name] > 0 && borrowed[name] < account.mayBorrow[name]);
    if (from === to && !isNegative && !isOutOfOrder) continue;
    const found = `${name} limit+borrowed+overdrawn is ${limit[name]}+${borrowed[name]}+${overdrawn[name]}, free+reserved+committed is ${free[name]}+${reserved[name]}+${committed[name]}`;
    assert(false, `Quota of ${whose} is not conserved: ${found}.`);
  }
}
