/**
 * Decides which faults hit what is event right now: messages, appends and process starts. A fault
 * is either listed explicitly or drawn, keyed by what it would hit. Whatever fires is written down
 * as an explicit fault, so that running again with that list alone gives the same run.
 *
 * Each fault fires at most once: a component that restarts counts its attempts anew, and hitting
 * its every first attempt would be a different, harsher fault than the one that was written down.
 */
import type { Fault } from "./fault.ts";
import { between, finish, hashText, keyed, mix } from "../../core/kernel/keyed-hash.ts";
import type { Message } from "../hosts/message.ts";
import type { PlaneProcess } from "../hosts/plane-process.ts";
import { steadyLabel } from "./steady-label.ts";
import type { FaultSource } from "../report/run-result.ts";

type MessageFaultName =
  | "lose-request"
  | "lose-reply"
  | "duplicate-request"
  | "delay-request"
  | "delay-reply"
  | "crash-after";
type ProcessFaultName = "slow-start" | "failing-probe" | "process-exit" | "readiness-lapse";
type FaultOf<N extends Fault["fault"]> = Extract<Fault, { readonly fault: N }>;
type MessageFault = FaultOf<MessageFaultName>;
type ProcessFault = FaultOf<ProcessFaultName>;

const SITE = {
  "lose-request": hashText("lose-request"),
  "lose-reply": hashText("lose-reply"),
  "duplicate-request": hashText("duplicate-request"),
  "delay-request": hashText("delay-request"),
  "delay-reply": hashText("delay-reply"),
  "crash-after": hashText("crash-after"),
  "append-unknown": hashText("append-unknown"),
  "append-late": hashText("append-late"),
  "late-renewal": hashText("late-renewal"),
  "slow-start": hashText("slow-start"),
  "failing-probe": hashText("failing-probe"),
  "process-exit": hashText("process-exit"),
  "readiness-lapse": hashText("readiness-lapse"),
} as const;

/** Rates are chances in this many. */
const OUT_OF = 100_000;

export class FaultInjector {
  readonly fired: Fault[] = [];
  private readonly seed: number;
  private readonly rates: FaultSource["rates"];
  private readonly untilMs: number;
  /** By component, then by operation label. */
  private readonly onMessages = new Map<string, Map<string, MessageFault[]>>();
  private readonly onProcesses = new Map<string, ProcessFault[]>();
  private readonly onAppends = new Map<string, FaultOf<"append-unknown">[]>();
  private readonly onLateAppends = new Map<string, FaultOf<"append-late">[]>();
  private readonly onRenewals = new Map<string, FaultOf<"late-renewal">[]>();
  private readonly firedKeys = new Set<string>();
  private readonly drawsOnRequests: boolean;
  private readonly drawsOnReplies: boolean;

  constructor(options: { seed: number; source: FaultSource; untilMs: number }) {
    this.seed = options.seed;
    this.rates = options.source.rates;
    this.untilMs = options.untilMs;
    const has = (name: MessageFaultName): boolean => (this.rates[name] ?? 0) > 0;
    this.drawsOnRequests =
      has("lose-request") || has("duplicate-request") || has("delay-request") || has("crash-after");
    this.drawsOnReplies = has("lose-reply") || has("delay-reply");
    for (const fault of options.source.explicit) this.expect(fault);
  }

  /** Writes down that a fault took effect. */
  fire(fault: Fault): void {
    this.fired.push(fault);
  }

  /**
   * Whether any fault could hit this client's requests; asked first because the answer is mostly
   * no.
   */
  mayHitRequest(message: Message, nowMs: number): boolean {
    if (nowMs >= this.untilMs) return false;
    return this.drawsOnRequests || this.listedFor(message) !== undefined;
  }

  mayHitReply(message: Message, nowMs: number): boolean {
    if (nowMs >= this.untilMs) return false;
    return this.drawsOnReplies || this.listedFor(message) !== undefined;
  }

