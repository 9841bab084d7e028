/**
 * What an agent asks for before it starts a process that needs secrets, and how it waits for them.
 * The values are the shell's: the agent's logic only knows that they are there (SE12).
 */
import type { ClientEffect } from "../kernel/component.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";
import { secretRefsOf } from "../model/secret/secret-refs.ts";
import { type Decision, type Look, wait } from "../protocol/decision.ts";
import { secretsOperation } from "../protocol/operations.ts";
import type { Reply } from "../protocol/outcome.ts";

/** No answer within this time: the request or its answer is lost. */
const ANSWER_MS = 2_000;
/** Withheld, or not to be had from the plane at the moment. */
const AGAIN_MS = 2_000;
/**
 * A secret that went after the replica was bound: from then on its place is for others, and it
 * waits in the queue.
 */
const PATIENCE_MS = 30_000;

interface Asked {
  readonly incarnation: number;
  readonly sinceMs: number;
  call: number;
  againMs: number;
  state: "asked" | "given" | "withheld";
  said: string;
}

/** `over`: it has waited for long enough. */
export type SecretsWait = Decision | "ready" | "over";

export class SecretAsks {
  private readonly asked = new Map<ObjectKey, Asked>();

  forget(replica: ObjectKey): void {
    this.asked.delete(replica);
  }

  /** Asks for what the replica lacks. `session` is the agent's. */
  look(
    replica: Replica,
    of: {
      readonly look: Look;
      readonly node: string;
      readonly session: number;
      readonly takeCall: () => number;
      readonly effects: { push(effect: ClientEffect): void };
    },
  ): SecretsWait {
    if (secretRefsOf(replica.spec.template).length === 0) return "ready";
    const { key, meta, status } = replica;
    const { now } = of.look;
    const { incarnation } = status;
    const known = this.asked.get(key);
    const before = known?.incarnation === incarnation ? known : undefined;
    if (before?.state === "given") return "ready";
    if (before?.state === "withheld" && now - before.sinceMs >= PATIENCE_MS) return "over";
    if (before !== undefined && now < before.againMs) return waitFor(before);
    const call = of.takeCall();
    const ask = { replica: key, uid: meta.uid, incarnation, node: of.node, session: of.session };
    const actor = { role: "agent", name: `agent:${of.node}` } as const;
    const asking = { operation: secretsOperation(ask), actor, attempt: 1 };
    of.effects.push({
      kind: "request",
      call,
      request: { kind: "lookup", ...asking, secrets: ask },
    });
    const again = { call, againMs: now + ANSWER_MS, state: "asked" } as const;
    const asked: Asked =
      before === undefined
        ? { incarnation, sinceMs: now, said: "the plane", ...again }
        : Object.assign(before, again);
    this.asked.set(key, asked);
    return waitFor(asked);
  }

  /** The replica that the answer is about; undefined: no answer to a question of this agent. */
  heard(call: number, reply: Reply, nowMs: number): ObjectKey | undefined {
    for (const [replica, asked] of this.asked) {
      if (asked.call !== call || asked.state !== "asked") continue;
      if (reply.kind === "secrets" && reply.decided.kind === "given") asked.state = "given";
      else {
        asked.againMs = nowMs + AGAIN_MS;
        if (reply.kind === "secrets" && reply.decided.kind === "withheld") {
          asked.state = "withheld";
          asked.said = String(reply.decided.because.expected);
        }
      }
      return replica;
    }
    return undefined;
  }
}

const waitFor = ({ againMs, said }: Asked): Decision =>
  wait({
    reason: "secret-missing",
    wakes: [],
    deadlineMs: againMs,
    because: { summary: `the start waits for ${said}` },
  });
