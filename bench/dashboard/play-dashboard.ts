/**
 * Role `dashboard`: a plane with its API and its dashboard, filled with a given number of nodes and
 * replicas, whose processes fail at a given rate. There are no agents that renew leases and
 * node-health does not run, so that the browser measures only the effect of these failures.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PlaneCredentials } from "../../src/serve/plane-credentials.ts";
import { serveApi, type ServedApi } from "../../src/serve/serve-api.ts";
import { operationId } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { createControllers } from "../../src/host/controllers.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { answerParent } from "../part/answer-parent.ts";
import { BENCH_USER, inTurns, mustCommit, speakFor } from "../place/plane-hand.ts";
import { tenantManifests, workloadManifest } from "../measure/manifests.ts";
import { placeNode } from "../place/place-world.ts";
import { putOf } from "../place/put-of.ts";
import type { Progress } from "../measure/progress.ts";
import type { DashboardSize } from "./dashboard-task.ts";

const LOOK_MS = 20;
const silent = { info: () => {}, warn: () => {}, error: (of: object) => console.error(of) };
const TENANT = "bench";
/** Small enough that any node of the world holds hundreds. */
const REPLICA = { cpu: "100m", memory: "256Mi" };

export interface Stirring {
  readonly perSecond: number;
  readonly seconds: number;
}

class DashboardPlane {
  private readonly plane: Plane;
  private readonly api: ServedApi;
  private nodes = 0;
  private workloads = 0;

  private constructor(plane: Plane, api: ServedApi) {
    this.plane = plane;
    this.api = api;
  }

  static async open(): Promise<DashboardPlane> {
    const clock = createHostClock();
    const plane = await Plane.open({
      store: new MemoryLog(),
      clock,
      createControllers: () => createControllers({ schedulers: 1, without: ["node-health"] }),
    });
    for (const manifest of tenantManifests(TENANT))
      await mustCommit(plane, putOf(manifest), BENCH_USER);
    const address = { host: "127.0.0.1", port: 0 };
    const credentials = new PlaneCredentials({});
    return new DashboardPlane(
      plane,
      await serveApi({ plane, clock, log: silent, address, credentials }),
    );
  }

  get url(): string {
    return this.api.url;
  }

  async close(): Promise<void> {
    this.api.cutOff();
    await this.api.close();
    await this.plane.close();
  }

  /**
   * Adds until there are this many of both, all bound. The new replicas belong to one workload;
   * returns its path.
   */
  async fill({ nodes, replicas }: DashboardSize, progress: Progress): Promise<string> {
    const { plane } = this;
    const first = this.nodes;
    await inTurns(nodes - first, async (at) => {
      const node = placeNode(first + at);
      await mustCommit(plane, putOf(node), BENCH_USER);
      await speakFor(plane, node.metadata.name, 1);
      this.nodes += 1;
      progress(this.nodes, nodes, "nodes ready");
    });
    this.workloads += 1;
    const name = `bench-${this.workloads}`;
    // Spread out, so that every node has a replica.
    const more = { placement: { policy: "spread-out" } };
    const wanted = replicas - plane.objects.all("Replica").size;
    const of = { tenant: TENANT, replicas: wanted, resources: REPLICA, more };
    await mustCommit(plane, putOf(workloadManifest(name, of)), BENCH_USER);
    while (plane.objects.all("Replica").size < replicas || this.isQueued()) {
      progress(plane.objects.all("Replica").size, replicas, "replicas there");
      await sleep(LOOK_MS);
    }
    return `${TENANT}/${name}`;
  }

  /**
   * This many processes a second fail, evenly, each of another replica; returns their number. Each
   * failure changes the row of its node and, once the replica is placed anew, of another.
   */
  async stir({ perSecond, seconds }: Stirring, progress: Progress): Promise<number> {
    const startMs = performance.now();
    const wanted = perSecond * seconds;
    let sent = 0;
    for (const replica of this.plane.objects.all("Replica").values()) {
      if (sent >= wanted) break;
      if (replica.status.stage !== "bound") continue;
      await this.fail(replica);
      sent += 1;
      progress(sent, wanted, "updates");
      await sleep(Math.max(0, startMs + (sent * 1_000) / perSecond - performance.now()));
    }
    return sent;
  }

  private isQueued(): boolean {
    for (const { status } of this.plane.objects.all("Replica").values()) {
      if (status.node === undefined) return true;
    }
    return false;
  }

  private async fail({ key, status }: Replica): Promise<void> {
    const { incarnation, node = "", session } = status;
    const operation = operationId(`report/${key}/${incarnation}/failed`);
    const of = { replica: key, incarnation, node, session, stage: "failed" } as const;
    const actor = { role: "agent", name: `agent:${node}` } as const;
    await mustCommit(this.plane, { kind: "report", operation, ...of }, actor);
  }
}

export async function playDashboard(): Promise<void> {
  let plane: DashboardPlane | undefined;
  const opened = (): DashboardPlane => {
    if (plane === undefined) throw new Error("The plane is opened first.");
    return plane;
  };
  await answerParent(
    {
      open: async (): Promise<string> => {
        plane = await DashboardPlane.open();
        return plane.url;
      },
      fill: (of: DashboardSize, progress: Progress) => opened().fill(of, progress),
      stir: (of: Stirring, progress: Progress) => opened().stir(of, progress),
    },
    () => plane?.close(),
  );
}
