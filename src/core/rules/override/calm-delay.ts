/** When a key that an override held back is looked at after its end (OV12). */
import type { ObjectKey } from "../../model/ids.ts";
import type { Turn } from "../../protocol/turn.ts";

/** Long enough to spread a crowd, short enough that it does not look stuck. */
export const CALM_RETURN_MS = 10_000;

/** How long after an override's end the key is looked at: always the same for the same key. */
export const calmDelayMs = (key: ObjectKey, drawn: Pick<Turn, "random">): number =>
  drawn.random("calm-return", key) % CALM_RETURN_MS;
