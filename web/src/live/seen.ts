/** Whether anybody sees the page. */

/** Long enough to look something up in another tab and come back to a page that never stopped. */
const HIDDEN_MS = 20_000;

/** Told at once, and whenever it changes. Returns how to stop. */
export function onSeen(told: (isSeen: boolean) => void): () => void {
  if (typeof document === "undefined") {
    told(true);
    return () => {};
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = (): void => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") told(true);
    else timer = setTimeout(() => told(false), HIDDEN_MS);
  };
  look();
  document.addEventListener("visibilitychange", look);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", look);
  };
}
