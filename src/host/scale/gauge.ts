/**
 * Takes what was measured into the log: one observation of each autoscaler every ten seconds, by
 * the plane that leads. It decides nothing, and an observation that does not get through is not
 * sent again: the next one knows better.
 */
import { observeOperation } from "../../core/protocol/operations.ts";
import type { HostClock } from "../host-clock.ts";
import type { PlanePort } from "../plane-port.ts";
import type { SampleWindow } from "./sample-window.ts";

/** Twice what the log takes at most, and a third of what is called old. */
export const OBSERVE_MS = 10_000;

export class Gauge {
  private readonly plane: PlanePort;
  private readonly clock: HostClock;
  private readonly window: SampleWindow;
  private readonly timer: NodeJS.Timeout;

  constructor(of: {
    readonly plane: PlanePort;
    readonly clock: HostClock;
    readonly window: SampleWindow;
    /** Left out: as often as is worth it. */
    readonly everyMs?: number;
  }) {
    this.plane = of.plane;
    this.clock = of.clock;
    this.window = of.window;
    this.timer = setInterval(() => void this.observe(), of.everyMs ?? OBSERVE_MS);
    this.timer.unref();
  }

  /** How many observations the log has taken. */
  async observe(): Promise<number> {
    const { plane, clock, window } = this;
    if (!plane.isLeading) return 0;
    const all = [...plane.objects.all("Autoscaler").values()];
    const nowMs = clock.nowMs();
    const answers = all.map(async (autoscaler) => {
      const intent = {
        kind: "observe",
        operation: observeOperation(autoscaler, nowMs),
        autoscaler: autoscaler.key,
        reading: window.read(plane.objects, autoscaler, nowMs),
      } as const;
      const reply = await plane.submit(intent, { role: "gauge", name: "gauge" });
      return reply.kind === "outcome" && reply.outcome.kind === "committed";
    });
    // A plane that closes does not answer.
    const taken = await Promise.allSettled(answers);
    return taken.filter((each) => each.status === "fulfilled" && each.value).length;
  }

  close(): void {
    clearInterval(this.timer);
  }
}
