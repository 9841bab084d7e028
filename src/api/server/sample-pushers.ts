/**
 * Who pushes samples. They are no commits, so the audit trail does not know them, and they decide how many replicas there are:
 * each caller is told of once for each workload or replica and window, because some push every second. Agents are not:
 * measuring what runs on their node is what they do.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Caller } from "./caller.ts";

const WINDOW_MS = 600_000;
/** Of one caller and window: beyond it, its objects are told of in the next. No caller hides another's. */
const TOLD = 1_000;

export interface Pushed {
  readonly caller: string;
  readonly kind: Caller["kind"];
  readonly token?: string;
  readonly of: ObjectKey;
  readonly metric: string;
}

export class SamplePushers {
  private readonly tell: (said: Pushed) => void;
  private readonly told = new Map<string, Set<string>>();
  private sinceMs = 0;

  constructor(tell: (said: Pushed) => void) {
    this.tell = tell;
  }

  note(
    { kind, name, token }: Caller,
    { of, metric }: Pick<Pushed, "of" | "metric">,
    nowMs: number,
  ): void {
    if (kind === "agent") return;
    if (nowMs - this.sinceMs >= WINDOW_MS) {
      this.told.clear();
      this.sinceMs = nowMs;
    }
    // Who is on the plane's own machine may give any name.
    const caller = kind === "local" ? kind : `${kind} ${name}`;
    const told = this.told.get(caller) ?? new Set();
    this.told.set(caller, told);
    const line = JSON.stringify([name, of, metric]);
    if (told.has(line) || told.size >= TOLD) return;
    told.add(line);
    this.tell({ caller: name, kind, ...(token === undefined ? {} : { token }), of, metric });
  }
}
