import { describe, expect, it } from "vitest";
import { readTrace, type TraceEvent } from "./main-thread.ts";

const PAGE = { pid: 2, tid: 1 } as const;

const task = (
  ms: number,
  of: { readonly pid: number; readonly tid: number } = PAGE,
): TraceEvent => ({
  name: "RunTask",
  ph: "X",
  ts: 0,
  dur: ms * 1_000,
  ...of,
});

const frame = (of: { readonly pid: number; readonly tid: number } = PAGE): TraceEvent => ({
  name: "BeginMainThreadFrame",
  ph: "I",
  ts: 0,
  ...of,
});

describe("readTrace()", () => {
  it("adds up the tasks of the page's main thread, and no other's", () => {
    const other = { pid: 2, tid: 9 };
    const events = [frame(), frame(), task(100), task(60), task(40), task(500, other)];
    expect(readTrace(events, 2_000)).toEqual({
      seconds: 2,
      busy: 0.1,
      longestTaskMs: 100,
      longTasks: 2,
      framesPerSecond: 1,
    });
  });

  it("takes the renderer that drew for the page's, and one by its name where none did", () => {
    const spare = { pid: 3, tid: 1 };
    const named = (of: typeof spare): TraceEvent => ({
      name: "thread_name",
      ph: "M",
      ts: 0,
      args: { name: "CrRendererMain" },
      ...of,
    });
    const both = [named(spare), task(30, spare), frame(), task(10)];
    expect(readTrace(both, 1_000).longestTaskMs).toBe(10);
    expect(readTrace([named(spare), task(30, spare)], 1_000).longestTaskMs).toBe(30);
  });

  it("tells of a quiet page that nothing happened", () => {
    expect(readTrace([], 1_000)).toMatchObject({ busy: 0, longestTaskMs: 0, framesPerSecond: 0 });
  });
});
