/** What the log of events begins with after a restart, and what it lets go of. */
import { expect, test } from "vitest";
import { EventLog } from "../../src/api/events/event-log.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aReplica } from "../builders/a-replica.ts";
import { PlaneUser } from "../host/a-running-plane.ts";

const LIMITS = { perObject: 32, overall: 5 };

/** A plane without controllers on a log in which twenty replicas were admitted, one a commit. */
async function restarted(): Promise<Plane> {
  const store = new MemoryLog();
  const { epoch } = await store.claim();
  const commits = Array.from({ length: 20 }, (_, index) =>
    aCommit({ revision: index + 1, epoch, put: [aReplica({ index, revision: index + 1 })] }),
  );
  await store.append(epoch, commits);
  return Plane.open({ store, createControllers: () => [] });
}

const indexesOf = (events: EventLog): readonly string[] =>
  [...events.all()].map(({ about }) => about.name.split(".").at(-1) ?? "");

test("after a restart the newest events that are kept are there, in order", async () => {
  const plane = await restarted();
  const events = new EventLog(plane, 0, LIMITS);
  expect(indexesOf(events)).toEqual(["15", "16", "17", "18", "19"]);
  events.close();
  await plane.close();
});

test("what changed longest ago is pushed out first, one event after another", async () => {
  const plane = await restarted();
  const events = new EventLog(plane, 0, LIMITS);
  const gone: string[] = [];
  events.onChange((type, { about }) => {
    if (type === "DELETED") gone.push(about.name);
  });
  const user = new PlaneUser(plane);
  await user.furnish();
  for (const replicas of [1, 2, 3, 4, 5, 6, 7]) await user.putDesired(replicas);
  const admitted = gone.filter((name) => /^api\.1\.\d+$/.test(name));
  expect(admitted).toEqual([15, 16, 17, 18, 19].map((index) => `api.1.${index}`));
  expect([...events.all()]).toHaveLength(LIMITS.overall);
  expect(events.since(0)).toBeUndefined();
  events.close();
  await plane.close();
});

test("a late reader gets the newest earlier events, and is told of the gap", async () => {
  const plane = await restarted();
  const events = new EventLog(plane, 0, { perObject: 32, overall: 30 });
  const user = new PlaneUser(plane);
  await user.furnish();
  await user.putDesired(1);
  const seen = events.version;
  await user.putDesired(2);
  expect(events.since(seen)?.map(({ reason }) => reason)).toEqual(["Scaled"]);
  const later = events.version;
  for (let replicas = 3; replicas < 160; replicas += 1) await user.putDesired(replicas);
  expect(events.since(later)).toBeUndefined();
  const newest = [...events.all()];
  expect(newest).toHaveLength(30);
  expect(newest.at(-1)?.message).toBe("Scaled from 158 to 159 replicas.");
  events.close();
  await plane.close();
});
