/**
 * A log file on a thread of its own, so that the plane goes on checking and answering while the
 * disk syncs. Bytes are handed over, not copied.
 */
import {
  isMainThread,
  type MessagePort,
  parentPort,
  type TransferListItem,
  type Worker,
  workerData,
} from "node:worker_threads";
import { startThread } from "../start-thread.ts";
import type { LogPart } from "./load-log.ts";
import {
  carryOut,
  type LogAnswer,
  type LogCallName,
  type LogCalls,
  type LogChannel,
  type LogRequest,
} from "./log-channel.ts";
import { LogFile } from "./log-file.ts";
import { LogDamaged, LogHeld, LogOfOtherFormat, LogUnavailable } from "./log-store.ts";
import type { LogFileOptions } from "./open-log-file.ts";
import { loadSqlite } from "./sqlite-database.ts";

/** Marks a thread as ours: tests run on threads too. */
const LOG_OF_THREAD = "berth-sqlite-log";

interface LogOfThread {
  readonly file: string;
  readonly options: LogFileOptions;
}

interface Numbered {
  readonly number: number;
  readonly request: LogRequest;
}

type Message =
  | { readonly kind: "open" }
  | { readonly kind: "part"; readonly number: number; readonly part: LogPart }
  | { readonly kind: "answer"; readonly number: number; readonly answer: LogAnswer }
  /** Errors lose their class on the way, so it travels as its name. Number 0 is the opening. */
  | {
      readonly kind: "error";
      readonly number: number;
      readonly name: string;
      readonly text: string;
    };

/** The thread is gone, and with it the answer to whatever was asked last. */
export class ThreadLost extends LogUnavailable {
  override readonly name = "ThreadLost";
}

interface Waiting {
  resolve(answer: LogAnswer): void;
  reject(error: Error): void;
  tell(part: LogPart): void;
}

export class LogThread implements LogChannel {
  private readonly worker: Worker;
  private readonly ended: Promise<unknown>;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;
  private lost: ThreadLost | undefined;

  constructor(worker: Worker) {
    this.worker = worker;
    worker.on("message", (message: Message) => this.hear(message));
    worker.on("error", (error) => this.lose(error));
    this.ended = new Promise((resolve) => {
      worker.on("exit", (code) => {
        this.lose(undefined);
        resolve(code);
      });
    });
  }

  /** Number 0 is the opening, which the thread begins by itself. */
  opened(): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.waiting.set(0, { resolve, reject, tell: () => {} });
    });
  }

  async ask<Name extends LogCallName>(
    call: Name,
    ask: LogCalls[Name]["ask"],
    tell: (part: LogPart) => void = () => {},
  ): Promise<LogCalls[Name]["answer"]> {
    const answer = await this.send(call, ask, tell);
    // Only the end of the thread frees the file for certain.
    if (call === "close") await this.ended;
    return answer;
  }

  private send<Name extends LogCallName>(
    call: Name,
    ask: LogCalls[Name]["ask"],
    tell: (part: LogPart) => void,
  ): Promise<LogCalls[Name]["answer"]> {
    return new Promise((resolve, reject) => {
      if (this.lost !== undefined) {
        // Nothing was sent, so this is no loss but plainly unavailable.
        reject(new LogUnavailable(this.lost.message));
        return;
      }
      this.asked += 1;
      const message: Numbered = { number: this.asked, request: { call, ask } as LogRequest };
      this.waiting.set(this.asked, { resolve, reject, tell });
      this.worker.postMessage(message, bytesOf(ask));
    });
  }

  private hear(message: Message): void {
    const number = message.kind === "open" ? 0 : message.number;
    const waiting = this.waiting.get(number);
    if (waiting === undefined) return;
    if (message.kind === "part") {
      waiting.tell(message.part);
      return;
    }
    this.waiting.delete(number);
    if (message.kind === "error") waiting.reject(revive(message));
    else waiting.resolve(message.kind === "open" ? "done" : message.answer);
  }

  private lose(error: unknown): void {
    const why = error instanceof Error ? error.message : "it ended";
    this.lost ??= new ThreadLost(
      `Cannot reach the log: the writer thread has ended (${why}). Restart the plane; no durable commit is lost.`,
    );
    for (const waiting of this.waiting.values()) waiting.reject(this.lost);
    this.waiting.clear();
  }
}

export async function openChannelOnThread(
  file: string,
  options: LogFileOptions,
): Promise<LogChannel> {
  const log: LogOfThread = { file, options };
  const channel = new LogThread(startThread(new URL(import.meta.url), { [LOG_OF_THREAD]: log }));
  await channel.opened();
  return channel;
}

const CLASSES = { LogDamaged, LogHeld, LogOfOtherFormat, LogUnavailable };

function revive({ name, text }: { readonly name: string; readonly text: string }): Error {
  const Class = CLASSES[name as keyof typeof CLASSES] ?? Error;
  return new Class(text);
}

/** What can be handed over without a copy: whole buffers, not parts of a shared one. */
function bytesOf(of: object | undefined): TransferListItem[] {
  if (of === undefined || !("body" in of) || !(of.body instanceof Uint8Array)) return [];
  const { buffer, byteLength } = of.body;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

async function serve({ file, options }: LogOfThread, port: MessagePort): Promise<void> {
  const say = (message: Message, bytes: TransferListItem[] = []): void =>
    port.postMessage(message, bytes);
  const fail = (number: number, error: unknown): void => {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    say({ kind: "error", number, name, text: message });
  };
  let log: LogFile;
  try {
    log = new LogFile(await loadSqlite(), file, options);
  } catch (error) {
    fail(0, error);
    return;
  }
  port.on("message", ({ number, request }: Numbered) => {
    try {
      const tell = (part: LogPart): void => say({ kind: "part", number, part }, bytesOf(part));
      say({ kind: "answer", number, answer: carryOut(log, request, tell) });
      // Nothing more will be asked; the thread ends when nothing keeps it.
      if (request.call === "close") port.close();
    } catch (error) {
      fail(number, error);
    }
  });
  say({ kind: "open" });
}

function logOfThisThread(): LogOfThread | undefined {
  if (isMainThread || typeof workerData !== "object" || workerData === null) return undefined;
  return (workerData as { readonly [LOG_OF_THREAD]?: LogOfThread })[LOG_OF_THREAD];
}

const logOfThread = logOfThisThread();
if (logOfThread && parentPort) void serve(logOfThread, parentPort);
