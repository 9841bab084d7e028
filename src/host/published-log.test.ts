import { expect, it } from "vitest";
import { aCommit } from "../../test/builders/a-commit.ts";
import { PublishedLog } from "./published-log.ts";

const snapshotAt = (revision: number) => ({
  revision,
  epoch: 1,
  leadSinceMs: 0,
  objects: [],
  operations: [],
});

it("after a leap no watch resumes before it: the commits between are not known", () => {
  const log = new PublishedLog();
  log.stage([1, 2, 3].map((revision) => aCommit({ revision })));
  log.publish(3);
  expect(log.since(1)?.map(({ revision }) => revision)).toEqual([2, 3]);
  log.load(snapshotAt(7), []);
  expect(log.since(2)).toBeUndefined();
  expect(log.since()).toEqual([]);
  log.stage([8, 9].map((revision) => aCommit({ revision })));
  log.publish(9);
  expect(log.since(2)).toBeUndefined();
  expect(log.since(6)).toBeUndefined();
  expect(log.since(7)?.map(({ revision }) => revision)).toEqual([8, 9]);
  expect(log.since()?.map(({ revision }) => revision)).toEqual([8, 9]);
});
