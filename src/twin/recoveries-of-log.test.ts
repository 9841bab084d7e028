import { describe, expect, test } from "vitest";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Checker } from "../sim/check/checker.ts";
import { worldNode, worldWorkload } from "../sim/world/build-world.ts";
import type { World } from "../sim/world/world.ts";
import { fleetOfWorld } from "./fleet-of-world.ts";
import { playTwin, STANDS_MS } from "./play-twin.ts";
import { recoveriesOfLog, startUpsOfLog } from "./recoveries-of-log.ts";
import type { TwinRun, TwinScenario } from "./twin-run.ts";

const START_UP_MS = 700;
const WATCH_MS = 60_000;

const WORLD: World = {
  name: "four-nodes",
  regions: [{ name: "eu", zones: ["eu-a", "eu-b"] }],
  nodes: ["a-1", "a-2", "b-1", "b-2"].map((name) =>
    worldNode({
      name,
      region: "eu",
      zone: `eu-${name.charAt(0)}`,
      cpuMillis: 8_000,
      memoryMiB: 16_384,
    }),
  ),
  tenants: [{ name: "shop", quota: { cpuMillis: 40_000, memoryMiB: 80_000, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "shop",
      name: "web",
      replicas: 8,
      amounts: { cpuMillis: 1_000, memoryMiB: 1_024 },
      together: { maxPerNode: 4 },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 1_000,
  healMs: 60_000,
  startUpMs: START_UP_MS,
  batchRunMs: 5_000,
};

const FLEET = fleetOfWorld(WORLD);
const BUSY =
  FLEET.objects
    .flatMap((object) => (object.kind === "Replica" ? (object.status.node ?? []) : []))
    .at(0) ?? "";

interface Played {
  readonly run: TwinRun;
  readonly commits: readonly Commit[];
  readonly endedMs: ReadonlyMap<string, number>;
}

/** The log of a twin with the moments at which its commits were durable, as a plane's own clock. */
function play(lost: "lose" | "stop-agent"): Played {
  const commits: Commit[] = [];
  const endedMs = new Map<string, number>();
  const note: Checker = {
    name: "note",
    afterCommit: (commit, { nowMs }) => void commits.push({ ...commit, atMs: nowMs }),
    processEnded: ({ node }, { nowMs }) => void endedMs.set(node, nowMs),
  };
  const scenario: TwinScenario = {
    events: [{ atMs: 0, do: lost, nodes: [BUSY] }],
    watchMs: WATCH_MS,
    hasFaults: false,
    startUpMs: START_UP_MS,
  };
  const checkers = () => [note];
  const { run } = playTwin({ fleet: FLEET, scenario, seed: 3, agentsRest: true, checkers });
  return { run, commits, endedMs };
}

describe("the recoveries of a log", () => {
  test.each(["lose", "stop-agent"] as const)(
    "are those that the twin told whose log it is, after the event %s",
    (lost) => {
      const { run, commits, endedMs } = play(lost);
      expect(run.recoveries).toHaveLength(1);
      expect([...endedMs.keys()]).toEqual([BUSY]);
      const untilMs = STANDS_MS + WATCH_MS;
      expect(recoveriesOfLog({ commits, lostMs: STANDS_MS, endedMs, untilMs })).toEqual(
        run.recoveries,
      );
    },
  );

  test("end where the caller says that it took the fleet down", () => {
    const { commits, endedMs } = play("lose");
    const untilMs = STANDS_MS + 5_000;
    const [web] = recoveriesOfLog({ commits, lostMs: STANDS_MS, endedMs, untilMs });
    expect(web?.recoveredMs).toBeUndefined();
    expect(web?.stages).toEqual({ lost: 5_000 });
  });

  test("tell how long the processes needed that were started", () => {
    const { commits } = play("lose");
    const tookMs = startUpsOfLog(commits);
    expect(tookMs.length).toBeGreaterThan(0);
    for (const ms of tookMs) {
      expect(ms).toBeGreaterThanOrEqual(START_UP_MS);
      // A probe in half a second, and an answer of the plane.
      expect(ms).toBeLessThan(START_UP_MS + 1_000);
    }
  });
});
