import { expect, test } from "vitest";
import { between, keyed } from "./keyed-hash.ts";
import { KeyedTurn } from "./keyed-turn.ts";

const draw = (seed: number, component: string, site: string, subject: string): number =>
  new KeyedTurn(seed, component).random(site, subject);

test("a draw depends on seed, component, site and subject, and on nothing else", () => {
  const first = draw(1, "place", "backoff", "a");
  const turn = new KeyedTurn(1, "place");
  turn.random("other", "draws");
  turn.now = 99;
  expect(turn.random("backoff", "a")).toBe(first);
  const others = [
    draw(2, "place", "backoff", "a"),
    draw(1, "admit", "backoff", "a"),
    draw(1, "place", "probe", "a"),
    draw(1, "place", "backoff", "b"),
  ];
  expect(new Set([first, ...others]).size).toBe(5);
});

test("a draw is an unsigned 32-bit number, and its key is ordered", () => {
  for (let n = 0; n < 100; n += 1) {
    const number = keyed(n, 1, 2, 3, 4);
    expect(Number.isInteger(number)).toBe(true);
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThan(2 ** 32);
  }
  expect(keyed(1, 2, 3, 4, 5)).not.toBe(keyed(1, 3, 2, 4, 5));
});

test("a draw within bounds reaches both of them and leaves neither", () => {
  const drawn = Array.from({ length: 200 }, (_, n) => between(keyed(7, 0, 0, 0, n), 3, 5));
  expect(new Set(drawn)).toEqual(new Set([3, 4, 5]));
});
