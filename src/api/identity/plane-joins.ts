/**
 * The uses of bootstrap tokens in the log, where every plane and every restart finds them. A use is
 * durable before its certificate is handed out. The same agent may ask again with the same key,
 * because the answer to it may have been lost.
 */
import { joinOperation } from "../../core/protocol/operations.ts";
import { joinKey, type JoinUse, whyNoJoin } from "../../core/model/node/join.ts";
import type { Uid } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { ApiError } from "../errors.ts";
import { writerOf } from "../http/acting-caller.ts";
import type { Caller } from "../http/caller.ts";
import { notLeading } from "../http/status-error.ts";
import type { SignedNode } from "./node-signer.ts";

export class PlaneJoins {
  private readonly plane: Pick<PlanePort, "objects" | "submit">;

  constructor(plane: Pick<PlanePort, "objects" | "submit">) {
    this.plane = plane;
  }

  /** A deleted node does not come back with the token by which it came. */
  checkNotUsedUp({ joins }: Caller): void {
    if (joins === undefined || this.usesOf(joins.token).length < joins.uses) return;
    throw usedUp("it was used before");
  }

  async use(caller: Caller, { name: node, uid: of }: SignedNode, keyId: string): Promise<void> {
    const { joins } = caller;
    if (joins === undefined) return;
    const { token, uses } = joins;
    const use = { node, uid: of as Uid, keyId };
    const known = this.usesOf(token);
    const why = whyNoJoin(known, use, uses);
    if (why !== undefined) throw usedUp(why);
    if (known.some((each) => each.node === node && each.uid === of)) return;
    const { actor } = writerOf(caller);
    const operation = joinOperation(token, use);
    const intent = { kind: "join", operation, token, uses, ...use } as const;
    const reply = await this.plane.submit(intent, actor);
    if (reply.kind !== "outcome") throw notLeading();
    const { outcome } = reply;
    if (outcome.kind === "committed" || outcome.kind === "duplicate") return;
    throw usedUp(outcome.code === "join-used" ? String(outcome.actual) : outcome.code);
  }

  private usesOf(token: string): readonly JoinUse[] {
    const join = this.plane.objects.get(joinKey(token));
    return join?.kind === "Join" ? join.status.uses : [];
  }
}

function usedUp(why: string): ApiError {
  const message = `The bootstrap token is no good: ${why}. Make another with \`berth token create\`.`;
  return new ApiError("not-allowed", message);
}
