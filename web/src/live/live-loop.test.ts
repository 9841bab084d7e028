import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiFailure } from "./api-failure.ts";
import { type Attempt, type Link, LiveLoop } from "./live-loop.ts";
import { retryDelayMs } from "./retry-delay.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const untilStopped = ({ signal }: Link): Promise<void> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

function aLoop(...attempts: Attempt[]) {
  let begun = 0;
  const loop = new LiveLoop((link) => {
    const attempt = attempts[begun] ?? untilStopped;
    begun += 1;
    return attempt(link);
  });
  return { loop, begun: () => begun };
}

const refused: Attempt = () => Promise.reject(new ApiFailure(404, { message: "no such view" }));
const broken: Attempt = () => Promise.reject(new ApiFailure(503, { message: "not leading" }));

test("a stream that breaks begins anew, says since when, and is live once all is there again", async () => {
  const { loop, begun } = aLoop(broken, broken, async (link) => {
    link.arrived();
    await untilStopped(link);
  });
  loop.start();
  await vi.advanceTimersByTimeAsync(0);
  const state = loop.state.value;
  expect(state).toMatchObject({ kind: "reconnecting", failure: { message: "not leading" } });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(2);
  expect(loop.state.value).toMatchObject({ sinceMs: "sinceMs" in state ? state.sinceMs : -1 });
  await vi.advanceTimersByTimeAsync(2_000);
  expect([begun(), loop.state.value.kind]).toEqual([3, "live"]);
  loop.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun()).toBe(3);
});

test("what the server refuses is not asked again by itself, only by hand", async () => {
  const { loop, begun } = aLoop(refused);
  loop.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([begun(), loop.state.value.kind]).toEqual([1, "refused"]);
  loop.retry();
  expect(begun()).toBe(2);
  loop.stop();
});

test("a stream waits longer each time, from one second to ten, less by up to a quarter", () => {
  expect([1, 2, 3, 4, 5, 50].map((attempt) => retryDelayMs(attempt, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
  ]);
  expect(retryDelayMs(5, 0)).toBe(7_500);
});
