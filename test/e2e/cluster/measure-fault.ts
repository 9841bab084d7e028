/** What clients noticed of one fault: how long nobody was served, and what they were not told. */
import { type Call, isWrite } from "./history/call.ts";
import type { Finding } from "./history/finding.ts";
import type { LeadChange } from "./log-witness.ts";

export interface FaultTime {
  readonly name: string;
  readonly beganMs: number;
  readonly healedMs: number;
  readonly settledMs: number;
}

export interface MeasuredFault {
  readonly fault: string;
  readonly lastedMs: number;
  /** From the beginning until another epoch began; undefined when the lead was kept. */
  readonly newLeaderMs: number | undefined;
  /** The longest time in which no write, and no read, was answered anywhere. */
  readonly noWritesMs: number;
  readonly noReadsMs: number;
  readonly acknowledged: number;
  readonly unknown: number;
  readonly refused: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly stale: number;
  /** Whatever else must not be. */
  readonly otherwise: number;
}

export function measureFault(
  time: FaultTime,
  of: {
    readonly calls: readonly Call[];
    readonly leads: readonly LeadChange[];
    readonly findings: readonly Finding[];
  },
): MeasuredFault {
  const { name, beganMs, settledMs } = time;
  const within = of.calls.filter(
    (call) => call.returnedMs >= beganMs && call.invokedMs <= settledMs,
  );
  const writes = within.filter(({ asked }) => isWrite(asked));
  const count = (kind: Call["answer"]["kind"]): number =>
    within.filter(({ answer }) => answer.kind === kind).length;
  const findings = of.findings.filter(
    ({ atMs }) => atMs !== undefined && atMs >= beganMs && atMs <= settledMs,
  );
  const found = (...kinds: readonly Finding["kind"][]): number =>
    findings.filter(({ kind }) => kinds.includes(kind)).length;
  const lost = found("lost-write");
  const duplicated = found("duplicate-effect");
  const stale = found("stale-read", "went-back");
  return {
    fault: name,
    lastedMs: Math.round(time.healedMs - beganMs),
    newLeaderMs: newLeader(time, of.leads),
    noWritesMs: longestGap(time, writes.filter(isServed)),
    noReadsMs: longestGap(time, within.filter(({ asked }) => !isWrite(asked)).filter(isServed)),
    acknowledged: writes.filter(({ answer: { kind } }) => kind === "shown" || kind === "deleted")
      .length,
    unknown: count("unknown"),
    refused: count("refused"),
    lost,
    duplicated,
    stale,
    otherwise: findings.length - lost - duplicated - stale,
  };
}

const isServed = ({ answer: { kind } }: Call): boolean => kind !== "unknown" && kind !== "refused";

function newLeader(
  { beganMs, settledMs }: FaultTime,
  leads: readonly LeadChange[],
): number | undefined {
  const next = leads.find(
    ({ atMs, name }) => name !== undefined && atMs > beganMs && atMs <= settledMs,
  );
  return next === undefined ? undefined : Math.round(next.atMs - beganMs);
}

/** Between two answers, of which the first may lie before the fault and the last after it. */
function longestGap({ beganMs, settledMs }: FaultTime, calls: readonly Call[]): number {
  const times = calls.map(({ returnedMs }) => returnedMs).toSorted((a, b) => a - b);
  let last = beganMs;
  let longest = 0;
  for (const time of [...times, settledMs]) {
    longest = Math.max(longest, Math.min(time, settledMs) - last);
    last = Math.max(last, time);
  }
  return Math.round(longest);
}
