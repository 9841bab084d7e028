/**
 * Who used what of the server: for each level since the start, for each flow in the last minute. Of
 * flows only so many are kept, the latest, so that no caller fills memory with names.
 */
import type { FullQueue, Ticket } from "../../core/admission/fair-seats.ts";
import type { SeatAsk } from "./seat-ask.ts";
import type { ShareLevel } from "../../core/admission/share-level.ts";
import { WaitTimes } from "./wait-times.ts";

/** Which bound refused a request. */
export const BOUNDS = ["level", "payer", "caller", "time"] as const;
export type Bound = FullQueue | "time";

/** A flow is shown for one to two of these after its last request. */
const HALF_MS = 30_000;
/** More than a person reads, and some hundred kilobytes. */
const FLOWS_KEPT = 512;

export interface LevelTally {
  readonly refused: Record<Bound, number>;
  readonly waits: WaitTimes;
  served: number;
  bytes: number;
}

/** In half a minute. */
interface FlowCounts {
  readonly waits: WaitTimes;
  served: number;
  refused: number;
  bytes: number;
}

interface FlowTally {
  readonly of: Omit<SeatAsk, "seats">;
  running: number;
  now: FlowCounts;
  before: FlowCounts;
  sinceMs: number;
}

export interface FlowUse extends Omit<SeatAsk, "seats"> {
  readonly running: number;
  readonly served: number;
  readonly refused: number;
  readonly bytes: number;
  readonly waits: WaitTimes;
}

export class ShareTally {
  readonly levels: Readonly<Record<ShareLevel, LevelTally>>;
  /** Told of every request that begins. */
  onBegun: (level: ShareLevel, waitMs: number) => void = () => undefined;
  private readonly nowMs: () => number;
  /** The one that was used longest ago first. */
  private readonly flows = new Map<string, FlowTally>();
  private latest: FlowTally | undefined;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.levels = {
      leases: emptyTally(),
      controllers: emptyTally(),
      system: emptyTally(),
      people: emptyTally(),
      bulk: emptyTally(),
    };
  }

  begun(ask: SeatAsk, waitMs: number): void {
    const level = this.levels[ask.level];
    level.served += 1;
    level.waits.note(waitMs);
    this.onBegun(ask.level, waitMs);
    const flow = this.flowOf(ask);
    flow.running += 1;
    flow.now.served += 1;
    flow.now.waits.note(waitMs);
  }

  finished(ask: SeatAsk): void {
    const { latest } = this;
    const isLatest = latest !== undefined && isOf(latest, ask);
    const flow = isLatest ? latest : this.flows.get(keyOf(ask));
    if (flow !== undefined && flow.running > 0) flow.running -= 1;
  }

  refused(ask: SeatAsk, bound: Bound): void {
    this.levels[ask.level].refused[bound] += 1;
    this.flowOf(ask).now.refused += 1;
  }

  /** Its request and its answer together. */
  moved(ask: SeatAsk, bytes: number): void {
    this.levels[ask.level].bytes += bytes;
    this.flowOf(ask).now.bytes += bytes;
  }

  /** The flows of the last minute, the latest last. */
  *flowsNow(): Generator<FlowUse> {
    for (const flow of this.flows.values()) {
      this.age(flow);
      const { of, running, now, before } = flow;
      yield {
        ...of,
        running,
        served: now.served + before.served,
        refused: now.refused + before.refused,
        bytes: now.bytes + before.bytes,
        waits: now.waits.with(before.waits),
      };
    }
  }

  private flowOf(ask: SeatAsk): FlowTally {
    // A busy caller's requests follow each other: its flow stays the latest.
    if (this.latest !== undefined && isOf(this.latest, ask)) {
      this.age(this.latest);
      return this.latest;
    }
    const key = keyOf(ask);
    let flow = this.flows.get(key);
    if (flow === undefined) {
      const { level, caller, tenant, payer } = ask;
      const of = { level, caller, tenant, payer };
      flow = { of, running: 0, now: none(), before: none(), sinceMs: this.nowMs() };
      const [oldest] = this.flows.keys();
      if (this.flows.size >= FLOWS_KEPT && oldest !== undefined) this.flows.delete(oldest);
    } else {
      this.flows.delete(key);
      this.age(flow);
    }
    this.flows.set(key, flow);
    this.latest = flow;
    return flow;
  }

  private age(flow: FlowTally): void {
    const halves = Math.floor((this.nowMs() - flow.sinceMs) / HALF_MS);
    if (halves === 0) return;
    flow.before = halves === 1 ? flow.now : none();
    flow.now = none();
    flow.sinceMs += halves * HALF_MS;
  }
}

const isOf = ({ of }: FlowTally, { level, payer, caller }: Ticket): boolean =>
  of.level === level && of.payer === payer && of.caller === caller;

const emptyTally = (): LevelTally => ({
  refused: { level: 0, payer: 0, caller: 0, time: 0 },
  waits: new WaitTimes(),
  served: 0,
  bytes: 0,
});

const none = (): FlowCounts => ({ waits: new WaitTimes(), served: 0, refused: 0, bytes: 0 });

const keyOf = ({ level, payer, caller }: Ticket): string => `${level} ${payer} ${caller}`;
