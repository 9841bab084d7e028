/** A watcher that writes down every line it sees, goes away when it feels like it, and comes back where it was. */
import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connection, SeenLine, WatchHistory } from "./watch-history.ts";

/** When it goes away: never by itself, at every so many-th bookmark, or after so many events. */
export type Habit =
  | { readonly kind: "stays" }
  | { readonly kind: "leaves at a bookmark"; readonly every: number }
  | { readonly kind: "leaves after events"; readonly count: number };

interface WatchLine {
  readonly type: SeenLine["type"] | "ERROR";
  readonly object: {
    readonly message?: string;
    readonly kind: string;
    readonly metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly resourceVersion: string;
    };
  };
}

export class RecordingWatcher {
  readonly history: WatchHistory;
  private readonly connections: Connection[] = [];
  private readonly url: () => string;
  private readonly habit: Habit;
  private isOver = false;
  private response: IncomingMessage | undefined;
  private trouble = "none";
  /** How far it has come: everything up to here was seen. */
  at: number;

  constructor(of: {
    readonly name: string;
    readonly url: () => string;
    readonly from: number;
    readonly habit: Habit;
  }) {
    this.history = { watcher: of.name, connections: this.connections };
    this.url = of.url;
    this.habit = of.habit;
    this.at = of.from;
  }

  /** Resolves when it was told to finish. */
  async watch(): Promise<void> {
    while (!this.isOver) {
      try {
        await this.connect();
      } catch (error) {
        // The plane is away for a moment; what was seen stays seen.
        this.trouble = String(error);
        await sleep(10);
      }
    }
  }

  /** Where it is, for a test that waits for it in vain. */
  get story(): string {
    const { length } = this.connections;
    return `${this.history.watcher} is at ${this.at} after ${length} connections; last trouble: ${this.trouble}`;
  }

  finish(): void {
    this.isOver = true;
    this.response?.destroy();
  }

  private async connect(): Promise<void> {
    const url = `${this.url()}&resourceVersion=${this.at}`;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url, { agent: false }, resolve).on("error", reject);
    });
    if (response.statusCode !== 200) {
      // Unread, it would keep its connection, of which the server gives one address so many.
      response.destroy();
      throw new Error(`The watch was answered ${response.statusCode}.`);
    }
    this.response = response;
    if (this.isOver) response.destroy();
    const lines: SeenLine[] = [];
    this.connections.push({ from: this.at, lines });
    let rest = "";
    for await (const chunk of response) {
      const parts = `${rest}${String(chunk)}`.split("\n");
      rest = parts.pop() ?? "";
      for (const text of parts) {
        const line = seen(JSON.parse(text) as WatchLine);
        lines.push(line);
        this.at = line.revision;
        if (this.leavesAfter(lines)) {
          response.destroy();
          return;
        }
      }
    }
  }

  private leavesAfter(lines: readonly SeenLine[]): boolean {
    const { habit } = this;
    if (habit.kind === "stays") return false;
    const bookmarks = lines.filter(({ type }) => type === "BOOKMARK").length;
    if (habit.kind === "leaves after events") return lines.length - bookmarks >= habit.count;
    return bookmarks >= habit.every && lines.at(-1)?.type === "BOOKMARK";
  }
}

function seen({ type, object }: WatchLine): SeenLine {
  if (type === "ERROR") throw new Error(`The watch ended with an error: ${object.message}`);
  const { name, namespace = "", resourceVersion } = object.metadata;
  const key = type === "BOOKMARK" ? "" : `${object.kind}/${namespace}/${name}`;
  return { type, revision: Number(resourceVersion), key };
}
