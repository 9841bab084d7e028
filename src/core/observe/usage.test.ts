import { expect, test } from "vitest";
import { amounts } from "../../../test/builders/amounts.ts";
import { InvariantBroken } from "../assert.ts";
import { assertConserved, emptyAccount, payIn, post } from "./usage.ts";

test("what leaves one balance arrives in another, so the account always adds up [QT2]", () => {
  const account = emptyAccount();
  payIn(account, amounts({ cpuMillis: 500 }));
  post(account, "free", "reserved", amounts({ cpuMillis: 200 }));
  post(account, "reserved", "committed", amounts({ cpuMillis: 200 }));
  expect(account).toMatchObject({
    limit: { cpuMillis: 500 },
    free: { cpuMillis: 300 },
    reserved: { cpuMillis: 0 },
    committed: { cpuMillis: 200 },
  });
  expect(() => assertConserved("payments", account)).not.toThrow();
});

test("an account that lost or made something in any quantity breaks the invariant [QT2]", () => {
  for (const name of ["cpuMillis", "memoryMiB", "devices"] as const) {
    for (const balance of ["limit", "free", "reserved", "committed"] as const) {
      const account = emptyAccount();
      account[balance][name] += 1;
      expect(() => assertConserved("payments", account)).toThrow(InvariantBroken);
    }
  }
});
