import { expect, test } from "vitest";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Kind } from "../../core/model/ids.ts";
import { KINDS } from "../../core/model/ids.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { Engine } from "../engine.ts";
import { PastState } from "./past-state.ts";
import { drawSwarm } from "../swarm/swarm.ts";

function logOfARun(): readonly Commit[] {
  let commits: readonly Commit[] = [];
  const { world, rates } = drawSwarm(3);
  const keep = {
    name: "keep",
    sampled: (truth: { commits: readonly Commit[] }) => (commits = truth.commits),
  };
  new Engine({ world, seed: 3, faults: { explicit: [], rates } }, [keep]).run();
  return commits;
}

function folded(commits: readonly Commit[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const { changes } of commits) for (const change of changes) index.fold(change);
  return index;
}

const content = (index: ObjectIndex): unknown =>
  KINDS.map((kind: Kind) =>
    [...index.all(kind).values()].toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  );

test("winding back and forth gives what folding from the beginning gives", () => {
  const commits = logOfARun();
  expect(commits.length).toBeGreaterThan(100);
  const past = new PastState(commits);
  for (const revision of [50, 20, 90, 90, 3, commits.length, commits.length - 7, 0]) {
    expect(content(past.at(revision))).toEqual(content(folded(commits.slice(0, revision))));
  }
});
