/**
 * What is taken, derived from objects alone: on each node the sum and the devices of the replicas that
 * hold it; for each tenant an account in double entry. Cache and authority both fold changes through this
 * file, so they can disagree about *when*, never about *how much*.
 */
import { assert } from "../assert.ts";
import { AMOUNT_NAMES, type Amounts } from "../model/amounts.ts";
import type { ObjectKey } from "../model/ids.ts";

export interface NodeUse {
  cpuMillis: number;
  memoryMiB: number;
  devices: number;
  replicas: number;
  /** Which replica owns each exclusive unit that is taken. */
  readonly deviceOwners: Map<string, ObjectKey>;
}

export const emptyNodeUse = (): NodeUse => ({
  cpuMillis: 0,
  memoryMiB: 0,
  devices: 0,
  replicas: 0,
  deviceOwners: new Map(),
});

export function addToNode(use: NodeUse, amounts: Amounts, sign: 1 | -1): void {
  use.cpuMillis += sign * amounts.cpuMillis;
  use.memoryMiB += sign * amounts.memoryMiB;
  use.devices += sign * amounts.devices;
  use.replicas += sign;
}

interface Balance {
  cpuMillis: number;
  memoryMiB: number;
  devices: number;
}

/** The accounts of one tenant. Money only moves between them; `limit` is what was ever paid in. */
export interface Account {
  readonly limit: Balance;
  readonly free: Balance;
  readonly reserved: Balance;
  readonly committed: Balance;
}

const zero = (): Balance => ({ cpuMillis: 0, memoryMiB: 0, devices: 0 });

export const emptyAccount = (): Account => ({
  limit: zero(),
  free: zero(),
  reserved: zero(),
  committed: zero(),
});

function move(from: Balance, to: Balance, amounts: Amounts): void {
  from.cpuMillis -= amounts.cpuMillis;
  from.memoryMiB -= amounts.memoryMiB;
  from.devices -= amounts.devices;
  to.cpuMillis += amounts.cpuMillis;
  to.memoryMiB += amounts.memoryMiB;
  to.devices += amounts.devices;
}

/** One posting: what leaves one balance arrives in another. */
export function post(
  account: Account,
  from: "free" | "reserved" | "committed",
  to: "free" | "reserved" | "committed",
  amounts: Amounts,
): void {
  move(account[from], account[to], amounts);
}

/** Paying in (or out, with negative amounts) is the only way `free` changes without a counter-posting. */
export function payIn(account: Account, amounts: Amounts): void {
  for (const balance of [account.limit, account.free]) {
    balance.cpuMillis += amounts.cpuMillis;
    balance.memoryMiB += amounts.memoryMiB;
    balance.devices += amounts.devices;
  }
}

/** Quota is neither made nor lost (QT2). */
export function assertConserved(tenant: string, account: Account): void {
  const { limit, free, reserved, committed } = account;
  for (const name of AMOUNT_NAMES) {
    const held = free[name] + reserved[name] + committed[name];
    if (held === limit[name]) continue;
    const found = `${name} free+reserved+committed is ${held}, limit is ${limit[name]}`;
    assert(false, `Quota of tenant ${tenant} is not conserved: ${found}.`);
  }
}
