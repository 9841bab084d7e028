/**
 * Role `churn`: creates objects beside the measurement, without waiting for them, or creates and
 * deletes them.
 */
import type { Manifest } from "../measure/manifests.ts";
import { answerParent } from "../part/answer-parent.ts";
import { ApiPool } from "./api-pool.ts";
import type { ChurnTask } from "./path-task.ts";

/** One to work with, one for a busy plane. */
const CONNECTIONS = 2;

export interface Churned {
  readonly churned: number;
  readonly churnRefused: number;
}

class Churn {
  private readonly pool: ApiPool;
  private readonly task: ChurnTask;
  private timer: NodeJS.Timeout | undefined;
  private round = 0;
  private churned = 0;
  private churnRefused = 0;

  constructor(pool: ApiPool, task: ChurnTask) {
    this.pool = pool;
    this.task = task;
  }

  /** Resolves after the first round, so that even a short measurement overlaps with some churn. */
  async begin(): Promise<void> {
    await this.turn();
    this.timer = setInterval(() => void this.turn(), this.task.everyMs);
  }

  stop(): Churned {
    clearInterval(this.timer);
    return { churned: this.churned, churnRefused: this.churnRefused };
  }

  close(): void {
    this.pool.close();
  }

  private async turn(): Promise<void> {
    const round = this.round;
    this.round += 1;
    const comesAndGoes = this.task.mode === "recreate";
    for (const sample of this.task.objects) {
      try {
        if (comesAndGoes && round % 2 === 1) await this.pool.remove(numbered(sample, round - 1));
        else await this.pool.create(numbered(sample, round));
        this.churned += 1;
      } catch {
        this.churnRefused += 1;
      }
    }
  }
}

const numbered = (sample: Manifest, round: number): Manifest => ({
  ...sample,
  metadata: { ...sample.metadata, name: `${sample.metadata.name}-${round}` },
});

export async function playChurn(): Promise<void> {
  let churn: Churn | undefined;
  await answerParent(
    {
      begin: async (of: { url: string; task: ChurnTask }): Promise<void> => {
        churn = new Churn(await ApiPool.open(of.url, CONNECTIONS), of.task);
        await churn.begin();
      },
      stop: (): Churned => churn?.stop() ?? { churned: 0, churnRefused: 0 },
    },
    () => churn?.close(),
  );
}
