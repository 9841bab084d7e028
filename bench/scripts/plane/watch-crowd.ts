/**
 * Role `crowd`: many watchers in one process, each with a connection of its own. While changes come
 * they only count lines and note the time; what that means is worked out afterwards.
 */
import { connect, type Socket } from "node:net";
import { rounded } from "../../measure/latencies.ts";
import { ownCpuMicros } from "../../measure/process-usage.ts";
import { sharedNowMs } from "../../measure/shared-clock.ts";
import { answerParent } from "../../part/answer-parent.ts";
import { PartProcess } from "../../part/part-process.ts";
import type { PublishTimes } from "./served-plane.ts";

export interface CrowdOptions {
  readonly url: string;
  readonly watchers: number;
  /** Each watcher takes the next of these; its namespace says which changes it is shown. */
  readonly watches: readonly { readonly path: string; readonly namespace: string }[];
}

export interface Lags {
  readonly lines: number;
  /** Lines that should have come and did not. */
  readonly missing: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly crowdCpuMicros: number;
}

export class Crowd {
  private readonly child = PartProcess.start("crowd", { args: ["crowd"] });

  async gather(options: CrowdOptions): Promise<void> {
    await this.child.ask("gather", options);
  }

  /** Waits until all have caught up, or for this long. */
  lags(published: PublishTimes, patienceMs: number): Promise<Lags> {
    return this.child.ask("lags", { published, patienceMs });
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

class Watcher {
  readonly namespace: string;
  readonly socket: Socket;
  /** Times, and how many lines had come by then. */
  readonly times: number[] = [];
  readonly counts: number[] = [];
  lines = 0;
  private hasBegun = false;
  private endsInBrace = false;

  constructor(socket: Socket, namespace: string) {
    this.socket = socket;
    this.namespace = namespace;
  }

  /**
   * True once the answer has begun. A line ends with a brace and a line feed, the framing around it
   * never does.
   */
  read(bytes: Buffer): boolean {
    let from = 0;
    if (!this.hasBegun) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end === -1 || bytes.toString("latin1", 9, 12) !== "200") {
        throw new Error(`A watch was answered ${bytes.toString("latin1", 0, 200)}`);
      }
      this.hasBegun = true;
      from = end + 4;
    }
    const had = this.lines;
    if (this.endsInBrace && bytes[from] === 0x0a) this.lines += 1;
    for (let at = bytes.indexOf("}\n", from); at !== -1; at = bytes.indexOf("}\n", at + 2)) {
      this.lines += 1;
    }
    this.endsInBrace = bytes.at(-1) === 0x7d;
    if (this.lines > had) {
      this.times.push(sharedNowMs());
      this.counts.push(this.lines);
    }
    return true;
  }
}

export function runCrowd(): Promise<void> {
  const watchers: Watcher[] = [];
  let cpuBegan = 0;
  return answerParent(
    {
      gather: async ({ url, watchers: count, watches }: CrowdOptions): Promise<void> => {
        for (let at = 0; at < count; at += 1) {
          const { path, namespace } = watches[at % watches.length] ?? { path: "", namespace: "" };
          watchers.push(await watching(new URL(url), path, namespace));
        }
        cpuBegan = ownCpuMicros();
      },
      lags: async (of: { published: PublishTimes; patienceMs: number }): Promise<Lags> => {
        const due = (watcher: Watcher): number => of.published[watcher.namespace]?.length ?? 0;
        const endMs = performance.now() + of.patienceMs;
        while (performance.now() < endMs && watchers.some((each) => each.lines < due(each))) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const crowdCpuMicros = ownCpuMicros() - cpuBegan;
        for (const { socket } of watchers) socket.destroy();
        return { ...lagsOf(watchers, of.published), crowdCpuMicros };
      },
    },
    async () => {
      for (const { socket } of watchers) socket.destroy();
    },
  );
}

function watching(url: URL, path: string, namespace: string): Promise<Watcher> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    const watcher = new Watcher(socket, namespace);
    socket.on("error", reject);
    socket.on("data", (bytes) => {
      if (watcher.read(bytes)) resolve(watcher);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: application/json\r\n\r\n`);
  });
}

function lagsOf(
  watchers: readonly Watcher[],
  published: PublishTimes,
): Omit<Lags, "crowdCpuMicros"> {
  const due = watchers.map(({ namespace }) => published[namespace]?.length ?? 0);
  const lags = new Float64Array(watchers.reduce((sum, { lines }) => sum + lines, 0));
  let lines = 0;
  for (const { namespace, times, counts } of watchers) {
    const sent = published[namespace] ?? [];
    let line = 0;
    for (const [at, time] of times.entries()) {
      for (const count = counts[at] ?? 0; line < count; line += 1) {
        lags[lines] = time - (sent[line] ?? time);
        lines += 1;
      }
    }
  }
  lags.sort();
  const wanted = due.reduce((sum, count) => sum + count, 0);
  return {
    lines,
    missing: wanted - lines,
    p50Ms: rounded(lags[Math.floor(lines / 2)] ?? 0),
    p99Ms: rounded(lags[Math.floor(lines * 0.99)] ?? 0),
    maxMs: rounded(lags[lines - 1] ?? 0),
  };
}
