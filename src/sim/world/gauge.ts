/**
 * What measures: the samples of a workload's replicas, as agents would take them, made one
 * observation of every few seconds. How much there is to do is the world's to say; who serves, and
 * shares it, is read off a view that may be old. Samples are lost and late, and so are the
 * observations: none of them is sent a second time for itself.
 */
import type { Request, ClientEffect, ClientInput, Component } from "../../core/kernel/component.ts";
import type { Turn } from "../../core/protocol/turn.ts";
import { type LoadReading, scaledWorkload } from "../../core/model/autoscaler.ts";
import type { Autoscaler } from "../../core/model/objects.ts";
import { isAvailable, isWanted } from "../../core/model/availability.ts";
import { View } from "../../core/observe/view.ts";
import { observeOperation } from "../../core/protocol/operations.ts";
import { demandAt } from "./demand-at.ts";
import { OwesNothing } from "./owes-nothing.ts";
import type { World, WorldAutoscaler } from "./world.ts";

/** Between what the log takes and what is called old. */
const EVERY_MS = 7_000;
/** A watch that was cut says nothing; a list does. */
const LIST_EVERY_MS = 30_000;
/** What samples are of. */
const WINDOW_MS = 5_000;

export class Gauge extends OwesNothing implements Component<ClientInput, ClientEffect> {
  readonly view = new View({
    kinds: new Set(["Autoscaler", "Workload", "Replica"]),
    node: undefined,
  });
  private readonly world: World;
  private readonly startMs: number;
  private listDueMs = 0;
  private nextMs = 0;
  private calls = 0;
  private ticks = 0;

  /** `startMs` is when the world began, on the gauge's own clock. */
  constructor(world: World, startMs: number) {
    super();
    this.world = world;
    this.startMs = startMs;
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    switch (input.kind) {
      case "listed":
        this.view.replace(input.objects, input.revision, input.epoch);
        return [];
      case "watch":
        this.view.follow(input.commits, input.to, input.epoch);
        return [];
      case "reply":
        if (input.reply.kind === "outcome" && input.reply.epoch > this.view.epoch) {
          this.view.epoch = input.reply.epoch;
        }
        return [];
      case "started":
      case "timer":
        return this.tick(turn);
    }
  }

  private tick(turn: Turn): readonly ClientEffect[] {
    const effects: ClientEffect[] = [];
    if (turn.now >= this.listDueMs) {
      this.listDueMs = turn.now + LIST_EVERY_MS;
      effects.push({ kind: "list" });
    }
    if (turn.now >= this.nextMs) {
      this.nextMs = turn.now + EVERY_MS;
      effects.push(...this.observe(turn));
    }
    effects.push({ kind: "timer", atMs: Math.min(this.nextMs, this.listDueMs) });
    return effects;
  }

  private *observe(turn: Turn): Iterable<ClientEffect> {
    this.ticks += 1;
    const all = [...this.view.objects.all("Autoscaler").values()];
    for (const autoscaler of all.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      const { namespace, name } = autoscaler.meta;
      const of = this.world.autoscalers?.find(
        (each) => each.tenant === namespace && each.name === name,
      );
      const reading = of && this.read(autoscaler, of, turn);
      if (reading === undefined) continue;
      const call = ++this.calls;
      yield { kind: "request", call, request: this.request(autoscaler, reading, turn) };
    }
  }

  /** Undefined: there is nothing that could be measured. */
  private read(
    autoscaler: Autoscaler,
    { demand, lostPercent, lateMs }: WorldAutoscaler,
    turn: Turn,
  ): LoadReading | undefined {
    const { key } = autoscaler;
    const sinceMs = turn.now - this.startMs;
    const late = lateMs === 0 ? 0 : turn.random("late", `${key}@${this.ticks}`) % lateMs;
    const load = demandAt(demand, sinceMs - late);
    const lost = sinceMs < this.world.faultsUntilMs ? lostPercent : 0;
    const workload = this.view.objects.workload(scaledWorkload(autoscaler));
    if (workload === undefined) return undefined;
    let of = 0;
    let covered = 0;
    for (const replica of this.view.objects.replicasOf(workload.key).values()) {
      if (!isWanted(replica, workload) || !isAvailable(replica)) continue;
      of += 1;
      if (turn.random("sample", `${replica.key}@${this.ticks}`) % 100 >= lost) covered += 1;
    }
    const sumMillis = covered === 0 ? 0 : Math.floor((load * 1_000 * covered) / of);
    return { sumMillis, covered, of, windowMs: WINDOW_MS };
  }

  private request(autoscaler: Autoscaler, reading: LoadReading, turn: Turn): Request {
    const { key } = autoscaler;
    const operation = observeOperation(autoscaler, turn.now);
    const command = {
      intent: { kind: "observe", operation, autoscaler: key, reading },
      epoch: this.view.epoch,
      basis: this.view.revision,
      actor: { role: "gauge", name: "gauge" },
    } as const;
    return { kind: "command", command, attempt: 1 };
  }
}
