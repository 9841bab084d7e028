/** Runs something once before the page is drawn next. */

/**
 * A page in the background is not drawn; what it holds has to go on nevertheless, or it grows until
 * somebody looks.
 */
const HIDDEN_MS = 250;

export function onNextFrame(run: () => void): void {
  if (typeof requestAnimationFrame === "undefined") {
    setTimeout(run, 0);
    return;
  }
  let isDone = false;
  const once = (): void => {
    if (isDone) return;
    isDone = true;
    clearTimeout(timer);
    run();
  };
  const timer = setTimeout(once, HIDDEN_MS);
  requestAnimationFrame(once);
}
