/**
 * Role `write`: a client that writes through all planes in turn, at a steady rate, and records when
 * each write was acknowledged.
 */
import { workloadManifest } from "../measure/manifests.ts";
import { createPath } from "../path/api-pool.ts";
import { answerParent } from "../part/answer-parent.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { PlaneCaller } from "./plane-caller.ts";
import type { Write, Written } from "./write.ts";

export interface WriteTask {
  readonly urls: readonly string[];
  readonly tenant: string;
  /** Workloads are NAME-0, NAME-1 and so on, of one replica each. */
  readonly name: string;
  /** Writes a second. */
  readonly rate: number;
}

const SIZE = { cpu: "1m", memory: "1Mi" };

class Writer {
  private readonly task: WriteTask;
  private readonly caller = new PlaneCaller();
  private readonly done: Write[] = [];
  private readonly timer: NodeJS.Timeout;
  private next = 0;
  private failed = 0;

  constructor(task: WriteTask) {
    this.task = task;
    // A write that waits for its answer does not delay the next one.
    this.timer = setInterval(() => this.write(), 1_000 / task.rate);
  }

  written({ sinceMs }: { readonly sinceMs: number }): Written {
    const writes = this.done.filter(({ ackedMs }) => ackedMs >= sinceMs);
    return { writes, acknowledged: this.done.length, failed: this.failed };
  }

  close(): void {
    clearInterval(this.timer);
    this.caller.close();
  }

  private write(): void {
    const number = this.next;
    this.next += 1;
    const plane = number % this.task.urls.length;
    const sentMs = sharedNowMs();
    this.send(number, this.task.urls[plane] ?? "").then(
      () => this.done.push({ number, plane, sentMs, ackedMs: sharedNowMs() }),
      () => (this.failed += 1),
    );
  }

  private async send(number: number, url: string): Promise<void> {
    const { name, tenant } = this.task;
    const of = { tenant, replicas: 1, resources: SIZE };
    const manifest = workloadManifest(`${name}-${number}`, of);
    const idempotencyKey = manifest.metadata.name;
    const body = JSON.stringify(manifest);
    await this.caller.ask({ url, path: createPath(manifest), body, idempotencyKey });
  }
}

export async function playWrite(): Promise<void> {
  let writer: Writer | undefined;
  await answerParent(
    {
      begin: (task: WriteTask): void => {
        writer = new Writer(task);
      },
      written: (of: { sinceMs: number }): Written | undefined => writer?.written(of),
    },
    () => writer?.close(),
  );
}
