/** Which access a plane has: among several that share its log, or alone with a log of its own. */
import type { LogAccess, LogListener } from "./log-access.ts";
import { OwnLogAccess } from "./own-log-access.ts";
import type { PlaneOptions } from "./plane-options.ts";
import { SharedLogAccess } from "./shared-log-access.ts";

export function openLogAccess(
  plane: LogListener & { readonly revision: number },
  name: string,
  { store, shared, recorder }: PlaneOptions,
): LogAccess {
  if (shared !== undefined) {
    return new SharedLogAccess({ log: shared.log, self: { name, url: shared.url }, plane });
  }
  return new OwnLogAccess({
    store,
    plane,
    revision: () => plane.revision,
    copyTo: () => recorder?.copyTo(),
    copied: (bytes) => recorder?.copied(bytes),
  });
}
