/**
 * Speaks for nodes that nobody runs: renews their leases, and says of replicas what an agent would say whose
 * processes come up at once. Which workloads come up, and how far, a test says.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Intent, IntentOf } from "../../src/core/protocol/command.ts";
import { nodeKey, operationId } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import type { Plane } from "../../src/host/plane.ts";
import type { UnnamedIntent } from "../builders/a-plane.ts";

type Reported = IntentOf<"report">["stage"];

/** Often enough that no node is ever late, and seldom enough that it is nothing beside the rest. */
const RENEW_MS = 1_000;
/** Nothing listens there. */
const FIRST_PORT = 20_000;
const UP: readonly Reported[] = ["starting", "ready", "serving"];

export class FakeAgents {
  private readonly plane: () => Plane;
  private readonly seqs = new Map<string, number>();
  /** How far replicas come, by workload; unless it is said, all the way. */
  private readonly farthest = new Map<string, Reported | "bound">();
  private sent = 0;
  private timer: NodeJS.Timeout | undefined;
  private leave = (): void => {};
  private last = Promise.resolve();

  constructor(plane: () => Plane) {
    this.plane = plane;
  }

  /** Listens to the plane that there is now. */
  begin(): void {
    this.timer = setInterval(() => void this.renewAll().catch(() => {}), RENEW_MS);
    this.leave = this.plane().onPublish(() => this.lookSoon());
    this.lookSoon();
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    this.leave();
    await this.last;
  }

  async speakFor(node: string): Promise<void> {
    this.seqs.set(node, 0);
    await this.renew(node);
  }

  /** From now on nobody hears of the node. */
  fallSilent(node: string): void {
    this.seqs.delete(node);
  }

  /** Processes of this workload get no further than this. */
  letComeTo(workload: string, stage: Reported | "bound"): void {
    this.farthest.set(workload, stage);
    this.lookSoon();
  }

  async renewAll(): Promise<void> {
    for (const node of this.seqs.keys()) await this.renew(node);
  }

  private async renew(node: string): Promise<void> {
    const seq = (this.seqs.get(node) ?? 0) + 1;
    this.seqs.set(node, seq);
    const session = 1;
    await this.send(node, { kind: "lease", node, session, seq, kept: [] });
  }

  /** One look at a time, after everything that is being published now. */
  private lookSoon(): void {
    this.last = this.last.then(() => sleep(0)).then(() => this.look());
  }

  private async look(): Promise<void> {
    for (const replica of this.plane().objects.all("Replica").values()) {
      const { node = "", stopping } = replica.status;
      if (!this.seqs.has(node)) continue;
      const next = stopping === undefined ? this.nextOf(replica) : endOf(replica);
      if (next !== undefined) await this.report(replica, next);
    }
  }

  private nextOf({ meta, spec, status }: Replica): Reported | undefined {
    const most = this.farthest.get(`${meta.namespace}/${spec.workload}`) ?? "serving";
    if (most === "failed") return status.stage === "starting" ? "failed" : stepAfter(status.stage);
    return status.stage === most ? undefined : stepAfter(status.stage);
  }

  private async report({ key, spec, status }: Replica, stage: Reported): Promise<void> {
    const { incarnation, node = "", session } = status;
    const names = spec.template.run?.ports ?? [];
    const ports = Object.fromEntries(names.map((name, at) => [name, FIRST_PORT + at]));
    const serving = stage === "serving" ? { address: { host: "127.0.0.1", ports } } : {};
    const failed = stage === "failed" ? { reason: "its process ended with exit code 1" } : {};
    await this.send(node, {
      kind: "report",
      replica: key,
      incarnation,
      node,
      session,
      stage,
      ...serving,
      ...failed,
    });
  }

  /** What is not taken is looked at again after the next commit, as an agent does it. */
  private async send(node: string, intent: UnnamedIntent): Promise<void> {
    this.sent += 1;
    const operation = operationId(`fake/${node}/${this.sent}`);
    const named = { ...intent, operation } as Intent;
    await this.plane().submit(named, { role: "agent", name: `agent:${node}` });
  }

  healthOf(node: string): string | undefined {
    return this.plane().objects.node(nodeKey(node))?.status.health;
  }
}

function stepAfter(stage: Replica["status"]["stage"]): Reported | undefined {
  if (stage === "bound") return UP[0];
  const at = UP.findIndex((step) => step === stage);
  return at < 0 ? undefined : UP[at + 1];
}

const endOf = ({ status }: Replica): Reported | undefined =>
  ["bound", "starting", "ready", "serving", "running", "unknown"].includes(status.stage)
    ? "released"
    : undefined;
