/**
 * Waits until somebody asks the process to stop: Ctrl-C, a service manager, or, of most commands, a
 * closed terminal.
 */
import { deferred } from "./deferred.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type StopSignal = (typeof SIGNALS)[number];

export interface Stopping {
  readonly asked: Promise<StopSignal>;
  /** Restores the previous signal handlers. */
  ignore(): void;
}

/** One Ctrl-C may arrive twice: from the terminal, and once more from the `npm` that runs us. */
const SAME_REQUEST_MS = 1_000;

export interface StopOptions {
  /** A second request ends the process the hard way. */
  readonly onSecond?: () => void;
  readonly nowMs?: () => number;
  /**
   * Of a process that reads its files again on SIGHUP: that signal never stops it, not even while
   * it starts.
   */
  readonly isReloading?: boolean;
}

export function listenForStop({
  onSecond = () => process.exit(1),
  nowMs = () => performance.now(),
  isReloading = false,
}: StopOptions = {}): Stopping {
  const stopping = deferred<StopSignal>();
  let firstMs: number | undefined;
  const onSignal = (signal: StopSignal): void => {
    if (isReloading && signal === "SIGHUP") return;
    firstMs ??= nowMs();
    if (nowMs() - firstMs > SAME_REQUEST_MS) onSecond();
    else stopping.resolve(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const ignore = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  return { asked: stopping.promise, ignore };
}
