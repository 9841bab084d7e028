/**
 * One session between a client and a replica: carries messages between the client's connection and
 * that of the node's agent. The first byte of a message is its channel, as Kubernetes numbers them.
 * Each side may send only on its own channels, no faster than the other side reads, and the end of
 * either side ends the other.
 */
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import { CHANNELS, failureStatus } from "../../shell/web-socket/channels.ts";

export interface SessionOf {
  readonly idleMs: number;
  readonly mostMs: number;
  readonly onEnded: () => void;
}

const FROM_CLIENT: ReadonlySet<number> = new Set([CHANNELS.stdin, CHANNELS.resize, CHANNELS.close]);
const FROM_AGENT: ReadonlySet<number> = new Set([
  CHANNELS.stdout,
  CHANNELS.stderr,
  CHANNELS.error,
  CHANNELS.close,
]);

export class Session {
  private readonly of: SessionOf;
  private readonly client: WebSocketLink;
  private readonly agent: WebSocketLink;
  private readonly idle: NodeJS.Timeout;
  private readonly longest: NodeJS.Timeout;
  private isEnded = false;
  private isTold = false;

  constructor(of: SessionOf, client: WebSocketLink, agent: WebSocketLink) {
    this.of = of;
    this.client = client;
    this.agent = agent;
    this.idle = setTimeout(
      () => this.end(`The session was idle for ${of.idleMs / 60_000} minutes.`),
      of.idleMs,
    );
    this.longest = setTimeout(
      () => this.end(`The session lasted ${of.mostMs / 3_600_000} hours, which is the limit.`),
      of.mostMs,
    );
  }

  begin(): void {
    const { client, agent } = this;
    this.carry(client, agent, FROM_CLIENT);
    this.carry(agent, client, FROM_AGENT);
    client.onEnd = () => this.end("The client has left.");
    agent.onEnd = (reason) => this.end(`The agent ended the session: ${reason}.`);
    if (client.isOver) this.end("The client has left.");
    if (agent.isOver) this.end("The agent has left.");
    agent.begin();
    client.begin();
  }

  /** The client is told why, unless the agent has said how it ended. */
  end(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.idle);
    clearTimeout(this.longest);
    if (!this.isTold) this.client.send(failureStatus(reason));
    this.client.close(1000);
    this.agent.close(1000);
    this.of.onEnded();
  }

  private carry(from: WebSocketLink, to: WebSocketLink, allowed: ReadonlySet<number>): void {
    from.onMessage = (message) => {
      const [channel] = message;
      if (channel === undefined || !allowed.has(channel)) return;
      // Empty messages only open a channel: some clients send one for each.
      if (message.length > 1) this.idle.refresh();
      if (channel === CHANNELS.error) this.isTold = true;
      if (!to.send(message)) from.pause();
    };
    to.onDrain = () => from.resume();
  }
}
