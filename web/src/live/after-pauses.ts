/**
 * Answers to a stream that is quicker than anybody reads, such as that of a workload in a rollout.
 */

/** A person does not read faster. */
const PAUSE_MS = 400;

/** Calls a pause after the first change, once for all that came in between. Returns how to stop. */
export function afterPauses(
  run: () => void,
  listen: (again: () => void) => () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = listen(() => {
    timer ??= setTimeout(() => {
      timer = undefined;
      run();
    }, PAUSE_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
