/**
 * Who pushes samples. They are no commits, so the audit trail does not know them, and they decide
 * how many replicas there are: each caller is told of once for each workload or replica and window,
 * because some push every second. Agents are not: measuring what runs on their node is what they
 * do. Each caller has a share of the lines: one that pushes for a thousand objects hides no other,
 * and a line says that it pushed for more.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Caller } from "../http/caller.ts";
import { PUSHER_LIMITS } from "./pusher-limits.ts";

const { toldWindowMs, toldPerCaller } = PUSHER_LIMITS;

export interface Pushed {
  readonly caller: string;
  readonly kind: Caller["kind"];
  readonly token?: string;
  /** Left out, with the metric: of more than are told one by one. */
  readonly of?: ObjectKey;
  readonly metric?: string;
  readonly moreThan?: number;
}

export class SamplePushers {
  private readonly tell: (said: Pushed) => void;
  private readonly told = new Map<string, Set<string>>();
  private sinceMs = 0;

  constructor(tell: (said: Pushed) => void) {
    this.tell = tell;
  }

  /** For each sample that was taken: one that no autoscaler asks for decides nothing. */
  note(caller: Caller, of: ObjectKey, metric: string, nowMs: number): void {
    const { kind, name, credentialId: token } = caller;
    if (kind === "agent") return;
    if (nowMs - this.sinceMs >= toldWindowMs.value) {
      this.told.clear();
      this.sinceMs = nowMs;
    }
    const told = this.toldOf(caller);
    const line = JSON.stringify([name, of, metric]);
    if (told.has(line) || told.size > toldPerCaller.value) return;
    told.add(line);
    const who = { caller: name, kind, ...(token === undefined ? {} : { token }) };
    const isMore = told.size > toldPerCaller.value;
    this.tell(isMore ? { ...who, moreThan: toldPerCaller.value } : { ...who, of, metric });
  }

  /** An administrator may take any name, and has one share under all of them. */
  private toldOf({ kind, name }: Caller): Set<string> {
    const share = kind === "local" ? kind : `${kind}:${name}`;
    const told = this.told.get(share) ?? new Set();
    this.told.set(share, told);
    return told;
  }
}