  onMessage<N extends MessageFaultName>(name: N, message: Message): FaultOf<N> | undefined {
    const { client, label, labelHash, attempt } = message;
    const listed = this.listedFor(message);
    const at =
      listed?.findIndex((fault) => fault.fault === name && fault.attempt === attempt) ?? -1;
    if (listed !== undefined && at >= 0) {
      const [fault] = listed.splice(at, 1);
      this.firedKeys.add(`${name} ${client.name} ${label} ${attempt}`);
      return this.note(fault as FaultOf<N>);
    }
    const rate = this.rates[name];
    if (rate === undefined || rate === 0) return undefined;
    const draw = keyed(this.seed, SITE[name], client.nameHash, labelHash, attempt);
    if (draw % OUT_OF >= rate || !this.isFirst(`${name} ${client.name} ${label} ${attempt}`)) {
      return undefined;
    }
    return this.note(makeMessageFault(name, message, finish(mix(draw, 1))) as FaultOf<N>);
  }

  onAppend(
    plane: PlaneProcess,
    append: number,
    nowMs: number,
  ): FaultOf<"append-unknown"> | undefined {
    if (nowMs >= this.untilMs) return undefined;
    const listed = this.onAppends.get(plane.name)?.find((fault) => fault.append === append);
    if (listed !== undefined) return this.note(listed);
    const rate = this.rates["append-unknown"];
    if (rate === undefined || rate === 0) return undefined;
    const draw = keyed(this.seed, SITE["append-unknown"], plane.nameHash, append, 0);
    if (draw % OUT_OF >= rate) return undefined;
    const landed = finish(mix(draw, 1)) % 2 === 0;
    return this.note({ fault: "append-unknown", plane: plane.name, append, landed });
  }

  onLateAppend(
    plane: PlaneProcess,
    append: number,
    nowMs: number,
  ): FaultOf<"append-late"> | undefined {
    if (nowMs >= this.untilMs) return undefined;
    const listed = this.onLateAppends.get(plane.name)?.find((fault) => fault.append === append);
    if (listed !== undefined) return this.note(listed);
    const draw = keyed(this.seed, SITE["append-late"], plane.nameHash, append, 0);
    if (draw % OUT_OF >= (this.rates["append-late"] ?? 0)) return undefined;
    const byMs = latenessAtStore(finish(mix(draw, 1)));
    return this.note({ fault: "append-late", plane: plane.name, append, byMs });
  }

  onRenewal(
    plane: PlaneProcess,
    renewal: number,
    nowMs: number,
  ): FaultOf<"late-renewal"> | undefined {
    if (nowMs >= this.untilMs) return undefined;
    const listed = this.onRenewals.get(plane.name)?.find((fault) => fault.renewal === renewal);
    if (listed !== undefined) return this.note(listed);
    const draw = keyed(this.seed, SITE["late-renewal"], plane.nameHash, renewal, 0);
    if (draw % OUT_OF >= (this.rates["late-renewal"] ?? 0)) return undefined;
    const byMs = between(finish(mix(draw, 1)), 100, 6_000);
    return this.note({ fault: "late-renewal", plane: plane.name, renewal, byMs });
  }

  onProcess<N extends ProcessFaultName>(
    name: N,
    of: { readonly replica: string; readonly incarnation: number },
    nowMs: number,
  ): FaultOf<N> | undefined {
    if (nowMs >= this.untilMs) return undefined;
    const { replica, incarnation } = of;
    const listed = this.onProcesses.get(replica);
    const at =
      listed?.findIndex((fault) => fault.fault === name && fault.incarnation === incarnation) ?? -1;
    const key = `${name} ${replica} ${incarnation}`;
    if (listed !== undefined && at >= 0) {
      const [fault] = listed.splice(at, 1);
      this.firedKeys.add(key);
      return this.note(fault as FaultOf<N>);
    }
    const rate = this.rates[name];
    if (rate === undefined || rate === 0) return undefined;
    const draw = keyed(this.seed, SITE[name], hashText(replica), incarnation, 0);
    if (draw % OUT_OF >= rate || !this.isFirst(key)) return undefined;
    return this.note(makeProcessFault(name, of, finish(mix(draw, 1))) as FaultOf<N>);
  }

