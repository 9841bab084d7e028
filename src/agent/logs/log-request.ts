/** What a plane asks for when somebody wants to read the log of a replica of this node. */
import type { ObjectKey } from "../../core/model/ids.ts";

export interface LogRequest {
  /** Names the path that the answer goes to. */
  readonly id: string;
  readonly replica: ObjectKey;
  readonly stream: "stdout" | "stderr" | "all";
  readonly follow: boolean;
  /** Of the process before the newest. */
  readonly previous: boolean;
  readonly tailLines?: number;
}

/** Undefined when the line of the stream is about something else. */
export function parseLogRequest(line: string): LogRequest | undefined {
  // Nearly every line is news of replicas, and need not be parsed twice.
  if (!line.startsWith('{"log":')) return undefined;
  const { log } = JSON.parse(line) as { readonly log: LogRequest };
  const isRequest =
    /^[0-9a-f-]+$/.test(log.id) &&
    typeof log.replica === "string" &&
    (log.tailLines === undefined || Number.isSafeInteger(log.tailLines));
  if (!isRequest) throw new Error(`its stream has an invalid log request: ${line.slice(0, 300)}`);
  return log;
}
