/** Where a replay comes out differently, for a person. */
import type { Divergence } from "../commands/replay.ts";

export const divergenceText = ({ turn, expected, got }: Divergence): string =>
  `Diverged at turn ${turn}.\n  expected  ${expected}\n  got       ${got}`;