  private listedFor(message: Message): MessageFault[] | undefined {
    if (this.onMessages.size === 0) return undefined;
    return this.onMessages.get(message.client.name)?.get(message.label);
  }

  private note<F extends Fault>(fault: F): F {
    this.fired.push(fault);
    return fault;
  }

  private isFirst(key: string): boolean {
    if (this.firedKeys.has(key)) return false;
    this.firedKeys.add(key);
    return true;
  }

  private expect(fault: Fault): void {
    switch (fault.fault) {
      case "lose-request":
      case "duplicate-request":
      case "delay-request":
        return this.expectMessage(fault.from, fault);
      case "lose-reply":
      case "delay-reply":
        return this.expectMessage(fault.to, fault);
      case "crash-after":
        return this.expectMessage(fault.component, fault);
      case "append-unknown":
        return addTo(this.onAppends, fault.plane, fault);
      case "append-late":
        return addTo(this.onLateAppends, fault.plane, fault);
      case "late-renewal":
        return addTo(this.onRenewals, fault.plane, fault);
      case "slow-start":
      case "failing-probe":
      case "process-exit":
      case "readiness-lapse":
        return addTo(this.onProcesses, fault.replica, fault);
      default:
        // The rest have a time of their own and wait in the queue.
        return undefined;
    }
  }

  private expectMessage(component: string, fault: MessageFault): void {
    let byLabel = this.onMessages.get(component);
    if (byLabel === undefined) {
      byLabel = new Map();
      this.onMessages.set(component, byLabel);
    }
    // Files may name the full operation, as a trace shows it.
    addTo(byLabel, steadyLabel(fault.operation), fault);
  }
}

function addTo<F>(index: Map<string, F[]>, key: string, fault: F): void {
  const list = index.get(key);
  if (list === undefined) index.set(key, [fault]);
  else list.push(fault);
}

/**
 * Mostly short, sometimes long enough to outlive a leadership, a lease or a retry's whole patience.
 */
const lateness = (draw: number): number => between(draw, 20, 3_000) * (draw % 3 === 0 ? 10 : 1);

/** Mostly so little that it races the next attempt to lead, sometimes long after another leads. */
const latenessAtStore = (draw: number): number =>
  draw % 3 === 0 ? between(draw, 50, 15_000) : between(draw, 1, 40);

function makeMessageFault(name: MessageFaultName, message: Message, draw: number): MessageFault {
  const { client, label: operation, attempt } = message;
  switch (name) {
    case "lose-request":
      return { fault: name, from: client.name, operation, attempt };
    case "duplicate-request":
      return { fault: name, from: client.name, operation, attempt, afterMs: lateness(draw) };
    case "delay-request":
      return { fault: name, from: client.name, operation, attempt, byMs: lateness(draw) };
    case "lose-reply":
      return { fault: name, to: client.name, operation, attempt };
    case "delay-reply":
      return { fault: name, to: client.name, operation, attempt, byMs: lateness(draw) };
    case "crash-after":
      return {
        fault: name,
        component: client.name,
        operation,
        attempt,
        downMs: between(draw, 50, 8_000),
      };
  }
}

function makeProcessFault(
  name: ProcessFaultName,
  { replica, incarnation }: { readonly replica: string; readonly incarnation: number },
  draw: number,
): ProcessFault {
  switch (name) {
    case "slow-start":
      return { fault: name, replica, incarnation, byMs: between(draw, 500, 30_000) };
    case "failing-probe":
      return { fault: name, replica, incarnation, times: between(draw, 1, 8) };
    case "process-exit":
      return { fault: name, replica, incarnation, afterMs: between(draw, 10, 60_000) };
    case "readiness-lapse": {
      const afterMs = between(draw, 1_000, 60_000);
      return {
        fault: name,
        replica,
        incarnation,
        afterMs,
        times: between(finish(mix(draw, 2)), 1, 12),
      };
    }
  }
}
