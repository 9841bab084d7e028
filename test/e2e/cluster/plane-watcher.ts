/** A client that watches all registers at one plane, for as long as the run lasts, and comes back where it left off. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, Watched, WatchedLine } from "./history/watched.ts";
import type { ShownTenant } from "./register-call.ts";

interface Line {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: ShownTenant & { readonly code?: number };
}

const AGAIN_MS = 50;

export class PlaneWatcher {
  private readonly watcher: string;
  private readonly url: string;
  private readonly connections: (Connection & { upTo: number; lines: WatchedLine[] })[] = [];
  private readonly over = new AbortController();
  private running: Promise<void> = Promise.resolve();
  /** Up to where it was told everything; undefined when it has to list. */
  private at: number | undefined;
  /** How often it was told to list again. */
  lists = 0;

  constructor(of: { readonly name: string; readonly url: string }) {
    this.watcher = of.name;
    this.url = `${of.url}/apis/berth.dev/v1/tenants`;
  }

  start(): void {
    this.running = this.run();
  }

  get upTo(): number {
    return this.at ?? 0;
  }

  watched(): Watched {
    return { watcher: this.watcher, connections: this.connections };
  }

  async stop(): Promise<void> {
    this.over.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.over.signal.aborted) {
      try {
        this.at ??= await this.list();
        await this.follow(this.at);
      } catch {
        // It is gone, or hangs, or was cut off: it is asked again until the run is over.
      }
      await sleep(AGAIN_MS);
    }
  }

  private async list(): Promise<number> {
    const answer = await fetch(this.url, { signal: this.signal(AbortSignal.timeout(5_000)) });
    const { metadata } = (await answer.json()) as { metadata: { resourceVersion: string } };
    if (!answer.ok) throw new Error(`The list was answered ${answer.status}.`);
    this.lists += 1;
    return Number(metadata.resourceVersion);
  }

  private async follow(from: number): Promise<void> {
    const query = `watch=true&allowWatchBookmarks=true&resourceVersion=${from}`;
    const answer = await fetch(`${this.url}?${query}`, { signal: this.signal() });
    if (answer.status === 410) this.at = undefined;
    if (!answer.ok || answer.body === null) return void (await answer.arrayBuffer());
    this.connections.push({ from, upTo: from, lines: [] });
    let rest = "";
    const decoder = new TextDecoder();
    for await (const part of answer.body) {
      rest += decoder.decode(part as Uint8Array, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line !== "") this.hear(JSON.parse(line) as Line);
    }
  }

  private hear({ type, object }: Line): void {
    const connection = this.connections.at(-1);
    if (connection === undefined) return;
    if (type === "ERROR") {
      this.at = undefined;
      return;
    }
    const { name, uid, resourceVersion } = object.metadata;
    const revision = Number(resourceVersion);
    if (type !== "BOOKMARK") {
      const value = object.spec?.displayName ?? "";
      const kind = type === "DELETED" ? "deleted" : "put";
      connection.lines.push({ type: kind, key: name, value, revision, uid });
    }
    connection.upTo = Math.max(connection.upTo, revision);
    this.at = connection.upTo;
  }

  private signal(...others: readonly AbortSignal[]): AbortSignal {
    return AbortSignal.any([this.over.signal, ...others]);
  }
}
