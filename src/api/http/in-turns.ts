/** Does what comes in steps, and lets all others have their turn after each. */
import { setImmediate } from "node:timers/promises";

export async function inTurns<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await setImmediate();
  }
}
