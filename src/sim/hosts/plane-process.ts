/**
 * One plane: an authority and what its host knows of it. All planes share one log; each shows a
 * prefix.
 */
import type { Authority } from "../../core/commit/authority.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
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
  /** Its place among planes that share the log; idle where there is only one. */
  readonly hosted = new HostedPlane();

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
