/**
 * Role `read`: a client that reads one object from followers, as of now and as whatever they have,
 * in turn. The difference is what it costs a follower to make sure that it shows nothing old.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiPool } from "../path/api-pool.ts";
import { answerParent } from "../part/answer-parent.ts";

export interface ReadTask {
  readonly urls: readonly string[];
  readonly path: string;
}

export interface ReadTimes {
  readonly freshMs: Float64Array;
  readonly anyMs: Float64Array;
  readonly failures: number;
}

/** So few that reading is no load beside what is measured. */
const PAUSE_MS = 10;

class Reader {
  private readonly freshMs: number[] = [];
  private readonly anyMs: number[] = [];
  private failures = 0;
  private isOver = false;
  private readonly reading: Promise<unknown>;

  constructor(pools: readonly ApiPool[], path: string) {
    this.reading = Promise.all(pools.map((pool) => this.readFrom(pool, path)));
  }

  async stop(): Promise<ReadTimes> {
    this.isOver = true;
    await this.reading;
    const { failures } = this;
    return {
      freshMs: Float64Array.from(this.freshMs),
      anyMs: Float64Array.from(this.anyMs),
      failures,
    };
  }

  /** Both ways at least once, however soon it is over. */
  private async readFrom(pool: ApiPool, path: string): Promise<void> {
    do {
      await this.timed(pool, path, this.freshMs);
      await sleep(PAUSE_MS);
      await this.timed(pool, `${path}?resourceVersion=0`, this.anyMs);
      await sleep(PAUSE_MS);
    } while (!this.isOver);
    pool.close();
  }

  private async timed(pool: ApiPool, path: string, times: number[]): Promise<void> {
    const beganMs = performance.now();
    try {
      await pool.get(path);
      times.push(performance.now() - beganMs);
    } catch {
      this.failures += 1;
    }
  }
}

export async function playRead(): Promise<void> {
  let reader: Reader | undefined;
  await answerParent({
    begin: async ({ urls, path }: ReadTask): Promise<void> => {
      reader = new Reader(await Promise.all(urls.map((url) => ApiPool.open(url, 1))), path);
    },
    stop: (): Promise<ReadTimes> | undefined => reader?.stop(),
  });
}
