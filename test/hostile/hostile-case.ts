/**
 * A case of the fuzzer: requests in order, each with its caller, in a form that a file can keep. A body is a list of parts,
 * and a part may stand for many, so that a megabyte of keys is one line of a case file.
 */
export const CALLERS = ["mallory", "bob", "n2", "n3", "robot", "stranger"] as const;
/** Users `mallory` and `bob`, the agents of nodes n2 and n3, a controller, and a caller without a token. */
export type CallerName = (typeof CALLERS)[number];

/**
 * `{rev}` and `{rev+3}` become the plane's revision when the request is sent, `{token}` the caller's token.
 * Text; text that is repeated, where `{i}` is its number; or bytes.
 */
export type BodyPart =
  | string
  | { readonly text: string; readonly times: number }
  | { readonly base64: string };

export interface HostileRequest {
  readonly caller: CallerName;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: readonly BodyPart[];
  /**
   * `plain`: sent and read to the end. `half-body`: announces more than it sends, and waits. `unread`: the answer is not
   * read. `raw`: `body` is the whole request as bytes, on a socket of its own.
   */
  readonly how?: "plain" | "half-body" | "unread" | "raw";
  /** The next request is sent without waiting for this one's answer. */
  readonly isParallel?: true;
  /** Sent so often; `{n}` in its path and body is the number of the time. */
  readonly times?: number;
}

export interface HostileCase {
  readonly name: string;
  /** What it showed when it was kept; left out while it is only drawn. */
  readonly showed?: string;
  /** A kept case may also say which answers it must get, in order; left out: whatever the oracle allows. */
  readonly answers?: readonly (readonly number[])[];
  /** Text that the answer to each request must hold, in order. */
  readonly holds?: readonly string[];
  /** A batch of the honest tenant that is created afterwards, and must run. */
  readonly victim?: string;
  readonly requests: readonly HostileRequest[];
}

export function bodyBytes(parts: readonly BodyPart[] | undefined): Buffer {
  return Buffer.concat((parts ?? []).map(partBytes));
}

function partBytes(part: BodyPart): Buffer {
  if (typeof part === "string") return Buffer.from(part, "utf8");
  if ("base64" in part) return Buffer.from(part.base64, "base64");
  const { text, times } = part;
  const each = text.includes("{i}")
    ? Array.from({ length: times }, (_, index) => text.replaceAll("{i}", String(index))).join("")
    : text.repeat(times);
  return Buffer.from(each, "utf8");
}
