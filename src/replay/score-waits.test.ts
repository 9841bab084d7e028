import { describe, expect, test } from "vitest";
import { workloadKey } from "../core/model/ids.ts";
import { noScores, scoreWaits, type WaitRecord } from "./score-waits.ts";

const A = workloadKey("lab", "a");
const B = workloadKey("lab", "b");

const scored = (record: WaitRecord) => {
  const scores = noScores();
  scoreWaits(record, scores);
  return scores;
};

describe("estimates of waits", () => {
  test("are scored by their first statement, and by the bind that ends the wait", () => {
    const statements = [
      { key: A, atMs: 0, estimateMs: 10, upToMs: 20 },
      { key: A, atMs: 12, estimateMs: 100, upToMs: 200 },
      { key: B, atMs: 20, estimateMs: 5 },
      { key: A, atMs: 30, estimateMs: 10, upToMs: 40 },
    ];
    const boundMs = new Map([
      [A, [15, 40]],
      [B, [26]],
    ]);
    expect(scored({ statements, boundMs })).toEqual({
      said: 3,
      withInterval: 2,
      withinEstimate: 1,
      withinUpTo: 2,
      bare: 1,
      bareWithin: 0,
      widths: [200, 400],
      open: 0,
    });
  });

  test("of waits without an end count once they are longer than was said", () => {
    const statements = [
      { key: A, atMs: 0, estimateMs: 10, upToMs: 20 },
      { key: B, atMs: 85, estimateMs: 10, upToMs: 20 },
    ];
    const record = { statements, boundMs: new Map() };
    expect(scored({ ...record, untilMs: 100 })).toMatchObject({ said: 1, withinUpTo: 0, open: 1 });
    expect(scored(record)).toMatchObject({ said: 2, withinUpTo: 0, open: 0 });
  });
});
