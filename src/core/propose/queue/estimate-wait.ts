/** How long a wait may take. It says what it rests on, because it is a guess and not a promise. */
import type { Lately } from "./departures.ts";

export interface WaitEstimate {
  /** Left out: nothing is known that would end the wait. */
  readonly estimateMs?: number;
  /** Nine of ten such waits took no longer; left out: too few have ended to say. */
  readonly upToMs?: number;
  readonly basis: string;
}

/** As if room came free as it did lately, and went to one after the other. */
export function estimateWait(replicasAhead: number, { freed, withinMs }: Lately): WaitEstimate {
  const time = timeText(withinMs);
  if (freed === 0) return { basis: `no replica left a node in the last ${time}` };
  const left = `${freed} ${freed === 1 ? "replica" : "replicas"} left a node in the last ${time}`;
  return {
    estimateMs: Math.ceil(((replicasAhead + 1) * withinMs) / freed),
    basis: `${left}, and ${replicasAhead} are ahead of it`,
  };
}

const timeText = (ms: number): string =>
  ms < 60_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.floor(ms / 60_000)} min`;
