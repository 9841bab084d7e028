/** Which seat a plane has: among several that share its log, or alone with a log of its own. */
import type { LogSeat, Seated } from "./log-seat.ts";
import { OwnSeat } from "./own-seat.ts";
import type { PlaneOptions } from "./plane-options.ts";
import { SharedSeat } from "./shared-seat.ts";

export function takeSeat(
  plane: Seated & { readonly revision: number },
  name: string,
  { store, shared, recorder }: PlaneOptions,
): LogSeat {
  if (shared !== undefined) {
    return new SharedSeat({ log: shared.log, self: { name, url: shared.url }, plane });
  }
  return new OwnSeat({
    store,
    plane,
    revision: () => plane.revision,
    copyTo: () => recorder?.copyTo(),
    copied: (bytes) => recorder?.copied(bytes),
  });
}
