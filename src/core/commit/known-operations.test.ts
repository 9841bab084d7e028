import { describe, expect, test } from "vitest";
import { type OperationId, operationId } from "../model/ids.ts";
import { fairShare, KnownOperations } from "./known-operations.ts";
import { CONTROLLERS } from "../protocol/operation-space.ts";

const id = (number: number): OperationId => operationId(`operation-${number}`);
const MOST = 640;
const BOUNDS = {
  controllerOperations: MOST,
  callerOperations: MOST,
  callerOperationsAfterCut: 600,
};

class Memory extends KnownOperations {
  private revision = 0;

  constructor() {
    super(BOUNDS);
  }

  /** Operations 1 to `count` of one caller. */
  take(space: string, count: number, from = 1): this {
    for (let at = from; at < from + count; at += 1) {
      this.remember(space, id(at), { revision: (this.revision += 1), command: "put" });
    }
    return this;
  }
}

describe("operations that are remembered", () => {
  test("the same id of two callers is two operations [ID1]", () => {
    const memory = new Memory().take("user:ann", 1).take("agent:a-1", 1);
    expect(memory.of("user:ann", id(1))).toEqual({ revision: 1, command: "put" });
    expect(memory.of("agent:a-1", id(1))).toEqual({ revision: 2, command: "put" });
    expect(memory.of(CONTROLLERS, id(1))).toBeUndefined();
  });

  test("a flood of one caller pushes out nothing of another's and nothing of the controllers' [OP3]", () => {
    const memory = new Memory().take(CONTROLLERS, 10).take("user:ann", 10).take("agent:a-1", 10);
    memory.take("user:eve", 2 * MOST);
    for (const space of [CONTROLLERS, "user:ann", "agent:a-1"]) {
      for (let at = 1; at <= 10; at += 1) expect(memory.of(space, id(at))).toBeDefined();
    }
    expect(memory.of("user:eve", id(1))).toBeUndefined();
    expect(memory.of("user:eve", id(2 * MOST))).toBeDefined();
    const kept = [...memory.all()].length - 10;
    expect(kept).toBeLessThanOrEqual(MOST);
    expect(kept).toBeGreaterThan(MOST / 2);
  });

  test("what is restored forgets the same as what has read everything [EP5]", () => {
    const whole = new Memory().take("user:ann", 400).take("user:eve", 200).take("user:bob", 9);
    const restored = new Memory();
    restored.restore([...whole.all()]);
    for (const memory of [whole, restored]) {
      for (let at = 1; at <= 80; at += 1) {
        memory.remember("user:bob", id(100 + at), { revision: 700 + at, command: "put" });
      }
    }
    expect([...restored.all()]).toEqual([...whole.all()]);
  });
});

test.each([
  { sizes: [10, 10], total: 100, share: 100 },
  { sizes: [3, 50, 90], total: 63, share: 30 },
  { sizes: [1, 1, 1], total: 2, share: 0 },
  { sizes: [], total: 5, share: 5 },
])("[OP3] of $sizes, $total are shared as $share each at most", ({ sizes, total, share }) => {
  expect(fairShare(sizes, total)).toBe(share);
});
