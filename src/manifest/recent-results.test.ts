import { expect, it } from "vitest";
import { RecentResults } from "./recent-results.ts";

const keys = (count: number): readonly { readonly at: number }[] =>
  Array.from({ length: count }, (_, at) => ({ at }));

it("makes the result of an object once while it is asked for, however many others there are", () => {
  let made = 0;
  const results = new RecentResults(({ at }: { readonly at: number }) => `${(made += 1)} ${at}`, 8);
  const [hot, ...others] = keys(101);
  for (const other of others) {
    results.of(hot!);
    results.of(other);
    expect(results.size).toBeLessThanOrEqual(8);
  }
  expect(made).toBe(101);
  expect(results.of(hot!)).toBe("1 0");
});

it("makes it again after as many others as it keeps", () => {
  let made = 0;
  const results = new RecentResults(() => (made += 1), 8);
  for (const key of keys(1)) results.of(key);
  const first = {};
  results.of(first);
  for (const other of keys(8)) results.of(other);
  const before = made;
  results.of(first);
  expect(made).toBe(before + 1);
});
