/**
 * What a plane does, counted where it does it: appends, turns of its controllers, answers. Nothing
 * is decided by these numbers, and counting makes nothing that would have to be collected.
 */
import type { Reply } from "../core/protocol/outcome.ts";
import type { ClientInput, Request } from "../core/kernel/component.ts";
import { ProvisionCounts } from "./provision/provision-counts.ts";
import type { AppendResult } from "./store/log-store.ts";
import type { SharedLog } from "./store/shared-log.ts";
import type { LineCounts } from "./telemetry/line-file.ts";
import type { SpanCounts } from "./telemetry/trace/otlp-exporter.ts";
import { Distribution, SIZES, WRITES_MS } from "./telemetry/distribution.ts";

export interface Turns {
  count: number;
  ms: number;
}

export interface OwedCount {
  readonly controller: string;
  readonly reason: string;
  readonly count: number;
}

/** A command of a controller with what became of it. */
export type Answered = (request: Request, reply: Reply) => void;

export class PlaneMeter {
  readonly appendMs = new Distribution(WRITES_MS);
  readonly batchCommits = new Distribution(SIZES);
  readonly appends = new Map<string, number>();
  /** By controller, then by what it was given. */
  readonly turns = new Map<string, Map<ClientInput["kind"], Turns>>();
  /** By the kind of answer and, of a refusal, its code. */
  readonly answers = new Map<string, Map<string, number>>();
  /** What became of spans of traces; nothing, while none are asked for. */
  readonly spans: SpanCounts = { exported: 0, dropped: 0, failed: 0 };
  /** What became of lines of decisions; nothing, while no file of them is kept. */
  readonly decisionLines: LineCounts = { written: 0, dropped: 0 };
  /** What became of requests for machines. */
  readonly provisions = new ProvisionCounts();
  /**
   * How many keys wait, by controller and reason; the owner of the controllers says how to count.
   */
  countOwed: () => readonly OwedCount[] = () => [];
  private readonly shared: Pick<SharedLog, "leadsUntilMs"> | undefined;
  private readonly listeners = new Set<Answered>();
  private readonly asked = new Map<string, Request>();

  constructor(shared?: Pick<SharedLog, "leadsUntilMs">) {
    this.shared = shared;
  }

  /**
   * How long the lead of a shared log is certain to last; undefined of a log that is the plane's
   * own.
   */
  get leaseLeftMs(): number | undefined {
    if (this.shared === undefined) return undefined;
    return Math.max(0, this.shared.leadsUntilMs - performance.now());
  }

  async append(commits: number, append: () => Promise<AppendResult>): Promise<AppendResult> {
    const beganMs = performance.now();
    let result: AppendResult = "unknown";
    try {
      result = await append();
      return result;
    } finally {
      this.appendMs.add(performance.now() - beganMs);
      this.batchCommits.add(commits);
      this.appends.set(result, (this.appends.get(result) ?? 0) + 1);
    }
  }

  turn(controller: string, input: ClientInput["kind"], ms: number): void {
    let byInput = this.turns.get(controller);
    if (byInput === undefined) {
      byInput = new Map();
      this.turns.set(controller, byInput);
    }
    const turns = byInput.get(input);
    if (turns === undefined) byInput.set(input, { count: 1, ms });
    else {
      turns.count += 1;
      turns.ms += ms;
    }
  }

  /** Called with every answer to a controller of this plane; returns how to stop. */
  onAnswer(listener: Answered): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Requests are kept only while somebody wants to hear what becomes of them. */
  ask(from: string, call: number, request: Request): void {
    if (this.listeners.size > 0) this.asked.set(`${from}/${call}`, request);
  }

  answer(to: string, call: number, reply: Reply): void {
    const isOutcome = reply.kind === "outcome";
    const kind = isOutcome ? reply.outcome.kind : reply.kind;
    const code = isOutcome && "code" in reply.outcome ? reply.outcome.code : "";
    let byCode = this.answers.get(kind);
    if (byCode === undefined) {
      byCode = new Map();
      this.answers.set(kind, byCode);
    }
    byCode.set(code, (byCode.get(code) ?? 0) + 1);
    if (this.asked.size > 0) this.tell(`${to}/${call}`, reply);
  }

  private tell(call: string, reply: Reply): void {
    const request = this.asked.get(call);
    if (request === undefined) return;
    this.asked.delete(call);
    for (const listener of this.listeners) listener(request, reply);
  }

  /** The controllers were let go: no request is answered any more. */
  forget(): void {
    this.asked.clear();
  }
}
