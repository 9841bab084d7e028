/**
 * Places replicas on a real plane, in this process: every workload is put, admitted, reserved,
 * queued and bound through the authority and its log. There are no agents; a bind counts when it is
 * published, after it is durable.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openStore } from "../../src/serve/open-store.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { type Controllers, createControllers } from "../../src/host/controllers.ts";
import { Plane } from "../../src/host/plane.ts";
import type { PlaneOptions } from "../../src/host/plane-options.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";
import { isSharedLog } from "../../src/host/store/shared-log.ts";
import { thinnedOut } from "../measure/bound-curve.ts";
import { latenciesOf, rounded } from "../measure/latencies.ts";
import type { Progress } from "../measure/progress.ts";
import { usageOf } from "../measure/process-usage.ts";
import { RenewalRound } from "../measure/renewal-round.ts";
import { attachTelemetry } from "./attach-telemetry.ts";
import { BoundCount } from "./bound-count.ts";
import { ConflictCount } from "./count-conflicts.ts";
import type { PlaceFigures, PlaceResult, PlaceTask } from "./place-task.ts";
import { placeNode, placeTenants, placeWorkloads } from "./place-world.ts";
import { BENCH_USER, inTurns, mustCommit, speakFor } from "./plane-hand.ts";
import { putOf } from "./put-of.ts";

type OnLog = Pick<PlaneOptions, "store" | "shared">;

/** Short compared with every measured time. */
const LOOK_MS = 5;

export async function runPlace(task: PlaceTask, progress: Progress): Promise<PlaceResult> {
  const began = performance.now();
  const counted = new ConflictCount();
  const plane = await Plane.open({
    ...(await openLog(task)),
    createControllers: () => counted.listenIn(controllersFor(task)),
    onTrouble: (message) => process.stderr.write(`berth bench: ${message}\n`),
  });
  const detach = task.telemetry === true ? attachTelemetry(plane) : undefined;
  const round = new RenewalRound((node, seq) => speakFor(plane, node, seq), reportFailure);
  try {
    await untilLeading(plane);
    await setUp(plane, task, round, progress);
    const setUpSeconds = rounded((performance.now() - began) / 1000);
    counted.conflicts = 0;
    counted.duplicates = 0;
    const { figures, curve } = await measure(plane, task, progress);
    const { conflicts, duplicates } = counted;
    const leaseRenewals = round.renewals;
    return { figures: { ...figures, conflicts, duplicates, setUpSeconds, leaseRenewals }, curve };
  } finally {
    round.stop();
    detach?.();
    await plane.close();
  }
}

async function openLog({ store: where, folder }: PlaceTask): Promise<OnLog> {
  const store = await openStore({ where, folder, onNote: reportFailure });
  // The only plane on the log: clients are redirected to no other.
  return isSharedLog(store)
    ? { store, shared: { log: store, url: "http://127.0.0.1" } }
    : { store };
}

/** A shared log belongs to this plane a moment after it was opened. */
async function untilLeading(plane: PlanePort): Promise<void> {
  while (!plane.isLeading) await sleep(LOOK_MS);
}

/** Without leases, node-health must not report the nodes as silent. */
function controllersFor({ schedulers, leases }: PlaceTask): Controllers {
  return createControllers({ schedulers, ...(leases ? {} : { without: ["node-health"] }) });
}

async function setUp(
  plane: PlanePort,
  task: PlaceTask,
  round: RenewalRound,
  progress: Progress,
): Promise<void> {
  for (const manifest of placeTenants()) await mustCommit(plane, putOf(manifest), BENCH_USER);
  let ready = 0;
  await inTurns(task.nodes, async (at) => {
    const node = placeNode(at);
    await mustCommit(plane, putOf(node), BENCH_USER);
    if (task.leases) await round.add(node.metadata.name);
    else await speakFor(plane, node.metadata.name, 1);
    ready += 1;
    progress(ready, task.nodes, "nodes ready");
  });
}

interface Measured extends Pick<PlaceResult, "curve"> {
  readonly figures: Omit<
    PlaceFigures,
    "conflicts" | "duplicates" | "setUpSeconds" | "leaseRenewals"
  >;
}

async function measure(plane: PlanePort, task: PlaceTask, progress: Progress): Promise<Measured> {
  // Reading manifests is the API's work and not part of placing.
  const puts = [...placeWorkloads(task)].map(putOf);
  const bound = new BoundCount(task.replicas);
  const leave = plane.onPublish((commits: readonly Commit[]) => {
    bound.see(commits, performance.now());
    progress(bound.count, task.replicas, `replicas bound, ${bound.perSecond()} a second`);
  });
  const cpuBegan = process.cpuUsage();
  const startMs = performance.now();
  bound.begin(startMs);
  await inTurns(puts.length, async (at) => {
    const put = puts[at];
    if (put === undefined) return;
    bound.submitted(put.key, performance.now());
    await mustCommit(plane, put, BENCH_USER);
  });
  await bound.all(task.patienceMs);
  const { user, system } = process.cpuUsage(cpuBegan);
  leave();
  const seconds = Math.max(bound.lastMs - startMs, 1) / 1000;
  const figures = {
    bindsPerSecond: Math.round(bound.count / seconds),
    ...latenciesOf(bound.waits()),
    rssMiB: ownPeakMiB(),
    bound: bound.count,
    wanted: task.replicas,
    seconds: rounded(seconds),
    cpuSeconds: rounded((user + system) / 1e6),
  };
  return { figures, curve: thinnedOut(bound.curve) };
}

/**
 * If the system does not report it, Node's own number is used, which may count a page of the
 * parent.
 */
const ownPeakMiB = (): number =>
  usageOf(process.pid)?.peakRssMiB ?? Math.round(process.resourceUsage().maxRSS / 1024);

function reportFailure(error: unknown): void {
  process.stderr.write(`berth bench: ${String(error)}\n`);
}
