/** What a plane asks for when somebody wants to read the log of a replica of this node. */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { TimesWanted } from "./timed-lines.ts";

export interface LogRequest {
  /** Names the path that the answer goes to. */
  readonly id: string;
  readonly replica: ObjectKey;
  readonly stream: "stdout" | "stderr" | "all";
  readonly follow: boolean;
  /** Of the process before the newest. */
  readonly previous: boolean;
  readonly tailLines?: number;
  /** Before now, by this node's clock. */
  readonly sinceSeconds?: number;
  /** RFC 3339. */
  readonly sinceTime?: string;
  readonly timestamps?: boolean;
}

/** Undefined when the line of the stream is about something else. */
export function parseLogRequest(line: string): LogRequest | undefined {
  // Nearly every line is news of replicas, and need not be parsed twice.
  if (!line.startsWith('{"log":')) return undefined;
  const { log } = JSON.parse(line) as { readonly log: LogRequest };
  const isRequest =
    /^[0-9a-f-]+$/.test(log.id) &&
    typeof log.replica === "string" &&
    (log.tailLines === undefined || Number.isSafeInteger(log.tailLines)) &&
    (log.sinceSeconds === undefined || Number.isSafeInteger(log.sinceSeconds)) &&
    (log.sinceTime === undefined || !Number.isNaN(Date.parse(log.sinceTime)));
  if (!isRequest) throw new Error(`its stream has an invalid log request: ${line.slice(0, 300)}`);
  return log;
}

const NS_PER_MS = 1_000_000n;

/** What the request wants of times; undefined when it asks for none. */
export function timesWanted(asked: LogRequest, nowMs: number): TimesWanted | undefined {
  const { sinceSeconds, sinceTime, timestamps } = asked;
  const isShown = timestamps === true;
  if (sinceSeconds !== undefined) {
    return { isShown, sinceNs: BigInt(nowMs) * NS_PER_MS - BigInt(sinceSeconds) * 1_000_000_000n };
  }
  if (sinceTime !== undefined) return { isShown, sinceNs: momentNs(sinceTime) };
  return isShown ? { isShown } : undefined;
}

/** Clients go on at the time of the last line, of which Date keeps milliseconds only. */
function momentNs(text: string): bigint {
  const digits = /\.(\d{1,9})/.exec(text)?.[1] ?? "";
  const second = Math.floor(Date.parse(text) / 1_000);
  return BigInt(second) * 1_000_000_000n + BigInt(digits.padEnd(9, "0"));
}
