/**
 * What the shells around a plane (HTTP API, in-process clients, tests) may ask of it. Reads come
 * from what is published, that is durable; writes go to the authority and are answered once
 * durable.
 */
import type { Intent } from "../core/protocol/command.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import type { Request } from "../core/kernel/component.ts";
import type { Actor } from "../core/model/actor.ts";
import type { Epoch, Revision } from "../core/model/ids.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Owed } from "../core/runner/runner.ts";
import type { DecisionLog } from "./decision-log.ts";
import type { Tried } from "./dry-run.ts";
import type { PastLog } from "./past-log.ts";
import type { PlaneMeter } from "./plane-meter.ts";
import type { PlaneAddress } from "./store/shared-log.ts";

export interface PlanePort {
  /** Everything durable, as of `revision`. Do not hold on to it across turns: it moves on. */
  readonly objects: ObjectIndex;
  readonly revision: Revision;
  readonly epoch: Epoch;
  /** Whether it may check at this moment; false as soon as another plane could. */
  readonly isLeading: boolean;
  /** Whether other planes have the same log, so that one that does not lead has somebody to ask. */
  readonly isShared: boolean;
  /** The plane that leads, when that is another. */
  readonly leader: PlaneAddress | undefined;
  /**
   * A revision that nothing acknowledged by any plane before this call lies after. Who waits until
   * `revision` has come so far reads nothing stale. Rejects while the log cannot be reached.
   */
  newest(): Promise<Revision>;

  /**
   * Sends an intent under the present epoch. Resolves with the authority's answer, durable if it
   * says so.
   */
  submit(intent: Intent, actor: Actor): Promise<Reply>;
  /** What the authority would say now, without anything event. */
  dryRun(intent: Intent, actor: Actor): Tried;
  /** Hands on a request that carries its own epoch (agents, remote controllers). */
  request(from: string, request: Request): Promise<Reply>;

  /**
   * Commits after `from`, oldest first, with `before` and `after`; undefined when `from` is older
   * than what is kept in memory (410 Expired to a watcher). Without `from`, all that is kept.
   */
  since(from?: Revision): readonly Commit[] | undefined;
  /** Called after every publish, in revision order; returns how to stop. */
  onPublish(listener: (commits: readonly Commit[], to: Revision) => void): () => void;

  /** What the log tells of before, in memory and in the store. */
  readonly past: PastLog;

  /**
   * What each controller last concluded about each key, for explanations, and what it owes it now.
   */
  readonly decisions: Pick<DecisionLog, "about" | "onAdd" | "owedAbout" | "onOwed">;
  /** What it has done so far, in numbers. */
  readonly meter: PlaneMeter;
  /** What is being waited for, by each controller of this plane. */
  owed(): readonly (Owed & { readonly controller: string })[];
}
