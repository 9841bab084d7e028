import { expect, test } from "vitest";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { showBooks } from "./show-books.ts";

test("what is wrong with the books is shown with what is read, and told once [RP4]", () => {
  const [truth, shown] = [new ObjectIndex(), new ObjectIndex()];
  expect(showBooks(truth, shown)).toBeUndefined();
  truth.books.wrong = "they do not add up";
  expect(showBooks(truth, shown)).toBe("they do not add up");
  expect(shown.books.wrong).toBe("they do not add up");
  expect(showBooks(truth, shown)).toBeUndefined();
});

test("books that were made anew are right again, and wrong ones are news again [RP4]", () => {
  const [truth, shown] = [new ObjectIndex(), new ObjectIndex()];
  truth.books.wrong = "they do not add up";
  showBooks(truth, shown);
  expect(showBooks(new ObjectIndex(), shown)).toBeUndefined();
  expect(shown.books.wrong).toBeUndefined();
  expect(showBooks(truth, shown)).toBe("they do not add up");
});
