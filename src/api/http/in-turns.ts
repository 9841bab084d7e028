/** Does what comes in steps, and lets all others have their turn after each. */
import { nextSlice } from "./next-slice.ts";

export async function inTurns<T>(steps: Generator<undefined, T, undefined>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    await nextSlice();
  }
}
