/**
 * How a run begins and who takes part: with an empty log that people fill, or with a fleet that is
 * there already. The engine runs either in the same way.
 */
import type { ClientHost } from "./hosts/client-host.ts";
import type { NodeHost } from "./hosts/node-host.ts";
import type { PlaneHosting } from "./hosts/plane-hosting.ts";
import type { Sim } from "./sim.ts";
import type { Cast } from "./world/cast.ts";

export interface Staging {
  cast(sim: Sim): Cast;
  /** Before the planes begin: the log, and events that come first among those of their time. */
  prepare(stage: Stage): void;
  /** After the planes: everything else starts. */
  start(stage: Stage): void;
}

export interface Stage {
  readonly sim: Sim;
  readonly cast: Cast;
  readonly planes: PlaneHosting;
  readonly clients: ClientHost;
  readonly nodes: NodeHost;
}
