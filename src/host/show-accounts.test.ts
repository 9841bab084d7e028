import { expect, test } from "vitest";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { showAccounts } from "./show-accounts.ts";

test("what is wrong with the accounts is shown with what is read, and told once [RP4]", () => {
  const [truth, shown] = [new ObjectIndex(), new ObjectIndex()];
  expect(showAccounts(truth, shown)).toBeUndefined();
  truth.quotaUsage.wrong = "they do not add up";
  expect(showAccounts(truth, shown)).toBe("they do not add up");
  expect(shown.quotaUsage.wrong).toBe("they do not add up");
  expect(showAccounts(truth, shown)).toBeUndefined();
});

test("accounts that were made anew are right again, and wrong ones are news again [RP4]", () => {
  const [truth, shown] = [new ObjectIndex(), new ObjectIndex()];
  truth.quotaUsage.wrong = "they do not add up";
  showAccounts(truth, shown);
  expect(showAccounts(new ObjectIndex(), shown)).toBeUndefined();
  expect(shown.quotaUsage.wrong).toBeUndefined();
  expect(showAccounts(truth, shown)).toBe("they do not add up");
});
