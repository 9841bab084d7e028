import { describe, expect, it } from "vitest";
import { aCommit } from "../../../test/builders/a-commit.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import { PastLog } from "../../host/past-log.ts";
import { PublishedLog } from "../../host/published-log.ts";
import { MemoryLog } from "../../host/store/memory-log.ts";
import { IncidentList } from "./incident-list.ts";

const ANY = Number.MAX_SAFE_INTEGER;
const LIMITS = { incidentChanges: 100_000, incidentObjects: 1_000 };

/** A node that is fenced at every tenth revision and back at the next. */
function flapping(count: number): readonly Commit[] {
  let before: ReturnType<typeof aNode> | undefined;
  return Array.from({ length: count }, (_, at) => {
    const revision = at + 1;
    const health = revision % 10 === 0 ? "fenced" : "ready";
    const healthSinceMs = revision % 10 < 2 ? revision : (before?.status.healthSinceMs ?? 1);
    const after = aNode({ health, healthSinceMs, revision });
    const changes = [{ key: after.key, before, after }];
    before = after;
    return { ...aCommit({ revision, atMs: revision }), changes };
  });
}

/** The commits after `from` are in memory; the store keeps `kept` before them. */
async function aLog(commits: readonly Commit[], { from = 0, kept = ANY } = {}) {
  const store = new MemoryLog({ keptRevisions: kept });
  await store.claim();
  await store.append(1, commits);
  const log = new PublishedLog();
  if (from > 0) {
    const ledger = new Ledger();
    for (const commit of commits.slice(0, from)) ledger.fold(commit);
    await store.compact(1, takeSnapshot(ledger));
    log.load(takeSnapshot(ledger), []);
  }
  log.stage(commits.slice(from));
  log.publish(commits.length);
  const past = new PastLog(log, store);
  return {
    past,
    log,
    get revision() {
      return log.revision;
    },
    since: (at = 0) => log.history.since(at, log.revision),
  };
}

const read = (list: IncidentList, before = ANY, most = 3) =>
  list.read({ before, most, fits: () => true });

describe("IncidentList", () => {
  it("reads pages backwards, from memory and then from the store", async () => {
    const plane = await aLog(flapping(55), { from: 32 });
    const list = new IncidentList(plane, LIMITS);
    const first = await read(list);
    const lasted = (page: typeof first) =>
      page.found.map(({ began, ended }) => [began.revision, ended?.revision]);
    expect(lasted(first)).toEqual([
      [50, 51],
      [40, 41],
      [30, 31],
    ]);
    const second = await read(list, 30);
    expect(lasted(second)).toEqual([
      [20, 21],
      [10, 11],
    ]);
    expect(second).toMatchObject({ lookedTo: 0, end: "beginning", revision: 55 });
  });

  it("looks at a bounded part of the log for one request, and goes on with the next", async () => {
    const plane = await aLog(flapping(3_055));
    const list = new IncidentList(plane, { ...LIMITS, incidentChanges: 1 });
    const first = await list.read({ before: ANY, most: 1_000, fits: () => true });
    expect(first).toMatchObject({ lookedTo: 2_055, end: undefined });
    expect(first.found).toHaveLength(100);
    const second = await list.read({ before: 2_056, most: 1_000, fits: () => true });
    expect(second).toMatchObject({ lookedTo: 1_055 });
    expect(second.found).toHaveLength(100);
  });

  it("gives way to other work within a request", async () => {
    const plane = await aLog(flapping(3_055));
    const list = new IncidentList(plane, LIMITS);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    await list.read({ before: ANY, most: 1_000, fits: () => true });
    clearImmediate(waiting);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  it("adds what was committed since, and ends what was still lasting", async () => {
    const commits = flapping(21);
    const plane = await aLog(commits.slice(0, 20));
    const list = new IncidentList(plane, LIMITS);
    expect((await read(list)).found[0]?.ended).toBeUndefined();
    plane.log.stage(commits.slice(20));
    plane.log.publish(21);
    const page = await read(list);
    expect(page.revision).toBe(21);
    expect(page.found[0]?.ended?.revision).toBe(21);
  });

  it("says where the log was compacted, and where its memory ends", async () => {
    const plane = await aLog(flapping(55), { from: 40, kept: 5 });
    const page = await read(new IncidentList(plane, LIMITS));
    expect(page.end).toBe("compacted");
    const bounded = new IncidentList(await aLog(flapping(3_000)), {
      ...LIMITS,
      incidentObjects: 0,
    });
    const some = await bounded.read({ before: ANY, most: 1_000, fits: () => true });
    expect(some).toMatchObject({ end: "memory", lookedTo: 2_000 });
  });
});
