/**
 * The way to a log file, on this thread or on one of its own: requests go in, parts and one answer
 * come out, in the order of the requests. Everything that passes is plain and can go from thread to
 * thread.
 */
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { KeptPart } from "../backup/kept-log.ts";
import type { ChainHead } from "./chain-link.ts";
import type { LogPart } from "./load-log.ts";
import { type Batch, LogFile, type Misfit, type Taken } from "./log-file.ts";
import type { AppendResult, CopyTo } from "./log-store.ts";
import type { LogFileOptions } from "./open-log-file.ts";
import type { SnapshotHead } from "./snapshot-chunks.ts";
import { loadSqlite, type OpenDatabase } from "./sqlite-database.ts";

/** What can be asked of a log file, and what is answered. */
export interface LogCalls {
  readonly claim: { readonly ask: CopyTo | undefined; readonly answer: Taken };
  readonly append: { readonly ask: Batch; readonly answer: AppendResult | Misfit };
  readonly read: {
    readonly ask: { readonly from: Revision; readonly limit: number };
    readonly answer: Revision;
  };
  readonly addChunk: {
    readonly ask: { readonly epoch: Epoch; readonly at: number; readonly body: Uint8Array };
    readonly answer: AppendResult | Misfit;
  };
  readonly keepSnapshot: {
    readonly ask: { readonly by: Epoch; readonly chunks: number; readonly head: SnapshotHead };
    readonly answer: AppendResult | Misfit;
  };
  readonly dropSome: {
    readonly ask: { readonly epoch: Epoch };
    readonly answer: AppendResult | Misfit | "done";
  };
  readonly chainHead: { readonly ask: undefined; readonly answer: ChainHead | undefined };
  /** The next of all that is kept, as of when this copy was first asked for; nothing at its end. */
  readonly copySome: {
    readonly ask: { readonly copy: number };
    readonly answer: readonly KeptPart[];
  };
  readonly endCopy: { readonly ask: { readonly copy: number }; readonly answer: "done" };
  readonly close: { readonly ask: undefined; readonly answer: "closed" };
}

export type LogCallName = keyof LogCalls;
export type LogRequest = {
  [Name in LogCallName]: { readonly call: Name; readonly ask: LogCalls[Name]["ask"] };
}[LogCallName];
export type LogAnswer = LogCalls[LogCallName]["answer"];

export interface LogChannel {
  ask<Name extends LogCallName>(
    call: Name,
    ask: LogCalls[Name]["ask"],
    tell?: (part: LogPart) => void,
  ): Promise<LogCalls[Name]["answer"]>;
}

export function carryOut(
  log: LogFile,
  request: LogRequest,
  tell: (part: LogPart) => void,
): LogAnswer {
  switch (request.call) {
    case "claim":
      return log.claim(tell, request.ask);
    case "append":
      return log.append(request.ask);
    case "read":
      return log.read(request.ask, tell);
    case "addChunk":
      return log.addChunk(request.ask);
    case "keepSnapshot":
      return log.keepSnapshot(request.ask);
    case "dropSome":
      return log.dropSome(request.ask.epoch);
    case "chainHead":
      return log.chainHead();
    case "copySome":
      return log.copySome(request.ask.copy);
    case "endCopy":
      log.endCopy(request.ask.copy);
      return "done";
    case "close":
      log.close();
      return "closed";
  }
}

/** A channel on this thread: each request is done before anything else goes on. */
export async function openChannelHere(
  file: string,
  options: LogFileOptions,
  open?: OpenDatabase,
): Promise<LogChannel> {
  const log = new LogFile(open ?? (await loadSqlite()), file, options);
  return {
    async ask(call, ask, tell = () => {}) {
      await Promise.resolve();
      // The request's name and content came in as a pair; the compiler cannot keep them one.
      return carryOut(log, { call, ask } as LogRequest, tell);
    },
  };
}
