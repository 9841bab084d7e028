/**
 * Role `victim`: another tenant, whose people work as usual. Requests are due at a steady pace, and
 * their times count from then: a plane that answers late delays none of them.
 */
import { API_VERSION } from "../../src/api/group-version.ts";
import { latenciesOf } from "../measure/latencies.ts";
import { workloadManifest } from "../measure/manifests.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { answerParent } from "../part/answer-parent.ts";
import { ApiPool } from "../path/api-pool.ts";
import type { Latency } from "./overload-task.ts";

export const VICTIM_TENANT = "victim";
const WORKLOADS = `/apis/${API_VERSION}/namespaces/${VICTIM_TENANT}/workloads`;
/** Forty requests a second: a busy team with its tools. */
const EVERY_MS = 25;
const CONNECTIONS = 64;
const OWN = {
  tenant: VICTIM_TENANT,
  replicas: 0,
  resources: { cpu: "100m", memory: "64Mi" },
};

/** From when to when requests were due. */
export type Window = readonly [fromMs: number, toMs: number];

export interface VictimStanding {
  readonly writes: Latency;
  readonly reads: Latency;
  readonly failed: number;
  readonly made: number;
}

interface Asked {
  readonly isWrite: boolean;
  readonly dueMs: number;
  /** Undefined: it has no answer yet. */
  tookMs?: number;
}

class Victim {
  private readonly pool: ApiPool;
  private readonly timer: NodeJS.Timeout;
  private readonly asked: Asked[] = [];
  /** The object of number 0 is there, for reads. */
  private at = 1;
  private failed = 0;
  private made = 0;

  constructor(pool: ApiPool) {
    this.pool = pool;
    const beganMs = sharedNowMs();
    this.timer = setInterval(() => {
      for (;;) {
        const dueMs = beganMs + this.at * EVERY_MS;
        if (dueMs > sharedNowMs()) break;
        this.ask(this.at, dueMs);
        this.at += 1;
      }
    }, EVERY_MS);
  }

  /** Of requests that were due then. One without an answer has waited at least until now. */
  during(windows: readonly Window[]): VictimStanding {
    const nowMs = sharedNowMs();
    const due = this.asked.filter(({ dueMs }) =>
      windows.some(([fromMs, toMs]) => dueMs >= fromMs && dueMs < toMs),
    );
    const of = (isWrite: boolean): Latency => {
      const waits = due
        .filter((each) => each.isWrite === isWrite)
        .map(({ dueMs, tookMs = nowMs - dueMs }) => tookMs);
      const { p50Ms, p99Ms } = latenciesOf(waits);
      return { p50Ms, p99Ms };
    };
    return { writes: of(true), reads: of(false), failed: this.failed, made: this.made };
  }

  close(): void {
    clearInterval(this.timer);
    this.pool.close();
  }

  private ask(at: number, dueMs: number): void {
    const isWrite = at % 4 === 0;
    const answer = isWrite ? this.create(at) : this.pool.get(readPath(at));
    const asked: Asked = { isWrite, dueMs };
    this.asked.push(asked);
    const isOver = (): void => void (asked.tookMs = sharedNowMs() - dueMs);
    answer.then(isOver, () => {
      isOver();
      this.failed += 1;
    });
  }

  private async create(at: number): Promise<void> {
    await this.pool.create(workloadManifest(`own-${at}`, OWN));
    this.made += 1;
  }
}

/** An object of long ago, or a page of them. */
const readPath = (at: number): string =>
  at % 4 === 1 ? `${WORKLOADS}?limit=20` : `${WORKLOADS}/own-0`;

export async function playVictim(): Promise<void> {
  let victim: Victim | undefined;
  await answerParent(
    {
      begin: async ({ url, token }: { url: string; token: string }): Promise<void> => {
        const pool = await ApiPool.open(url, CONNECTIONS, token);
        await pool.create(workloadManifest("own-0", OWN)).catch(() => undefined);
        victim = new Victim(pool);
      },
      during: (windows: readonly Window[]): VictimStanding | undefined => victim?.during(windows),
    },
    () => victim?.close(),
  );
}
