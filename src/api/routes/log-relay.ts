/**
 * Between the reader of a replica's log and the agent that has it: hands the request to the agent
 * over the stream that the agent keeps open anyway, and what the agent answers to the reader.
 *
 * The agent sends one part at a time and is answered when the reader has taken it, so a slow reader
 * slows its agent down and costs the plane one part. A request has a name that cannot be guessed
 * and that ends with it.
 */
import { randomUUID } from "node:crypto";
import { ApiError } from "../errors.ts";
import type { ApiLimits } from "../http/limits.ts";
import type { AgentLines } from "../sessions/agent-lines.ts";
import { type LogPart, LogReading, type LogRequest } from "./log-reading.ts";

type Limits = Pick<
  ApiLimits,
  | "logReaders"
  | "logReadersPerCaller"
  | "logReadersPerCallerAndNode"
  | "logFirstMs"
  | "logSilenceMs"
  | "logSlowMs"
>;

export class LogRelay {
  private readonly limits: Limits;
  private readonly lines: AgentLines;
  private readonly readings = new Map<string, LogReading>();
  /** How many logs a caller reads, under its name, and how many of a node, under both names. */
  private readonly held = new Map<string, number>();

  constructor(limits: Limits, lines: AgentLines) {
    this.limits = limits;
    this.lines = lines;
  }

  /** Asks the agent; throws when no agent is connected. */
  open(
    node: string,
    { mostBytes, ...asked }: LogRequest & { readonly mostBytes?: number },
    caller: string,
  ): LogReading {
    const send = this.lines.to(node);
    if (send === undefined) {
      throw new ApiError(
        "agent-silent",
        `The agent of node ${node}, which has the log, is not connected: \`berth describe node ${node}\` shows since when.`,
      );
    }
    const ofNode = JSON.stringify([caller, node]);
    this.checkRoom(node, { caller, ofNode });
    const id = randomUUID();
    this.hold([caller, ofNode], 1);
    const reading = new LogReading({
      node,
      limits: this.limits,
      mostBytes,
      onEnded: () => {
        this.readings.delete(id);
        this.hold([caller, ofNode], -1);
      },
    });
    this.readings.set(id, reading);
    send(Buffer.from(`${JSON.stringify({ log: { id, ...asked } })}\n`));
    return reading;
  }

  /**
   * A caller that follows many logs leaves places to others, here and at each agent, which knows no
   * callers.
   */
  private checkRoom(
    node: string,
    { caller, ofNode }: { readonly caller: string; readonly ofNode: string },
  ): void {
    const { logReaders, logReadersPerCaller, logReadersPerCallerAndNode } = this.limits;
    const own = this.held.get(caller) ?? 0;
    const ownOfNode = this.held.get(ofNode) ?? 0;
    const detail =
      this.readings.size >= logReaders
        ? `The server already streams ${logReaders} logs.`
        : own >= logReadersPerCaller
          ? `The caller already reads ${own} logs.`
          : ownOfNode >= logReadersPerCallerAndNode
            ? `The caller already reads ${ownOfNode} logs of node ${node}.`
            : undefined;
    if (detail === undefined) return;
    throw new ApiError("too-many-requests", detail, { retryAfterSeconds: 1 });
  }

  private hold(names: readonly string[], more: 1 | -1): void {
    for (const name of names) {
      const held = (this.held.get(name) ?? 0) + more;
      if (held === 0) this.held.delete(name);
      else this.held.set(name, held);
    }
  }

  /**
   * A part from the agent; resolves when the reader has taken it, throws when there is none any
   * more.
   */
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
