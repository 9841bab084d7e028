/** One reader of one log, from the request to its end, and the timeouts of both sides. */
import type { ServerResponse } from "node:http";
import type { ObjectKey } from "../../core/model/ids.ts";
import { ApiError, type ApiErrorCode } from "../errors.ts";
import type { ApiLimits } from "../http/limits.ts";

/** What an agent is asked for. */
export interface LogRequest {
  readonly replica: ObjectKey;
  readonly stream: "stdout" | "stderr" | "all";
  readonly follow: boolean;
  readonly previous: boolean;
  /** Left out: all there is. */
  readonly tailLines?: number;
  /** By the clock of the node, which the times of its lines are of, too. */
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly timestamps?: true;
}

export interface LogPart {
  /** Counted from 0, so that a part that was sent twice is taken once. */
  readonly number: number;
  readonly bytes: Buffer;
  readonly isLast: boolean;
  /** The agent obeyed what was asked about times; older agents and logs do not. */
  readonly isTimed?: boolean;
  /** Why there is no log, in a sentence; only in place of the first part. */
  readonly refusal?: string;
}

export interface LogReadingOptions {
  readonly node: string;
  readonly limits: Pick<ApiLimits, "logFirstMs" | "logSilenceMs" | "logSlowMs">;
  /** The most that the reader takes; left out: all there is. */
  readonly mostBytes?: number | undefined;
  readonly onEnded: () => void;
}

export class LogReading {
  readonly node: string;
  private readonly options: LogReadingOptions;
  private readonly begun = new Promised<LogPart>();
  private readonly opened = new Promised<ServerResponse>();
  private expected = 0;
  private leftBytes: number;
  private isEnded = false;
  private silence: NodeJS.Timeout;

  constructor(options: LogReadingOptions) {
    this.options = options;
    this.node = options.node;
    this.leftBytes = options.mostBytes ?? Number.POSITIVE_INFINITY;
    const { logFirstMs } = options.limits;
    this.silence = setTimeout(() => this.fail("agent-silent", this.silent(logFirstMs)), logFirstMs);
  }

  /**
   * The first part, before anything was said to the reader; rejects when there is no log to be had.
   */
  get first(): Promise<LogPart> {
    return this.begun.promise;
  }

  /** From here on parts go to the reader. */
  pipeTo(response: ServerResponse): void {
    response.writeHead(200, {
      "Content-Type": "text/plain; charset=utf-8",
      "Cache-Control": "no-cache",
    });
    response.flushHeaders();
    response.on("close", () => this.end());
    response.on("error", () => this.end());
    this.opened.resolve(response);
  }

  /** Resolves when the reader has taken the part. */
  async take(part: LogPart): Promise<void> {
    if (part.number < this.expected) return;
    if (part.number > this.expected) {
      throw new ApiError(
        "bad-request",
        `Expected part ${this.expected}, found part ${part.number}.`,
      );
    }
    this.expected += 1;
    clearTimeout(this.silence);
    if (part.refusal !== undefined) {
      this.fail("not-found", part.refusal);
      return;
    }
    if (part.number === 0) this.begun.resolve(part);
    const response = await this.opened.promise;
    const bytes = part.bytes.subarray(0, this.leftBytes);
    this.leftBytes -= bytes.length;
    await this.write(response, bytes);
    if (part.isLast || this.leftBytes === 0) {
      response.end();
      this.end();
    } else if (!this.isEnded) {
      // The headers are out, so all that is left to say is that it ends here.
      this.silence = setTimeout(() => this.cut(), this.options.limits.logSilenceMs);
    }
  }

  /** Ends it in the middle, as when the server stops. */
  cut(): void {
    this.fail("agent-silent", "The server is stopping.");
    void this.opened.promise.then(
      (response) => response.destroy(),
      () => undefined,
    );
  }

  /** The reader is gone, or has everything. */
  end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.silence);
    this.opened.reject(new ApiError("log-closed", "Stop sending it."));
    this.options.onEnded();
  }

  private write(response: ServerResponse, bytes: Buffer): Promise<void> {
    if (response.destroyed) throw new ApiError("log-closed", "Stop sending it.");
    if (bytes.length === 0 || response.write(bytes)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => response.destroy(), this.options.limits.logSlowMs);
      const settle = (act: () => void): void => {
        clearTimeout(slow);
        response.off("drain", drained);
        response.off("close", closed);
        act();
      };
      const drained = (): void => settle(resolve);
      const closed = (): void =>
        settle(() => reject(new ApiError("log-closed", "The reader was too slow or left.")));
      response.on("drain", drained);
      response.on("close", closed);
    });
  }

  private silent(ms: number): string {
    return `Node ${this.node} has not answered the log request for ${ms / 1000} s.`;
  }

  private fail(code: ApiErrorCode, detail: string): void {
    this.begun.reject(new ApiError(code, detail));
    this.end();
  }
}

/** Something that comes once, or is known never to come. */
class Promised<T> {
  readonly promise: Promise<T>;
  private settle: { resolve: (value: T) => void; reject: (error: Error) => void } | undefined;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.settle = { resolve, reject };
    });
    // A waiter is told; without one, that is no fault.
    this.promise.catch(() => undefined);
  }

  resolve(value: T): void {
    this.settle?.resolve(value);
  }
  reject(error: Error): void {
    this.settle?.reject(error);
  }
}
