/**
 * Answers planes that ask for logs. Parts are sent one after the other: the plane answers each when
 * its reader has taken it, so a log is read no faster than somebody wants to see it.
 */
import { AGENT_LIMITS } from "../agent-limits.ts";
import { findProcessLogs } from "./process-logs.ts";
import type { HttpCaller } from "../../shell/http-caller.ts";
import { hasTimes } from "./line-times.ts";
import { type LogRequest, timesWanted } from "./log-request.ts";
import { readLog } from "./read-log.ts";

/**
 * Planes cut off a slow reader after 30 s, and tell; longer than that, and the plane itself is
 * gone.
 */
const PATIENCE_MS = 45_000;
const MOST_READERS = AGENT_LIMITS.logReaders.value;

export interface LogAnswersOptions {
  /** The agent's. */
  readonly folder: string;
  readonly caller: HttpCaller;
}

export class LogAnswers {
  private readonly options: LogAnswersOptions;
  private readonly closing = new AbortController();
  private readers = 0;

  constructor(options: LogAnswersOptions) {
    this.options = options;
  }

  answer(server: URL, asked: LogRequest): void {
    this.readers += 1;
    this.send(server, asked)
      // The reader finds out by the silence; a plane that cannot be reached is said by the other
      // link.
      .catch(() => undefined)
      .finally(() => {
        this.readers -= 1;
      });
  }

  close(): void {
    this.closing.abort();
  }

  private async send(server: URL, asked: LogRequest): Promise<void> {
    const { signal } = this.closing;
    const found = findProcessLogs(this.options.folder, asked.replica)[asked.previous ? 1 : 0];
    if (found === undefined || this.readers > MOST_READERS) {
      const refusal =
        found === undefined ? noProcess(asked) : `The node already streams ${MOST_READERS} logs.`;
      await this.post(server, asked, { number: 0, refusal });
      return;
    }
    const files = [
      ...(asked.stream === "stderr" ? [] : [found.stdout]),
      ...(asked.stream === "stdout" ? [] : [found.stderr]),
    ];
    const isEnded = (): boolean => found.folder.state().kind === "ended";
    const { follow, tailLines } = asked;
    const wanted = timesWanted(asked, Date.now());
    const times = files.every(hasTimes) ? wanted : undefined;
    const isTimed = times !== undefined;
    let number = 0;
    for await (const bytes of readLog({ files, follow, tailLines, times, isEnded, signal })) {
      if (!(await this.post(server, asked, { number, bytes, isTimed }))) return;
      number += 1;
    }
    if (!signal.aborted) await this.post(server, asked, { number, isLast: true, isTimed });
  }

  /** Whether more is wanted. */
  private async post(server: URL, { id }: LogRequest, part: Part): Promise<boolean> {
    const { number, bytes = Buffer.alloc(0), isLast, isTimed, refusal } = part;
    const query = new URLSearchParams({ part: String(number) });
    if (isLast === true) query.set("last", "true");
    if (isTimed === true) query.set("times", "true");
    if (refusal !== undefined) query.set("refusal", refusal);
    const { status } = await this.options.caller.call({
      server,
      method: "POST",
      path: `/stream/logs/${id}?${query.toString()}`,
      bytes,
      signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(PATIENCE_MS)]),
    });
    return status === 200;
  }
}

interface Part {
  readonly number: number;
  readonly bytes?: Buffer;
  readonly isLast?: boolean;
  /** The times that were asked for have been obeyed. */
  readonly isTimed?: boolean;
  readonly refusal?: string;
}

function noProcess({ replica, previous }: LogRequest): string {
  return previous
    ? `${replica} has no earlier process on this node.`
    : `The logs of ${replica} were removed from its node.`;
}
