/**
 * What the messages of a session mean, as in Kubernetes' `v5.channel.k8s.io`: the first byte is the
 * channel. The last message of a session is a Status on the error channel.
 */
export const CHANNELS = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  error: 3,
  resize: 4,
  /** The second byte names the channel whose end it is. */
  close: 255,
} as const;

/** Those with which kubectl and its kin speak; the newest first. */
export const PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io"] as const;

export const onChannel = (channel: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([channel]), bytes]);

export interface SessionStatus {
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: { readonly causes: readonly { reason: string; message: string }[] };
}

const statusMessage = (status: SessionStatus): Buffer =>
  onChannel(CHANNELS.error, Buffer.from(JSON.stringify({ metadata: {}, ...status })));

export const failureStatus = (message: string): Buffer =>
  statusMessage({ status: "Failure", reason: "InternalError", message });

/** How a command ended; other codes than 0 as kubectl reads them. */
export function exitStatus(code: number): Buffer {
  if (code === 0) return statusMessage({ status: "Success" });
  return statusMessage({
    status: "Failure",
    reason: "NonZeroExitCode",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  });
}

/** What a message on the error channel says; it comes from a node, and may be anything. */
export function readStatus(message: Buffer): SessionStatus {
  try {
    const read = JSON.parse(message.subarray(1).toString("utf8")) as Partial<SessionStatus>;
    const status = read.status === "Success" ? "Success" : "Failure";
    const text = typeof read.message === "string" ? read.message : "The session failed.";
    const causes = Array.isArray(read.details?.causes) ? read.details.causes : [];
    return { status, message: text, details: { causes } };
  } catch {
    return { status: "Failure", message: "The node ended the session with an unreadable status." };
  }
}

/** Undefined: no command ended; the message says what happened. */
export function exitCodeOf(status: SessionStatus): number | undefined {
  if (status.status === "Success") return 0;
  const cause = status.details?.causes.find((each) => each?.reason === "ExitCode");
  const code = Number(cause?.message);
  return Number.isSafeInteger(code) && code > 0 && code < 256 ? code : undefined;
}
