/**
 * Reads what the open levels are about, for as long as they are open. A level below stays up to
 * date, so that the reader who goes back sees it as it is.
 */
import type { ApiClient } from "../client/api-client.ts";
import { UserError } from "../../shell/errors.ts";
import { readLogLines } from "./read-log-lines.ts";
import { readReplicas } from "./read-replicas.ts";
import type { Opening, Reader, Source, TopState } from "./top-state.ts";

/** The levels that ask the plane. */
export type OpenedState = Pick<TopState, "replicas" | "log">;

export interface Reading {
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly tell: (news: Partial<OpenedState>) => void;
}

const LOADING = { rows: [], isLoading: true, note: "" } as const;
export const NOTHING_OPENED: OpenedState = { replicas: LOADING, log: LOADING };

type Read = (client: ApiClient, of: Reading) => Promise<void>;
const READS: Readonly<Record<keyof OpenedState, Read>> = {
  replicas: readReplicas,
  log: readLogLines,
};

export class OpenedSources {
  private readonly client: ApiClient;
  private readonly onNews: () => void;
  private readonly running = new Map<Opening, AbortController>();
  private shown: OpenedState = NOTHING_OPENED;
  private fail: (error: unknown) => void = () => {};
  /** Rejects with what is no fault of the plane or the reader. */
  readonly failed = new Promise<never>((_, reject) => {
    this.fail = reject;
  });

  constructor(client: ApiClient, onNews: () => void) {
    this.client = client;
    this.onNews = onNews;
  }

  get state(): OpenedState {
    return this.shown;
  }

  /** Begins to read for levels that have opened, and ends it for those that have closed. */
  follow(reader: Reader): void {
    const open = new Set(openingsOf(reader));
    for (const [opening, reading] of this.running) {
      if (open.has(opening)) continue;
      reading.abort();
      this.running.delete(opening);
    }
    for (const opening of open) if (!this.running.has(opening)) this.begin(opening);
  }

  close(): void {
    for (const reading of this.running.values()) reading.abort();
  }

  private begin(opening: Opening): void {
    const { pane, source } = opening;
    if (source === undefined || pane === "help") return;
    const reading = new AbortController();
    this.running.set(opening, reading);
    void this.read(pane, source, reading.signal);
  }

  private async read(pane: keyof OpenedState, source: Source, signal: AbortSignal): Promise<void> {
    const tell = (news: Partial<OpenedState>): void => {
      if (signal.aborted) return;
      this.shown = { ...this.shown, ...news };
      this.onNews();
    };
    tell({ [pane]: LOADING });
    try {
      await READS[pane](this.client, { source, signal, tell });
    } catch (error) {
      if (!(error instanceof UserError)) return this.fail(error);
      tell({ [pane]: { rows: [], isLoading: false, note: error.message } });
    }
  }
}

function* openingsOf({ opened }: Reader): Iterable<Opening> {
  if (opened === undefined) return;
  yield opened.opening;
  yield* openingsOf(opened.from);
}
