/**
 * A component that works through its own list: it keeps no keys to look at again, so it owes no
 * look.
 */
import type { Owed } from "../../core/runner/runner.ts";

export abstract class OwesNothing {
  owed(): readonly Owed[] {
    return [];
  }
  isTracking(): boolean {
    return false;
  }
}
