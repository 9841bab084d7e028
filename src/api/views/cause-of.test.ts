import { expect, test } from "vitest";
import { causeOf } from "./cause-of.ts";

const ASKED = { cpuMillis: 10_000, memoryMiB: 4_096, deviceMillis: 1_000 };
const summary = "no node fits this replica";
const by = (count: number) => ({ count, example: "Node//a-1" });

test("a wait for room names the amounts that no node has free", () => {
  const rejected = { capacity: by(3) };
  expect(causeOf({ summary, rejected }, ASKED)).toBe("no node has 10 CPU, 4Gi, 1 device free");
  const small = { cpuMillis: 500, memoryMiB: 0, deviceMillis: 0 };
  const also = { capacity: by(3), taints: by(9) };
  expect(causeOf({ summary, rejected: also }, small)).toBe("no eligible node has 500m CPU free");
});

test("a wait for other rules names those that reject the most nodes", () => {
  const rejected = { taints: by(1), schedulable: by(4), location: by(2) };
  expect(causeOf({ summary, rejected }, ASKED)).toBe(
    "all nodes are rejected: schedulable, location",
  );
});

test("a wait that is not for a node keeps the controller's own words", () => {
  const held = "room is held for it on a-1";
  expect(causeOf({ summary: held }, ASKED)).toBe(held);
  const quota = "the quota of tenant research is used up: 0m of CPU left, 2000m of CPU needed";
  expect(causeOf({ summary: quota }, ASKED)).toBe(
    "quota used up: 0m of CPU left, 2000m of CPU needed",
  );
  const gang = { summary: "room for 3 of 20 members", rejected: { capacity: by(2) } };
  expect(causeOf(gang, ASKED)).toBe("room for 3 of 20 members");
});
