/**
 * What a plane is made of: its log, its clock, its controllers, and who is told what becomes of it.
 */
import type { Controllers } from "./controllers.ts";
import type { HostClock } from "./host-clock.ts";
import type { PlanePort } from "./plane-port.ts";
import type { Recorder } from "./recording/recorder.ts";
import type { LogStore } from "./store/log-store.ts";
import type { SharedLog } from "./store/shared-log.ts";

export interface PlaneOptions {
  readonly name?: string;
  /** With `shared`, a log that other planes have, too; this plane follows it until it leads. */
  readonly store: LogStore;
  readonly shared?: { readonly log: SharedLog; readonly url: string };
  readonly clock?: HostClock;
  /** Makes the controllers this plane runs; called again for every chapter of the recording. */
  readonly createControllers?: () => Controllers;
  readonly recorder?: Recorder;
  /** Told when the store fails and when another plane has taken the log. */
  readonly onTrouble?: (message: string) => void;
  /** Another plane has taken a log that was this plane's own. */
  readonly onResigned?: () => void;
  /** A plane among several has begun to lead, or does so no longer. */
  readonly onLead?: (isLeading: boolean, at: Pick<PlanePort, "epoch" | "revision">) => void;
  /** The shown state went on from a snapshot: watchers missed the commits between. */
  readonly onLeap?: () => void;
}
