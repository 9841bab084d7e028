/**
 * One plane: an authority and what its host knows of it. All planes share one log; each shows a
 * prefix.
 */
import type { Authority } from "../../core/commit/authority.ts";
import type { AuthorityInput, Request } from "../../core/kernel/component.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { Reply } from "../../core/protocol/outcome.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { ComponentProcess } from "./component-process.ts";
import type { Message } from "./message.ts";
import { HostedPlane } from "./hosted-plane.ts";

export class PlaneProcess extends ComponentProcess {
  component: Authority | undefined;
  /** Set once the log was read under `epoch`: only then can it be listed and watched. */
  isLoaded = false;
  epoch: Epoch = 0;
  /** How far watchers may see: what it loaded plus what it published since. */
  published: Revision = 0;
  /** Counts appends over the whole run; `append-unknown` faults name them by this. */
  appends = 0;
  /** Counts claims over the whole run, to key their latencies. */
  claims = 0;
  /** True time since which a higher epoch exists; -1 while this plane's is the highest. */
  deposedSinceMs = -1;
  /** Requests in hand, by the call number the host gave them. */
  readonly inHand = new Map<number, Message>();
  /** Requests of its own process, which no network loses, by numbers that no client has. */
  private readonly own = new Map<number, (reply: Reply) => void>();
  private ownCalls = 0;
  /** Its place among planes that share the log; idle where there is only one. */
  readonly hosted = new HostedPlane();

  /** What its authority is told of a request from its own process. */
  ownRequest(request: Request, answered: (reply: Reply) => void): AuthorityInput {
    const call = --this.ownCalls;
    this.own.set(call, answered);
    return { kind: "request", from: this.name, call, request };
  }

  /** Whether the reply was to a request of its own process. */
  answersItself(call: number, reply: Reply): boolean {
    const answered = this.own.get(call);
    this.own.delete(call);
    answered?.(reply);
    return answered !== undefined;
  }

  override beginIncarnation(): void {
    super.beginIncarnation();
    this.own.clear();
  }

  /** Whether it can be listed and watched. */
  get serves(): boolean {
    return this.up && this.isLoaded && !this.hosted.isPaused;
  }

  /** Who follows shows its own ledger: what it has folded wrong, it shows wrong. */
  followedAt(revision: Revision): ObjectIndex | undefined {
    const { component } = this;
    if (component === undefined || component.isLeading) return undefined;
    return component.ledger.revision === revision ? component.ledger.objects : undefined;
  }
}
