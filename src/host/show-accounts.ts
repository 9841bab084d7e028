/** What the authority found out about its quota quotaUsage, shown with those that are read. */
import type { ObjectIndex } from "../core/observe/object-index.ts";

/** What is wrong, when that is news. */
export function showAccounts(truth: ObjectIndex, shown: ObjectIndex): string | undefined {
  const { wrong } = truth.quotaUsage;
  const isNews = wrong !== undefined && shown.quotaUsage.wrong === undefined;
  shown.quotaUsage.wrong = wrong;
  return isNews ? wrong : undefined;
}
