/** One plane: an authority and what its host knows of it. All planes share one log; each shows a prefix. */
import type { AuthorityEffect, AuthorityInput, Component } from "../core/kernel/component.ts";
import type { Epoch, Revision } from "../core/model/ids.ts";
import { ComponentProcess } from "./component-process.ts";
import type { Message } from "./message.ts";

export class PlaneProcess extends ComponentProcess {
  component: Component<AuthorityInput, AuthorityEffect> | undefined;
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
}
