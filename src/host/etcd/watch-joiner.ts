/**
 * Turns the answers on a watch into whole revisions: joins what etcd had to cut because it was too
 * large, and cuts what it sent together, so that the listener sees each revision once and entirely.
 */
import type { WatchEvent } from "./etcd-api.ts";

export interface WholeRevision {
  readonly revision: bigint;
  readonly events: readonly WatchEvent[];
}

export class WatchJoiner {
  private waiting: WatchEvent[] = [];

  add(answer: {
    readonly fragment: boolean;
    readonly events: readonly WatchEvent[];
  }): readonly WholeRevision[] {
    for (const event of answer.events) this.waiting.push(event);
    if (answer.fragment) return [];
    const events = this.waiting;
    this.waiting = [];
    const whole: { revision: bigint; events: WatchEvent[] }[] = [];
    for (const event of events) {
      const revision = event.kv.modRevision;
      const last = whole.at(-1);
      if (last?.revision === revision) last.events.push(event);
      else whole.push({ revision, events: [event] });
    }
    return whole;
  }
}
