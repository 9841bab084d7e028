/** What the authority found out about its quota books, shown with those that are read. */
import type { ObjectIndex } from "../core/observe/object-index.ts";

/** What is wrong, when that is news. */
export function showBooks(truth: ObjectIndex, shown: ObjectIndex): string | undefined {
  const { wrong } = truth.books;
  const isNews = wrong !== undefined && shown.books.wrong === undefined;
  shown.books.wrong = wrong;
  return isNews ? wrong : undefined;
}
