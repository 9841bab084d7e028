/**
 * Role `serve`: a plane on a SQLite log with its API on loopback, as `berth plane` runs it. It also
 * notes when each change became visible, to measure how late others hear of it.
 */
import { get } from "node:http";
import { createApiServer } from "../../../src/api/http/create-api-server.ts";
import { listen } from "../../../src/api/http/listen.ts";
import { createHostClock } from "../../../src/host/host-clock.ts";
import { Plane } from "../../../src/host/plane.ts";
import { Recorder } from "../../../src/host/recording/recorder.ts";
import { SqliteLog } from "../../../src/host/store/sqlite-log.ts";
import { ownCpuMicros } from "../../measure/process-usage.ts";
import { sharedNowMs } from "../../measure/shared-clock.ts";
import { answerParent } from "../../part/answer-parent.ts";
import { PartProcess } from "../../part/part-process.ts";

export interface ServeOptions {
  readonly file: string;
  /** The folder of the recording, if there is one. */
  readonly recording?: string | undefined;
}

export interface Opened {
  readonly url: string;
  readonly revision: number;
  /** From before the file was opened until the first request was answered. */
  readonly openMs: number;
  readonly storeMs: number;
  readonly planeMs: number;
  readonly cpuMicros: number;
}

export interface Usage {
  readonly cpuMicros: number;
  readonly rssMiB: number;
  readonly revision: number;
}

/**
 * When changes became visible, by namespace and in order; of everything since it was asked for
 * last.
 */
export type PublishTimes = Readonly<Record<string, readonly number[]>>;

export class ServedPlane {
  readonly url: string;
  readonly opened: Opened;
  private readonly child: PartProcess;

  private constructor(child: PartProcess, opened: Opened) {
    this.child = child;
    this.opened = opened;
    this.url = opened.url;
  }

  static async start(
    of: ServeOptions & { readonly profile?: string | undefined },
  ): Promise<ServedPlane> {
    const { profile, ...options } = of;
    const child = PartProcess.start("serve", { profile, args: ["serve"] });
    return new ServedPlane(child, await child.ask<Opened>("open", options));
  }

  /**
   * Another plane in the same process, so that both have the same heap and the same compiled code.
   */
  async beside(options: ServeOptions): Promise<ServedPlane> {
    return new ServedPlane(this.child, await this.child.ask<Opened>("open", options));
  }

  usage(): Promise<Usage> {
    return this.child.ask("usage");
  }

  publishTimes(): Promise<PublishTimes> {
    return this.child.ask("publish-times");
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

const quiet = { info: () => {}, warn: () => {}, error: console.error };

export function serve(): Promise<void> {
  const closes: (() => Promise<void>)[] = [];
  let newest: Plane | undefined;
  let times: Record<string, number[]> = {};
  return answerParent(
    {
      open: async (options: ServeOptions): Promise<Opened> => {
        const cpuBegan = ownCpuMicros();
        const began = performance.now();
        const { file, recording } = options;
        const store = await SqliteLog.open(file);
        const storeMs = performance.now() - began;
        const clock = createHostClock();
        const recorder = recording && new Recorder({ folder: recording, version: "bench" });
        const plane = await Plane.open({
          store,
          clock,
          onTrouble: console.error,
          ...(recorder ? { recorder } : {}),
        });
        const planeMs = performance.now() - began - storeMs;
        const app = createApiServer({ plane, clock, log: quiet });
        const url = await listen(app, { port: 0 });
        await answered(`${url}/readyz`);
        const openMs = performance.now() - began;
        plane.onPublish((commits) => {
          const now = sharedNowMs();
          for (const { changes } of commits) {
            for (const { after } of changes)
              if (after) (times[after.meta.namespace] ??= []).push(now);
          }
        });
        newest = plane;
        closes.push(async () => {
          app.server.closeAllConnections();
          await app.close();
          await plane.close();
        });
        const { revision } = plane;
        return { url, revision, openMs, storeMs, planeMs, cpuMicros: ownCpuMicros() - cpuBegan };
      },
      usage: (): Usage => ({
        cpuMicros: ownCpuMicros(),
        rssMiB: process.memoryUsage.rss() / 2 ** 20,
        revision: newest?.revision ?? 0,
      }),
      "publish-times": (): PublishTimes => {
        const said = times;
        times = {};
        return said;
      },
    },
    async () => void (await Promise.all(closes.map((close) => close()))),
  );
}

function answered(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, (response) => {
      response.resume();
      response.on("end", resolve);
    });
    request.on("error", reject);
  });
}
