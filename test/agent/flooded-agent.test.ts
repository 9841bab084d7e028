import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runAgent } from "../../src/agent/run-agent.ts";
import type { AgentInput } from "../../src/core/kernel/component.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import { LOAD_LIMITS } from "../../src/core/model/limits/load-limits.ts";
import { ServedPlane } from "../e2e/served-plane.ts";
import { eventually } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Only bounds a hang. */
const TIMEOUT_MS = 240_000;

/** More than twice as many as may be under way, and some seconds of starts. */
const CROWD = 2 * LOAD_LIMITS.startsUnderWay.value + 8;

async function post(url: string, path: string, object: object): Promise<void> {
  const response = await fetch(`${url}/apis/berth.dev/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "berth.dev/v1", ...object }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

/**
 * What the plane has published of its one node: how many starts were under way, and every health it had. A process of which the
 * agent knows that it has begun or ended is under way no more, however long its report takes on a busy machine.
 */
class Record {
  private readonly starting = new Set<string>();
  private readonly over = new Set<string>();
  readonly failed = new Set<string>();
  readonly healths = new Set<string>();
  mostStarting = 0;
  renewals = 0;

  hear(input: AgentInput): void {
    if (input.kind !== "process" || input.event.kind === "probed") return;
    const { replica, incarnation } = input.event;
    this.over.add(`${replica} ${incarnation}`);
    this.starting.delete(`${replica} ${incarnation}`);
  }

  note(commits: readonly Commit[]): void {
    for (const { command, changes } of commits) {
      if (command === "lease") this.renewals += 1;
      for (const { key, after } of changes) {
        if (after?.kind === "Node")
          this.healths.add(`${after.status.health} ${after.status.session}`);
        if (after?.kind !== "Replica") continue;
        const { stage, incarnation } = after.status;
        const start = `${key} ${incarnation}`;
        if (stage === "starting" && !this.over.has(start)) this.starting.add(start);
        else this.starting.delete(start);
        if (after.status.stage === "failed") this.failed.add(key);
        this.mostStarting = Math.max(this.mostStarting, this.starting.size);
      }
    }
  }
}

test(
  "[LB4] [LB6] a crowd of failing replicas on one node is started at a pace, and costs the node no renewal",
  async () => {
    const plane = new ServedPlane();
    const folder = mkdtempSync(join(tmpdir(), "berth-flooded-"));
    await plane.start();
    const broken: unknown[] = [];
    const seen = new Record();
    const node = { name: "a-1", region: "eu", zone: "eu-a", cpuMillis: 8_000, memoryMiB: 8_192 };
    const agent = await runAgent({
      node: { ...node, deviceClass: "", deviceIds: [], labels: {} },
      servers: [new URL(plane.url)],
      folder,
      credentials: {},
      note: () => undefined,
      onInput: (_, input) => seen.hear(input),
      onBroken: (error) => void broken.push(error),
    });
    try {
      await post(plane.url, "tenants", { kind: "Tenant", metadata: { name: "loud" } });
      const limit = { cpu: "2", memory: "2Gi" };
      const quota = { kind: "Quota", metadata: { name: "default" }, spec: { limit } };
      await post(plane.url, "namespaces/loud/quotas", quota);
      await eventually("the node to be ready", () =>
        plane.running.objects.node(nodeKey("a-1"))?.status.health === "ready" ? true : undefined,
      );
      plane.running.onPublish((commits) => seen.note(commits));
      const spec = {
        replicas: CROWD,
        resources: { cpu: "1m", memory: "1Mi" },
        run: { command: ["false"] },
      };
      await post(plane.url, "namespaces/loud/workloads", {
        kind: "Workload",
        metadata: { name: "crowd" },
        spec,
      });
      while (seen.failed.size < CROWD || seen.renewals === 0) await sleep(50);
      // One that takes ten seconds on a busy machine makes room for another.
      expect(seen.mostStarting).toBeLessThanOrEqual(2 * LOAD_LIMITS.startsUnderWay.value);
      // A machine that has stood still makes a renewal late, whoever sends it; a lease that ran out is a new session.
      for (const health of seen.healths) expect(["ready 1", "suspect 1"]).toContain(health);
      expect(plane.running.objects.node(nodeKey("a-1"))?.status.session).toBe(1);
      expect(broken).toEqual([]);
    } finally {
      await agent.stop({ stopProcesses: true });
      await plane.remove();
      await removeFolder(folder);
    }
  },
  TIMEOUT_MS,
);
