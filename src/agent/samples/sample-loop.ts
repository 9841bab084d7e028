/**
 * Measures at a pace and says what was measured, beside everything else that an agent does: its
 * component is not told, and nothing of it is recorded. A look begins after the one before was
 * answered, so nothing is asked twice at once.
 */
import type { ObjectKey } from "../../core/model/ids.ts";

/** What a replica was measured to do, or why that is not known. */
export type Measured = { readonly replica: ObjectKey; readonly metric: string } & (
  | { readonly value: number }
  | { readonly missing: string }
);

export interface SampleLoopOptions {
  readonly everyMs: number;
  readonly take: () => Promise<readonly Measured[]>;
  /** Resolves with how many of them somebody decides by. */
  readonly tell: (samples: readonly Measured[]) => Promise<number>;
}

/** Where no autoscaler uses them it is asked now and then whether somebody does by now. */
const IDLE_LOOKS = 3;

export class SampleLoop {
  private readonly options: SampleLoopOptions;
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(options: SampleLoopOptions) {
    this.options = options;
  }

  start(): void {
    this.lookIn(this.options.everyMs);
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private lookIn(delayMs: number): void {
    this.timer = setTimeout(() => void this.look(), delayMs);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const { everyMs, take, tell } = this.options;
    let isIdle = false;
    try {
      const samples = await take();
      if (this.isStopped) return;
      isIdle = samples.length > 0 && (await tell(samples)) === 0;
    } catch {
      // As when no file can be opened for a while: a missed sample is taken the next time.
    }
    if (!this.isStopped) this.lookIn(isIdle ? IDLE_LOOKS * everyMs : everyMs);
  }
}
