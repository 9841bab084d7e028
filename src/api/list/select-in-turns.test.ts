import { expect, it } from "vitest";
import { selectInTurns } from "./select-in-turns.ts";

it("[IN4] others get their turn after each thousand objects that are held against a selector", async () => {
  const objects = Array.from({ length: 2_500 }, (_, at) => at);
  const perTurn: number[] = [];
  let asked = 0;
  const count = (): void => {
    perTurn.push(asked);
    asked = 0;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const isEven = (each: number): boolean => ((asked += 1), each % 2 === 0);
  const found = await selectInTurns(objects, isEven, 1_000);
  perTurn.push(asked);
  clearImmediate(next);
  expect(found).toEqual(objects.filter((each) => each % 2 === 0));
  expect(Math.max(...perTurn)).toBe(1_000);
  expect(perTurn.reduce((sum, each) => sum + each, 0)).toBe(2_500);
});
