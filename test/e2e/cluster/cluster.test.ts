/** Three planes on three members of etcd, as real processes, under the faults that a cluster has to get over. */
import { expect, it } from "vitest";
import { ChaosRun } from "./chaos-run.ts";
import type { FaultName } from "./faults.ts";

const seed = Number(process.env["BERTH_CHAOS_SEED"] ?? 1);

/** What takes the lead away in three ways, and the member away that the others follow. */
const FAULTS: readonly FaultName[] = [
  "kill-leader",
  "pause-leader",
  "partition-leader",
  "kill-member",
];

/** An election of etcd takes a second, and a lease lasts for two: whoever writes must have waited for a part of that. */
const NOTICED_MS = 300;

it("a cluster whose leader is killed, paused and cut off, and whose etcd loses a member, loses nothing, does nothing twice, shows nothing stale, and replays", async () => {
  process.stdout.write(`cluster: BERTH_CHAOS_SEED=${seed}\n`);
  const run = new ChaosRun({ seed, leaseSeconds: 2, next: (index) => FAULTS[index] });
  const { findings, faults, watches, replayed, acknowledged, sentAgain } = await run.run();
  expect(findings).toEqual([]);
  // Whoever has led; the lead was taken from three in turn, so two of them have at least.
  expect(Object.keys(replayed).length).toBeGreaterThan(1);
  expect(new Set(Object.values(replayed))).toEqual(new Set(["the same"]));
  // The faults were some: the lead went over each time, and clients noticed, went on writing and watched it all.
  expect(faults.map(({ fault }) => fault)).toEqual(FAULTS);
  const kept = faults.slice(0, 3).filter(({ newLeaderMs }) => newLeaderMs === undefined);
  expect(kept).toEqual([]);
  expect(faults.filter(({ noWritesMs }) => noWritesMs < NOTICED_MS)).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
  expect(sentAgain).toBeGreaterThan(0);
  expect(watches.filter(({ events }) => events < 20)).toEqual([]);
}, 900_000);
