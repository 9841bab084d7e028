import { describe, expect, test } from "vitest";
import { amounts } from "../../../../test/builders/amounts.ts";
import { InvariantBroken } from "../../model/assert.ts";
import { AMOUNT_NAMES } from "../../model/amounts.ts";
import {
  type Account,
  assertConserved,
  emptyAccount,
  payIn,
  setMayBorrow,
  UNBOUNDED,
  use,
} from "./account.ts";

const cpu = (cpuMillis: number) => amounts({ cpuMillis, memoryMiB: 0, deviceMillis: 0 });

function anAccount(limit: number, mayBorrow = 0): Account {
  const account = emptyAccount();
  payIn(account, cpu(limit));
  setMayBorrow(account, cpu(mayBorrow));
  return account;
}

/** Every balance of CPU that is not nothing. */
function balances(account: Account): Readonly<Record<string, number>> {
  const all = Object.entries(account) as [string, { cpuMillis: number }][];
  return Object.fromEntries(
    all.flatMap(([name, { cpuMillis }]) =>
      name === "mayBorrow" || cpuMillis === 0 ? [] : [[name, cpuMillis]],
    ),
  );
}

describe("an account in double entry", () => {
  test("what leaves one balance arrives in another, so it always adds up [QT2]", () => {
    const account = anAccount(500);
    use(account, "reserved", cpu(200), 1);
    expect(balances(account)).toEqual({ limit: 500, free: 300, reserved: 200 });
    use(account, "reserved", cpu(200), -1);
    use(account, "committed", cpu(200), 1);
    expect(balances(account)).toEqual({ limit: 500, free: 300, committed: 200 });
    expect(() => assertConserved("tenant payments", account)).not.toThrow();
  });

  test("is drawn on its limit first, then on what it may borrow, and only then overdrawn [QT2] [QT5]", () => {
    const account = anAccount(500, 200);
    use(account, "committed", cpu(600), 1);
    expect(balances(account)).toEqual({ limit: 500, borrowed: 100, committed: 600 });
    use(account, "reserved", cpu(300), 1);
    expect(balances(account)).toEqual({
      limit: 500,
      borrowed: 200,
      overdrawn: 200,
      committed: 600,
      reserved: 300,
    });
    expect(() => assertConserved("tenant payments", account)).not.toThrow();
  });

  test("pays back in the reverse order, so the way up and down is the same [QT2]", () => {
    const account = anAccount(500, 200);
    use(account, "committed", cpu(900), 1);
    use(account, "committed", cpu(300), -1);
    expect(balances(account)).toEqual({ limit: 500, borrowed: 100, committed: 600 });
    use(account, "committed", cpu(200), -1);
    expect(balances(account)).toEqual({ limit: 500, free: 100, committed: 400 });
  });

  test("a smaller limit accounts what it no longer covers, and no balance goes below nothing [QT3]", () => {
    const account = anAccount(500);
    use(account, "committed", cpu(400), 1);
    payIn(account, cpu(-300));
    expect(balances(account)).toEqual({ limit: 200, overdrawn: 200, committed: 400 });
    use(account, "committed", cpu(250), -1);
    expect(balances(account)).toEqual({ limit: 200, free: 50, committed: 150 });
    expect(() => assertConserved("tenant payments", account)).not.toThrow();
  });

  test("another bound on borrowing moves use between borrowed and overdrawn [QT5]", () => {
    const account = anAccount(500, UNBOUNDED);
    use(account, "committed", cpu(800), 1);
    setMayBorrow(account, cpu(100));
    expect(balances(account)).toEqual({
      limit: 500,
      borrowed: 100,
      overdrawn: 200,
      committed: 800,
    });
    setMayBorrow(account, cpu(1_000));
    expect(balances(account)).toEqual({ limit: 500, borrowed: 300, committed: 800 });
  });

  test("does not depend on the order in which it came about [QT2]", () => {
    const used = anAccount(0);
    use(used, "committed", cpu(700), 1);
    payIn(used, cpu(500));
    setMayBorrow(used, cpu(150));
    const paid = anAccount(500, 150);
    use(paid, "committed", cpu(700), 1);
    expect(used).toEqual(paid);
  });
});

test("an account that lost or made something in any amount breaks the invariant [QT2]", () => {
  for (const name of AMOUNT_NAMES) {
    const balancesOfIt = [
      "limit",
      "borrowed",
      "overdrawn",
      "free",
      "reserved",
      "committed",
    ] as const;
    for (const balance of balancesOfIt) {
      const account = emptyAccount();
      account[balance][name] += 1;
      expect(() => assertConserved("tenant payments", account)).toThrow(InvariantBroken);
    }
  }
});

test("an account that adds up with a balance below nothing, or borrows with some left, is broken [QT2]", () => {
  const negative = anAccount(0);
  negative.free.cpuMillis = -5;
  negative.committed.cpuMillis = 5;
  expect(() => assertConserved("tenant payments", negative)).toThrow(/not conserved/);
  const needless = anAccount(10, 10);
  needless.borrowed.cpuMillis = 5;
  needless.free.cpuMillis = 15;
  expect(() => assertConserved("tenant payments", needless)).toThrow(/not conserved/);
  const skipped = anAccount(10, 10);
  use(skipped, "committed", cpu(15), 1);
  skipped.borrowed.cpuMillis = 0;
  skipped.overdrawn.cpuMillis = 5;
  expect(() => assertConserved("group retail", skipped)).toThrow(/group retail is not conserved/);
});
