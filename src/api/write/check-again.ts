/**
 * A refusal that rests on what this plane shows, checked anew on what others may show already:
 * planes that follow hear that an append has landed as soon as the one that leads, and sometimes
 * sooner.
 */
import { ApiError, type ApiErrorCode } from "../errors.ts";
import type { ApiContext } from "../http/api-context.ts";
import { waitUntilFresh } from "../list/resource-version.ts";

const ABOUT_STATE: ReadonlySet<ApiErrorCode> = new Set(["conflict", "not-found"]);

/** Whether another state would have been answered otherwise. */
export const isAboutState = (error: unknown): error is ApiError =>
  error instanceof ApiError && ABOUT_STATE.has(error.code);

export async function checkAgain<T>(
  { plane, limits }: ApiContext,
  check: () => Promise<T>,
): Promise<T> {
  const { revision } = plane;
  try {
    return await check();
  } catch (error) {
    if (!plane.isShared || !isAboutState(error)) throw error;
    await waitUntilFresh(plane, undefined, limits.futureRevisionWaitMs);
    if (plane.revision === revision) throw error;
    return check();
  }
}
