/**
 * Brings the two sides of a session together: asks the node's agent over the stream that the agent
 * keeps open, and waits for the connection that the agent opens for this one session. A session has
 * a name that cannot be guessed, and only the agent of its node may answer for it.
 */
import { randomUUID } from "node:crypto";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import { ApiError } from "../errors.ts";
import type { AgentLines } from "./agent-lines.ts";
import { Session } from "./session.ts";
import type { SessionLimits } from "./session-limits.ts";

/** What an agent is asked for. */
export type SessionRequest = { readonly replica: ObjectKey; readonly uid: string } & (
  | {
      readonly kind: "exec";
      readonly command: readonly string[];
      readonly stdin: boolean;
      readonly tty: boolean;
    }
  | { readonly kind: "forward"; readonly port: string }
);

/** Whose places it takes. */
export interface SessionPlace {
  readonly node: string;
  readonly tenant: string;
  readonly caller: string;
}

/** Between two looks whether this plane still leads. */
const LOOK_MS = 1_000;

interface Waiting {
  readonly node: string;
  readonly answered: (agent: WebSocketLink) => void;
  readonly refused: (error: ApiError) => void;
}

export class SessionRelay {
  private readonly limits: SessionLimits;
  private readonly lines: AgentLines;
  private readonly waiting = new Map<string, Waiting>();
  private readonly open = new Set<Session>();
  /** How many places are taken, by whose. */
  private readonly held = new Map<string, number>();
  private taken = 0;
  private readonly mayServe: () => boolean;
  private looks: NodeJS.Timeout | undefined;

  /** `mayServe`: whether this plane leads. Sessions of a plane that does not are ended. */
  constructor(limits: SessionLimits, lines: AgentLines, mayServe: () => boolean) {
    this.limits = limits;
    this.lines = lines;
    this.mayServe = mayServe;
  }

  /** Takes a place; the function that is returned gives it back, once. */
  take({ node, tenant, caller }: SessionPlace): () => void {
    const bounds = [
      { name: `caller ${caller}`, most: this.limits.sessionsPerCaller, whose: "The caller" },
      { name: `tenant ${tenant}`, most: this.limits.sessionsPerTenant, whose: `Tenant ${tenant}` },
      { name: `node ${node}`, most: this.limits.sessionsPerNode, whose: `Node ${node}` },
    ];
    const full =
      this.taken >= this.limits.sessions
        ? { whose: "The server", most: this.limits.sessions }
        : bounds.find(({ name, most }) => (this.held.get(name) ?? 0) >= most);
    if (full !== undefined) {
      const detail = `${full.whose} already has ${full.most} sessions: end one of them.`;
      throw new ApiError("too-many-requests", detail, { retryAfterSeconds: 1 });
    }
    const change = (by: 1 | -1): void => {
      this.taken += by;
      for (const { name } of bounds) {
        const count = (this.held.get(name) ?? 0) + by;
        if (count === 0) this.held.delete(name);
        else this.held.set(name, count);
      }
    };
    change(1);
    let isGiven = false;
    return () => {
      if (!isGiven) change(-1);
      isGiven = true;
    };
  }

  /** Throws where no agent could be asked. */
  checkAgent(node: string): void {
    if (this.lines.to(node) === undefined) throw notConnected(node);
  }

  /** Resolves with the agent's side. */
  ask(node: string, asked: SessionRequest): Promise<WebSocketLink> {
    const send = this.lines.to(node);
    if (send === undefined) throw notConnected(node);
    const id = randomUUID();
    const { sessionFirstMs } = this.limits;
    return new Promise<WebSocketLink>((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        act();
      };
      const late = `Node ${node} has not answered for ${sessionFirstMs / 1_000} s.`;
      const timer = setTimeout(
        () => settle(() => reject(new ApiError("agent-silent", late))),
        sessionFirstMs,
      );
      this.waiting.set(id, {
        node,
        answered: (agent) => settle(() => resolve(agent)),
        refused: (error) => settle(() => reject(error)),
      });
      send(Buffer.from(`${JSON.stringify({ session: { id, ...asked } })}\n`));
    });
  }

  /** The agent's connection for this session; throws when none is expected from it. */
  answer(id: string, node: string | undefined): Waiting {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) {
      throw new ApiError("session-closed", "Its client has left.");
    }
    if (node !== undefined && node !== waiting.node) {
      throw new ApiError(
        "not-allowed",
        `The agent of node ${node} answered for node ${waiting.node}.`,
      );
    }
    return waiting;
  }

  join(client: WebSocketLink, agent: WebSocketLink, onEnded: () => void): void {
    const { sessionIdleMs: idleMs, sessionMs: mostMs } = this.limits;
    const session = new Session(
      {
        idleMs,
        mostMs,
        onEnded: () => {
          this.open.delete(session);
          onEnded();
        },
      },
      client,
      agent,
    );
    this.open.add(session);
    this.looks ??= setInterval(() => this.look(), LOOK_MS);
    session.begin();
  }

  private look(): void {
    if (this.mayServe() && this.open.size > 0) return;
    clearInterval(this.looks);
    this.looks = undefined;
    for (const session of this.open) session.end("Another plane leads now: begin it again.");
  }

  close(): void {
    clearInterval(this.looks);
    for (const { refused } of this.waiting.values()) {
      refused(new ApiError("agent-silent", "The server is stopping."));
    }
    for (const session of this.open) session.end("The plane is stopping.");
  }
}

const notConnected = (node: string): ApiError =>
  new ApiError(
    "agent-silent",
    `The agent of node ${node}, which runs the replica, is not connected: \`berth describe node ${node}\` shows since when.`,
  );
