/**
 * How a process is run and how it is found to be ready. Only the agent's driver looks at any of
 * this.
 */
import type { SecretRefs } from "./secret/secret-refs.ts";
import type { DriverName } from "./node/driver-name.ts";

/** What runs the command; left out: whatever its node usually takes. */
export interface Driven {
  readonly driver?: DriverName;
}

/** Whom the process reaches: as its node does, other machines alone, or nothing. */
export const NETWORKS = ["node", "outbound", "none"] as const;
export type Network = (typeof NETWORKS)[number];

/**
 * How the process is run, beyond its command. No decision looks at any of this but the agent's
 * driver.
 */
export interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Environment variables whose values are in secrets. Left out: none. */
  readonly secretEnv?: SecretRefs;
  /** Private files in memory, by their names. Left out: none. */
  readonly secretFiles?: SecretRefs;
  /** For whom the token is by which the process says who it is. Left out: it gets none. */
  readonly identity?: readonly string[];
  /** Empty: a folder of the replica's own. */
  readonly workingDir: string;
  /** Empty: the user of the agent. */
  readonly user: string;
  /** Names of the ports it wants; the agent picks free ones and passes them in the environment. */
  readonly ports: readonly string[];
  /** By digest; left out: its node's own files. */
  readonly image?: string;
  /** It may change the files of its image, for itself. Left out: it may not. */
  readonly writable?: boolean;
  /** Left out: that of its node. */
  readonly network?: Network;
  /** Between asking a process to stop and killing it. */
  readonly stopGraceMs: number;
  /**
   * How many words at the end of `command` were written as its arguments; only the API tells them
   * apart.
   */
  readonly argCount?: number;
}

export type ProbeAction =
  | { readonly kind: "http"; readonly port: string; readonly path: string }
  | { readonly kind: "tcp"; readonly port: string }
  | { readonly kind: "exec"; readonly command: readonly string[] };

/** How the agent's driver finds out whether a process is ready. Without one, running is ready. */
export interface Probe {
  readonly action: ProbeAction;
  readonly timeoutMs: number;
}

/**
 * Where a process tells how many requests it has answered, in Prometheus' text format. Without it
 * agents see none.
 */
export interface MetricsPage {
  readonly port: string;
  readonly path: string;
  /** The name of the counter; all of its series count. */
  readonly requests: string;
}
