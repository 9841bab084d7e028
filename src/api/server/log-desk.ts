/**
 * Between whoever reads a replica's log and the agent that has it: hands the wish to the agent over the
 * stream that the agent keeps open anyway, and what the agent answers to the reader.
 *
 * The agent sends one part at a time and is answered when the reader has taken it, so a slow reader slows its
 * agent down and costs the plane one part. A wish has a name that nobody can guess and that ends with it.
 */
import { randomUUID } from "node:crypto";
import { ApiError } from "../errors.ts";
import type { ApiLimits } from "./limits.ts";
import { type LogPart, LogReading, type LogWish } from "./log-reading.ts";

type Limits = Pick<ApiLimits, "logReaders" | "logFirstMs" | "logSilenceMs" | "logSlowMs">;

export class LogDesk {
  private readonly limits: Limits;
  /** Node → its agent's streams, the newest last: an agent that came back may not have lost the old one yet. */
  private readonly agents = new Map<string, ((line: Buffer) => void)[]>();
  private readonly readings = new Map<string, LogReading>();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /** An agent's stream is there; the function that is returned says that it is gone. */
  attach(node: string, send: (line: Buffer) => void): () => void {
    const streams = this.agents.get(node) ?? [];
    this.agents.set(node, [...streams, send]);
    return () => {
      const left = (this.agents.get(node) ?? []).filter((other) => other !== send);
      if (left.length === 0) this.agents.delete(node);
      else this.agents.set(node, left);
    };
  }

  /** Asks the agent; throws when nobody can be asked. */
  open(node: string, wish: LogWish): LogReading {
    const send = this.agents.get(node)?.at(-1);
    if (send === undefined) {
      throw new ApiError(
        "agent-silent",
        `The agent of node ${node} is not connected, and the log is there. \`berth describe node ${node}\` says since when.`,
      );
    }
    if (this.readings.size >= this.limits.logReaders) {
      const detail = `${this.limits.logReaders} logs are being read already.`;
      throw new ApiError("too-many-requests", detail, { retryAfterSeconds: 1 });
    }
    const id = randomUUID();
    const reading = new LogReading({
      node,
      limits: this.limits,
      onEnded: () => void this.readings.delete(id),
    });
    this.readings.set(id, reading);
    send(Buffer.from(`${JSON.stringify({ log: { id, ...wish } })}\n`));
    return reading;
  }

  /** A part from the agent; resolves when the reader has taken it, throws when there is none any more. */
  async answer(
    id: string,
    part: LogPart,
    from: { readonly node: string | undefined },
  ): Promise<void> {
    const reading = this.readings.get(id);
    if (reading === undefined) throw new ApiError("log-closed", "Stop sending it.");
    if (from.node !== undefined && from.node !== reading.node) {
      throw new ApiError(
        "not-allowed",
        `The agent of node ${from.node} answered for node ${reading.node}.`,
      );
    }
    await reading.take(part);
  }

  close(): void {
    for (const reading of this.readings.values()) reading.cut();
  }
}
