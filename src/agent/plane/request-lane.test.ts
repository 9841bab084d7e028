import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { AGENT_LIMITS } from "../agent-limits.ts";
import { RequestLane } from "./request-lane.ts";

const { requestsUnderWay, requestsWaiting } = AGENT_LIMITS;

test("[LB8] so many are under way, so many wait, and one more is not taken", async () => {
  const lane = new RequestLane();
  const answers: (() => void)[] = [];
  const request = () => new Promise<void>((resolve) => void answers.push(resolve));
  const most = requestsUnderWay.value + requestsWaiting.value;
  for (let at = 0; at < most; at += 1) expect(lane.send(request)).toBe(true);
  expect(lane.send(request)).toBe(false);
  expect(answers).toHaveLength(requestsUnderWay.value);
  answers.shift()?.();
  await nextTurn();
  expect(answers).toHaveLength(requestsUnderWay.value);
  expect(lane.send(request)).toBe(true);
});

test("[LB8] a request that fails gives its place to the next, and what waits at the end is not sent", async () => {
  const lane = new RequestLane();
  let sent = 0;
  const failing = async () => {
    sent += 1;
    await nextTurn();
    throw new Error("as a connection that breaks");
  };
  const caught = () => failing().catch(() => undefined);
  for (let at = 0; at < 3 * requestsUnderWay.value; at += 1) lane.send(caught);
  expect(sent).toBe(requestsUnderWay.value);
  await nextTurn();
  await nextTurn();
  expect(sent).toBeGreaterThan(requestsUnderWay.value);
  const before = sent;
  lane.close();
  for (let at = 0; at < 5; at += 1) await nextTurn();
  expect(sent).toBeLessThanOrEqual(before + requestsUnderWay.value);
});
