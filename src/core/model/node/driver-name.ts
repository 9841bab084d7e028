/** How a node runs a command: the names that templates and nodes use. */

export const DRIVER_NAMES = ["sandbox", "image", "process"] as const;
export type DriverName = (typeof DRIVER_NAMES)[number];

/** A driver that a node allows. */
export interface NodeDriver {
  readonly name: DriverName;
  /** Why its machine cannot run it, such as a tool that it lacks; left out: it can. */
  readonly lacks?: string;
  /** Why it gives no replica room on a disk; left out: it does, or it cannot run anyway. */
  readonly lacksDisk?: string;
}

/** Of a node whose agent says nothing of drivers. */
export const PLAIN_DRIVERS: readonly NodeDriver[] = [{ name: "process" }];
