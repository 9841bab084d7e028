import { describe, expect, test } from "vitest";
import { InvariantBroken } from "../model/assert.ts";
import { operationId } from "../model/ids.ts";
import type { Commit } from "../protocol/commit-record.ts";
import { LEASE_MARGIN_MS, LEASE_MS, PlaneStanding, reliableUntil } from "./plane-standing.ts";

const commit = (revision: number): Commit => ({
  revision,
  epoch: 1,
  atMs: 0,
  operation: operationId(`op/${revision}`),
  actor: { role: "user", name: "user" },
  command: "put",
  basis: 0,
  evidence: undefined,
  changes: [],
});

const RELIABLE_MS = LEASE_MS - LEASE_MARGIN_MS;
const won = { epoch: 2, end: 2 };

/** Leads since the time 0, having followed a log of two commits. */
function aLeader(): PlaneStanding {
  const standing = new PlaneStanding();
  standing.heard({ commits: [commit(1), commit(2)] }, 0);
  standing.wins(won, RELIABLE_MS, 1);
  return standing;
}

describe("taking over", () => {
  test("waits until the log was followed to where it ended [EP8]", () => {
    const standing = new PlaneStanding();
    expect(standing.wins(won, RELIABLE_MS, 1)).toEqual([]);
    expect(standing.heard({ commits: [commit(1)] }, 2)).toHaveLength(1);
    expect(standing.leads).toBe(false);
    expect(standing.heard({ commits: [commit(2)] }, 3)).toMatchObject([
      { kind: "followed", commits: [{ revision: 2 }] },
      { kind: "took-over", epoch: 2, end: 2 },
    ]);
    expect(standing.leads).toBe(true);
  });

  test("is at once for who has followed that far [EP8]", () => {
    const standing = new PlaneStanding();
    standing.heard({ commits: [commit(1), commit(2)] }, 0);
    expect(standing.wins(won, RELIABLE_MS, 1)).toEqual([{ kind: "took-over", ...won }]);
  });

  test("needs to have heard of an empty log, too [EP8]", () => {
    const standing = new PlaneStanding();
    expect(standing.wins({ epoch: 1, end: 0 }, RELIABLE_MS, 1)).toEqual([]);
    expect(standing.heard({ commits: [] }, 2)).toMatchObject([
      { kind: "followed" },
      { kind: "took-over", end: 0 },
    ]);
  });

  test("does not happen on a lease that may be over by then [EP8]", () => {
    const late = new PlaneStanding();
    late.heard({ commits: [commit(1), commit(2)] }, 0);
    expect(late.wins(won, RELIABLE_MS, RELIABLE_MS)).toEqual([]);
    const slow = new PlaneStanding();
    slow.wins(won, RELIABLE_MS, 1);
    const news = { commits: [commit(1), commit(2)] };
    expect(slow.heard(news, RELIABLE_MS)).toMatchObject([{ kind: "followed" }]);
    expect([late.leads, slow.leads]).toEqual([false, false]);
  });

  test("who leads is told nothing of what it appended itself, and cannot win again [EP8]", () => {
    const leader = aLeader();
    expect(leader.heard({ commits: [commit(3)] }, 1)).toEqual([]);
    expect(() => leader.wins({ epoch: 3, end: 3 }, RELIABLE_MS, 2)).toThrow(InvariantBroken);
  });
});

describe("the lease", () => {
  test("is counted from when it was asked for, and ends before the store's [EP7]", () => {
    const leader = aLeader();
    expect(leader.lapses(RELIABLE_MS - 1)).toEqual([]);
    expect(leader.lapses(RELIABLE_MS)).toEqual([{ kind: "lapsed" }]);
    expect(RELIABLE_MS).toBeLessThan(LEASE_MS);
  });

  test("is made longer by renewals, counted from when they were sent [EP7]", () => {
    const leader = aLeader();
    leader.reliesUntil(reliableUntil(3_000));
    expect(leader.lapses(3_000 + RELIABLE_MS - 1)).toEqual([]);
    expect(leader.lapses(3_000 + RELIABLE_MS)).toEqual([{ kind: "lapsed" }]);
  });

  test("is over at once when the store says so [EP7]", () => {
    const leader = aLeader();
    leader.reliesUntil(0);
    expect(leader.lapses(1)).toEqual([{ kind: "lapsed" }]);
  });

  test("who won and has not come to the end loses what it won, and may try again [EP7]", () => {
    const standing = new PlaneStanding();
    standing.wins(won, RELIABLE_MS, 1);
    expect(standing.term).toBe(2);
    expect(standing.lapses(RELIABLE_MS)).toEqual([]);
    expect(standing.term).toBeUndefined();
    expect(standing.heard({ commits: [commit(1), commit(2)] }, RELIABLE_MS)).toHaveLength(1);
  });
});

test("who asks for the log follows it from the beginning, or from a snapshot [EP6]", () => {
  const leader = aLeader();
  expect(leader.followsAfter).toBe(2);
  leader.follow();
  expect(leader.followsAfter).toBeUndefined();
  expect(leader.leads).toBe(false);
  const snapshot = { revision: 7, epoch: 2, leadSinceMs: 0, objects: [], operations: [] };
  expect(leader.heard({ snapshot, commits: [] }, 0)).toMatchObject([
    { kind: "followed", snapshot },
  ]);
  expect(leader.followsAfter).toBe(7);
});
