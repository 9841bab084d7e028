/**
 * One way to run a replica's command: as a plain process, in a sandbox, from an image. A driver
 * makes what the command needs and says which words run it; its shim, leash, cgroups, logs, claim
 * and re-adoption are the supervisor's and the same for all, so that no driver can lose a fence.
 */
import type { DriverName } from "../../core/model/node/driver-name.ts";
import type { RunOptions } from "../../core/model/run-options.ts";
import type { ProcessFolder, ProcessRecord } from "../process/process-folder.ts";
import type { RunAs } from "../process/run-as.ts";

export interface Driver {
  readonly name: DriverName;
  /** What the machine lacks for it, such as a tool; empty: it can run replicas. */
  readonly missing: readonly string[];
  /** Throws what keeps this node from running it, in a sentence, and leaves nothing then. */
  settle(of: Order): Promise<Place>;
  /** Makes what the command needs; the record is written after it, and then the shim begins. */
  prepare(of: Making): void;
  /** What the launch becomes: its process is the leader, and ends with the command's exit code. */
  start(of: Command): readonly string[];
  /** What runs another command where the replica runs, such as a probe's or a session's. */
  inside(of: Command): readonly string[];
  /** Whether the command itself runs: what leads to it must not be asked to stop. */
  hasBegun(of: Pick<Command, "folder" | "record">): boolean;
  /** A process of an earlier agent goes on: what it has of this driver stays its own. */
  adopt(record: ProcessRecord): void;
  /** Nothing of it runs any more: what was made goes. Also called for what never ran. */
  clean(record: ProcessRecord, folder: ProcessFolder): void;
}

/** What is asked of a driver. */
export interface Order {
  readonly run: RunOptions;
  readonly folder: ProcessFolder;
  /** The size of the disk that it asks for. */
  readonly disk?: string;
}

/** Who the command runs as, and where it begins, as it sees it itself. */
export interface Place {
  /** Left out: as the agent. */
  readonly runAs?: RunAs;
  readonly workingDir: string;
  /** Where the replica finds its private files. */
  readonly filesDir: string;
  /** The image that it runs in. */
  readonly image?: string;
}

export interface Making {
  readonly folder: ProcessFolder;
  readonly record: ProcessRecord;
  readonly run: RunOptions;
  /** The shell script that makes its surroundings. */
  readonly environment: string;
  /** The same for a driver that needs no shell. */
  readonly surroundings: {
    readonly variables: Readonly<Record<string, string>>;
    readonly workingDir: string;
  };
  readonly command: readonly string[];
}

export interface Command {
  readonly folder: ProcessFolder;
  readonly record: ProcessRecord;
  readonly command: readonly string[];
}
