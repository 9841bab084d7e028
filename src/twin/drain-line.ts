/**
 * Drains of a scenario, one after the other: the next begins when the one before is empty or its
 * deadline has passed. A person watches each node as `berth drain` does.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import { nodeKey, operationId } from "../core/model/ids.ts";
import type { Node } from "../core/model/objects.ts";
import type { DecisionRecord } from "../core/protocol/decision.ts";
import type { Hands } from "../sim/begun/hands.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { isRenewal } from "../sim/check/fast-path.ts";
import type { TwinDrain } from "./twin-run.ts";

interface Planned {
  readonly node: string;
  readonly deadlineMs: number;
}

interface Running extends Planned {
  readonly beganMs: number;
  told: string | undefined;
}

const HOLDER = "operator";

export class DrainLine implements Checker {
  readonly name = "drain-line";
  private readonly planned: Planned[] = [];
  private readonly over: TwinDrain[] = [];
  private running: Running | undefined;
  private hands: Hands | undefined;
  private count = 0;

  add(nodes: readonly string[], deadlineMs: number, hands: Hands): void {
    this.hands = hands;
    for (const node of nodes) this.planned.push({ node, deadlineMs });
    this.next();
  }

  afterCommit(commit: Commit, { objects }: Truth): void {
    const { running, hands } = this;
    if (running === undefined || hands === undefined || isRenewal(commit)) return;
    const isAbout = commit.changes.some(
      ({ key, before }) =>
        key === nodeKey(running.node) ||
        (before?.kind === "Replica" && before.status.node === running.node),
    );
    const isDraining = objects.nodeNamed(running.node)?.spec.draining === true;
    if (!isAbout || !isDraining || objects.replicasOn(running.node).size > 0) return;
    this.finish({ node: running.node, emptyMs: hands.nowMs - running.beganMs });
  }

  decided(records: readonly DecisionRecord[]): void {
    const { running } = this;
    if (running === undefined) return;
    for (const { controller, key, decision } of records) {
      if (controller !== "drain-node" || key !== nodeKey(running.node)) continue;
      if (decision.kind === "wait") running.told = decision.because.summary;
    }
  }

  /** In the order of their ends; one that is under way at the end of the run is not empty. */
  drains(): readonly TwinDrain[] {
    const open = [this.running, ...this.planned].filter((drain) => drain !== undefined);
    return [...this.over, ...open.map((drain) => unfinished(drain))];
  }

  private next(): void {
    const { hands, running } = this;
    const planned = this.planned[0];
    if (hands === undefined || running !== undefined || planned === undefined) return;
    this.planned.shift();
    const node = hands.truth.objects.node(nodeKey(planned.node));
    if (node === undefined) {
      this.over.push({ node: planned.node, waitsFor: "there is no such node" });
      return this.next();
    }
    const begun: Running = { ...planned, beganMs: hands.nowMs, told: undefined };
    this.running = begun;
    this.drain(node, planned.deadlineMs, hands);
    hands.at(hands.nowMs + planned.deadlineMs, () => {
      if (this.running === begun) this.finish(unfinished(begun));
    });
  }

  private drain({ key, meta, spec }: Node, deadlineMs: number, hands: Hands): void {
    const drain = { holder: HOLDER, reason: "drain of a scenario", deadlineMs } as const;
    this.count += 1;
    hands.ask(
      {
        kind: "put",
        operation: operationId(`user/drain-${this.count}/put/${key}`),
        key,
        desired: { kind: "Node", spec: { ...spec, draining: true, drain } },
        labels: meta.labels,
        finalizers: meta.finalizers,
        expect: {},
        force: true,
      },
      HOLDER,
    );
  }

  private finish(drain: TwinDrain): void {
    this.over.push(drain);
    this.running = undefined;
    const { hands } = this;
    // The next one begins in an event of its own: this may be in the middle of a commit.
    hands?.at(hands.nowMs, () => this.next());
  }
}

const unfinished = ({ node, told }: Planned & { readonly told?: string | undefined }): TwinDrain =>
  told === undefined ? { node } : { node, waitsFor: told };
