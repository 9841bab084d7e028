/**
 * Hosts the agent's logic in production: gives it time, chance, what the plane says and what
 * processes do, one input at a time, and carries out what it decides, in order. The simulator's
 * hosts are its twins.
 */
import { randomInt } from "node:crypto";
import { ConvergeNode } from "../core/agent/converge-node.ts";
import type { DecisionRecord } from "../core/protocol/decision.ts";
import type { AgentEffect, AgentInput } from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { Machine } from "../core/model/node/machine.ts";
import { holdsNode } from "../core/model/stage.ts";
import type { BootClock } from "./process/boot-clock.ts";
import { type CpuSample, CpuSamples } from "./samples/cpu-samples.ts";
import type { NodeMemory } from "./node-memory.ts";
import type { PlaneInput, PlaneLink } from "./plane/plane-link.ts";
import type { Supervisor } from "./process/supervisor.ts";
import { RequestSamples } from "./samples/request-samples.ts";
import { type Measured, SampleLoop } from "./samples/sample-loop.ts";

export interface AgentHostOptions {
  readonly node: string;
  readonly clock: BootClock;
  readonly memory: NodeMemory;
  /** What the machine has, as far as the driver does not find it out itself. */
  readonly machine: Pick<Machine, "capacity" | "deviceIds">;
  readonly createDriver: (tell: DriverTells) => Supervisor;
  readonly connect: (give: (input: PlaneInput) => void) => PlaneLink;
  /** Shown every input before the component is; a recorder's place. */
  readonly onInput?: (component: string, input: AgentInput, atMs: number) => void;
  readonly onDecision?: (record: DecisionRecord) => void;
  /** The component found itself broken: this agent must end, and its processes need not. */
  readonly onBroken: (error: unknown) => void;
  /**
   * Between two looks at what processes do; left out: as often as the plane makes an observation of
   * them.
   */
  readonly sampleMs?: number;
}

type DriverTells = (event: Extract<AgentInput, { kind: "process" }>["event"]) => void;

/** As often as the plane makes an observation of them. */
const SAMPLE_MS = 10_000;

/**
 * setTimeout stands still while the machine sleeps, so a long wait is looked at again this often.
 */
const LONGEST_WAIT_MS = 1_000;

export class AgentHost {
  readonly component: ConvergeNode;
  readonly driver: Supervisor;
  private readonly options: AgentHostOptions;
  private readonly plane: PlaneLink;
  private readonly turn: KeyedTurn;
  private readonly inbox: AgentInput[] = [];
  private isGiving = false;
  private isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private timerAtMs = Number.POSITIVE_INFINITY;
  private readonly loops: readonly SampleLoop[];

  constructor(options: AgentHostOptions) {
    this.options = options;
    this.component = new ConvergeNode({ node: options.node });
    // Another for every incarnation: agents that came back together must not stay together.
    this.turn = new KeyedTurn(randomInt(2 ** 32), this.name);
    this.driver = options.createDriver((event) => this.dispatch({ kind: "process", event }));
    this.plane = options.connect((input) => this.dispatch(input));
    const cpu = new CpuSamples();
    const requests = new RequestSamples();
    // Each at its own pace: a process that is slow to answer delays no look at another's CPU.
    this.loops = [
      this.measuring(async () => cpu.take(this.driver.running(), performance.now()).map(inPercent)),
      this.measuring(() => requests.take(this.driver.running())),
    ];
  }

  private measuring(take: () => Promise<readonly Measured[]>): SampleLoop {
    const tell = (samples: readonly Measured[]) => this.plane.measured(samples);
    return new SampleLoop({ everyMs: this.options.sampleMs ?? SAMPLE_MS, take, tell });
  }

  get name(): string {
    return `agent:${this.options.node}`;
  }

  start(): void {
    const { session, epoch, isNewBoot } = this.options.memory;
    const processes = this.driver.adopt({ isNewBoot });
    const machine = { ...this.options.machine, ...this.driver.machine };
    this.dispatch({ kind: "adopted", session, epoch, machine, processes });
    this.dispatch({ kind: "started" });
    this.driver.begin();
    for (const loop of this.loops) loop.start();
  }

  /**
   * Says nothing more. The processes go on and wait for the next agent, or for the end of their
   * leash.
   */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
    for (const loop of this.loops) loop.stop();
    this.plane.close();
    this.driver.close();
  }

  /**
   * Everything the component is told comes through here; what is told during a turn waits for its
   * end.
   */
  private dispatch(input: AgentInput): void {
    this.inbox.push(input);
    if (this.isGiving) return;
    this.isGiving = true;
    try {
      for (let next = this.inbox.shift(); next !== undefined; next = this.inbox.shift()) {
        if (this.isStopped) return;
        this.takeTurn(next);
      }
    } catch (error) {
      this.stop();
      this.options.onBroken(error);
    } finally {
      this.isGiving = false;
    }
  }

  private takeTurn(input: AgentInput): void {
    const { turn, component } = this;
    turn.now = this.options.clock.nowMs();
    this.options.onInput?.(this.name, input, turn.now);
    for (const effect of component.receive(input, turn)) this.carryOut(effect);
    this.forgetSettled();
  }

  private carryOut(effect: AgentEffect): void {
    switch (effect.kind) {
      case "request":
        this.plane.send(effect.call, effect.request);
        return;
      case "list":
        this.plane.list();
        return;
      case "timer":
        this.timerAtMs = effect.atMs;
        this.setTimer();
        return;
      case "decision":
        this.options.onDecision?.(effect.record);
        return;
      case "start-process":
        this.driver.start(effect);
        return;
      case "probe-process":
        this.driver.probe(effect);
        return;
      case "stop-process":
        this.driver.stop(effect);
        return;
      case "leash":
        this.driver.leash(effect.untilMs);
        return;
      case "remember":
        // Returns when it is durable, so whatever this turn says after it is said under it.
        this.options.memory.remember(effect.session, effect.epoch);
        return;
    }
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const waitMs = this.timerAtMs - this.options.clock.nowMs();
    this.timer = setTimeout(() => this.timerDue(), Math.min(Math.max(waitMs, 0), LONGEST_WAIT_MS));
  }

  private timerDue(): void {
    if (this.options.clock.nowMs() < this.timerAtMs) {
      this.setTimer();
      return;
    }
    this.timerAtMs = Number.POSITIVE_INFINITY;
    this.dispatch({ kind: "timer" });
  }

  /**
   * How a process ended is kept until the authority knows, because this agent may die before it
   * could say.
   */
  private forgetSettled(): void {
    const { view } = this.component;
    for (const { replica, uid, incarnation, permittedAt } of this.driver.ended) {
      if (view.revision < permittedAt) continue;
      const { status, meta } = view.objects.replica(replica) ?? {};
      const isSame = meta?.uid === uid && status?.incarnation === incarnation;
      const isAwaited = isSame && status?.node === this.options.node && holdsNode(status.stage);
      if (!isAwaited) this.driver.forget({ replica, incarnation });
    }
  }
}

const inPercent = ({ replica, percent }: CpuSample): Measured => ({
  replica,
  metric: "cpu",
  value: percent,
});
