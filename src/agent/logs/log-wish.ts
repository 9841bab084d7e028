/** What a plane asks for when somebody wants to read the log of a replica of this node. */
import type { ObjectKey } from "../../core/model/ids.ts";

export interface LogWish {
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
export function parseLogWish(line: string): LogWish | undefined {
  // Nearly every line is news of replicas, and need not be parsed twice.
  if (!line.startsWith('{"log":')) return undefined;
  const { log } = JSON.parse(line) as { readonly log: LogWish };
  const isWish =
    /^[0-9a-f-]+$/.test(log.id) &&
    typeof log.replica === "string" &&
    (log.tailLines === undefined || Number.isSafeInteger(log.tailLines));
  if (!isWish) throw new Error(`its stream has an invalid log request: ${line.slice(0, 300)}`);
  return log;
}
