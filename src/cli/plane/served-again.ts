/**
 * The API of a plane, which is closed and opened anew when what the plane shows has taken a leap:
 * every watcher has to list again, and nothing that was worked out from what was shown before may
 * be kept.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { LineLog } from "../line-log.ts";
import type { PlaneSettings } from "./plane-settings.ts";
import { type ServedApi, serveApi } from "../../serve/serve-api.ts";

/**
 * The port may be held by what is still being closed. After half a minute a plane without a working
 * API stops.
 */
const TRIES = 30;
const AGAIN_MS = 1_000;

export interface ServedBy {
  readonly settings: PlaneSettings;
  readonly clock: HostClock;
  readonly log: LineLog;
  /** The folder of the plane's recording; left out: it does not record. */
  readonly recordings?: string | undefined;
}

export class ServedAgain {
  private readonly by: ServedBy;
  private plane: PlanePort | undefined;
  private served: ServedApi | undefined;
  private work: Promise<void> = Promise.resolve();
  private isClosed = false;

  constructor(by: ServedBy) {
    this.by = by;
  }

  /** Resolves with its address. */
  async serve(plane: PlanePort): Promise<string> {
    this.plane = plane;
    await this.open();
    return this.served?.url ?? "";
  }

  /**
   * One after the other, and not before it is served for the first time: then nothing is kept yet.
   */
  again(): void {
    if (this.plane === undefined) return;
    // Results of before must not mix with the new state, in an open answer as little as in the
    // next.
    this.served?.cutOff();
    this.work = this.openAfter(this.work);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.work;
    await this.served?.close();
  }

  private async openAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    await this.served?.close();
    for (let tries = 1; !this.isClosed; tries += 1) {
      try {
        return await this.open();
      } catch (error) {
        if (tries === TRIES) throw error;
        this.by.log.error({ err: error }, "Cannot reopen the API.");
        await sleep(AGAIN_MS);
      }
    }
  }

  private async open(): Promise<void> {
    const { plane } = this;
    if (plane === undefined) return;
    const { settings, clock, log, recordings } = this.by;
    const { address, credentials, secretKeys, store, folder, tlsToo } = settings;
    // A log in memory begins at revision 1 again with every plane: what is kept of another would be
    // taken for its own.
    const auditFolder = store === "memory" ? undefined : join(folder, "audit");
    const of = { address, credentials, secretKeys, tlsToo, recordings, auditFolder };
    this.served = await serveApi({ plane, clock, log, ...of });
  }
}
