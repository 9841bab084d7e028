import { expect, test } from "vitest";
import { amounts } from "../../../test/builders/amounts.ts";
import { equalAmounts, minus, NOTHING, plus, shortage } from "./amounts.ts";

test("what is added can be taken away again", () => {
  const a = amounts({ cpuMillis: 5, memoryMiB: 6, deviceMillis: 7 });
  const b = amounts({ cpuMillis: 1, memoryMiB: 2, deviceMillis: 3 });
  expect(plus(a, b)).toEqual({ cpuMillis: 6, memoryMiB: 8, deviceMillis: 10 });
  expect(equalAmounts(minus(plus(a, b), b), a)).toBe(true);
  expect(equalAmounts(minus(a, a), NOTHING)).toBe(true);
});

test("amounts that differ in one quantity are not equal", () => {
  const a = amounts({ cpuMillis: 5, memoryMiB: 6, deviceMillis: 7 });
  expect(equalAmounts(a, { ...a, cpuMillis: 4 })).toBe(false);
  expect(equalAmounts(a, { ...a, memoryMiB: 4 })).toBe(false);
  expect(equalAmounts(a, { ...a, deviceMillis: 4 })).toBe(false);
});

test("a shortage names the first quantity that does not fit, and an exact fit is none [BD4]", () => {
  const room = amounts({ cpuMillis: 10, memoryMiB: 10, deviceMillis: 1 });
  expect(shortage(room, room)).toBeUndefined();
  expect(shortage({ ...room, cpuMillis: 11, memoryMiB: 11 }, room)).toBe("cpuMillis");
  expect(shortage({ ...room, memoryMiB: 11, deviceMillis: 2 }, room)).toBe("memoryMiB");
  expect(shortage({ ...room, deviceMillis: 2 }, room)).toBe("deviceMillis");
});
