/**
 * A real plane that is recorded while the test is its users and its agents, on a clock that the test moves: minutes of silence
 * take no time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Reply } from "../../src/core/protocol/outcome.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import {
  nodeKey,
  operationId,
  policyKey,
  policyRevisionKey,
  quotaKey,
  tenantKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { Replica, WorkloadSpec } from "../../src/core/model/objects.ts";
import type { PolicyRevisionSpec } from "../../src/core/model/policy.ts";
import { holdsNode } from "../../src/core/model/stage.ts";
import { Plane } from "../../src/host/plane.ts";
import { Recorder, type RecorderOptions } from "../../src/host/recording/recorder.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";

const USER: Actor = { role: "user", name: "ana" };
/** 2026, so that times look like times. */
const BEGINNING_MS = 1_790_000_000_000;
/** Far more rounds than anything here takes; it only bounds a hang. */
const ROUNDS = 4_000;

export interface FleetOptions extends Partial<RecorderOptions> {
  readonly folder: string;
  readonly nodes: readonly string[];
  readonly store?: MemoryLog;
  /** The plane before, whose time and counts go on. */
  readonly after?: RecordedFleet;
}

export class RecordedFleet {
  readonly plane: Plane;
  /** Nodes whose agents speak. */
  readonly speaking: Set<string>;
  private readonly clock: { ms: number };
  private count = 0;

  private constructor(plane: Plane, of: { nodes: readonly string[]; clock: { ms: number } }) {
    this.plane = plane;
    this.speaking = new Set(of.nodes);
    this.clock = of.clock;
  }

  static async open(options: FleetOptions): Promise<RecordedFleet> {
    const { folder, nodes, store, after, ...recorder } = options;
    // The timers of controllers go by the test's clock, too; whoever waits for the event loop waits for the real one.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const clock = after?.clock ?? { ms: BEGINNING_MS };
    const plane = await Plane.open({
      store: store ?? new MemoryLog(),
      recorder: new Recorder({ version: "test", ...recorder, folder }),
      clock: { nowMs: () => clock.ms },
    });
    const fleet = new RecordedFleet(plane, { nodes, clock });
    fleet.count = after?.count ?? 0;
    return fleet;
  }

  async submit(intent: Intent, actor: Actor = USER): Promise<Reply> {
    let reply = await this.plane.submit(intent, actor);
    // A plane that has to ask for its log again says so, and whoever asked comes back.
    while (reply.kind === "unavailable") {
      await sleep(1);
      reply = await this.plane.submit(intent, actor);
    }
    const done = reply.kind === "outcome" ? reply.outcome.kind : "";
    // A renewal that was said twice because its answer was lost is older than itself.
    if (done !== "committed" && done !== "duplicate" && intent.kind !== "lease") {
      throw new Error(`${intent.kind} was answered with ${JSON.stringify(reply)}`);
    }
    return reply;
  }

  async put(
    key: Extract<Intent, { kind: "put" }>["key"],
    desired: Extract<Intent, { kind: "put" }>["desired"],
  ): Promise<void> {
    this.count += 1;
    const operation = operationId(`put/${key}/${this.count}`);
    const rest = { labels: {}, finalizers: [], expect: {} };
    await this.submit({ kind: "put", operation, key, desired, ...rest });
  }

  /** Nodes of four processors, half of them in each zone, a tenant with quota for all, and policies. */
  async furnish(
    revisions: Readonly<Record<string, PolicyRevisionSpec>>,
    active: string,
  ): Promise<void> {
    const capacity = { cpuMillis: 4_000, memoryMiB: 4_096, deviceMillis: 0 };
    const limit = { cpuMillis: 400_000, memoryMiB: 400_000, deviceMillis: 0 };
    for (const [name, spec] of Object.entries(revisions)) {
      await this.put(policyRevisionKey(name), { kind: "PolicyRevision", spec });
    }
    await this.put(policyKey("default"), { kind: "Policy", spec: { active } });
    await this.put(tenantKey("shop"), { kind: "Tenant", spec: { displayName: "Shop" } });
    await this.put(quotaKey("shop"), { kind: "Quota", spec: { limit } });
    for (const [at, name] of [...this.speaking].entries()) {
      const zone = at % 2 === 0 ? "eu-a" : "eu-b";
      const free = { pools: [], taints: [], cordons: [], draining: false };
      await this.put(nodeKey(name), {
        kind: "Node",
        spec: { region: "eu", zone, capacity, ...free },
      });
    }
    await this.pass(1_000);
  }

  /** A service whose replicas ask for so many quarters of a node. */
  async putDesired(
    name: string,
    of: { replicas: number; quarters: number; priorityClass?: string },
  ): Promise<void> {
    const { replicas, quarters, priorityClass = "" } = of;
    const amounts = { cpuMillis: 1_000 * quarters, memoryMiB: 1_024 * quarters, deviceMillis: 0 };
    const spec: WorkloadSpec = {
      type: "service",
      replicas,
      template: {
        ask: { amounts, regions: [], zones: [], nodeSelector: {}, tolerations: [] },
        spread: [],
        priorityClass,
        onDisconnect: "stop",
        command: ["true"],
        run: { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 1_000 },
      },
    };
    await this.put(workloadKey("shop", name), { kind: "Workload", spec });
  }

  get replicas(): readonly Replica[] {
    return [...this.plane.objects.all("Replica").values()];
  }

  /** Lets time go by; every second second the agents say that they are there, and what their processes do. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 2_000) {
      const step = Math.min(2_000, left);
      this.clock.ms += step;
      vi.advanceTimersByTime(step);
      for (const node of [...this.speaking].toSorted()) await this.renew(node);
      await this.settle();
      await this.report();
    }
  }

  /** Until all that is wanted serves. */
  async serving(count: number): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const serve = this.replicas.filter(({ status }) => status.stage === "serving").length;
      if (serve === count && !this.replicas.some(({ status }) => status.stopping)) return;
      await this.pass(2_000);
    }
    throw new Error(`Waited in vain for ${count} to serve.`);
  }

  async close(): Promise<void> {
    await this.settle();
    await this.plane.close();
    vi.useRealTimers();
  }

  /** Real turns of the event loop, until the log stands still. */
  private async settle(): Promise<void> {
    for (let still = 0, last = -1; still < 3; still += 1) {
      await sleep(1);
      if (this.plane.revision !== last) still = 0;
      last = this.plane.revision;
    }
  }

  private async renew(node: string): Promise<void> {
    this.count += 1;
    const operation = operationId(`lease/${node}/1.${this.count}`);
    const intent = {
      kind: "lease",
      operation,
      node,
      session: 1,
      seq: this.count,
      kept: [],
    } as const;
    await this.submit(intent, { role: "agent", name: `agent:${node}` });
  }

  private async report(): Promise<void> {
    for (const { key, meta, status } of this.replicas) {
      const { stage, stopping, node = "", session, incarnation } = status;
      if (!holdsNode(stage) || !this.speaking.has(node)) continue;
      const next = stopping ? "released" : stage === "bound" ? "starting" : "serving";
      if (next === stage) continue;
      this.count += 1;
      const operation = operationId(`report/${key}/${this.count}`);
      const of = { replica: key, uid: meta.uid, incarnation, node, session, stage: next } as const;
      await this.submit(
        { kind: "report", operation, ...of },
        { role: "agent", name: `agent:${node}` },
      );
    }
  }
}
