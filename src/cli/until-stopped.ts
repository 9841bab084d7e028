/** Waits until somebody asks the process to stop: Ctrl-C, a service manager, or a closed terminal. */
import { deferred } from "./deferred.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type StopSignal = (typeof SIGNALS)[number];

export interface Stopping {
  readonly asked: Promise<StopSignal>;
  /** Gives the signals back to whoever had them. */
  ignore(): void;
}

/** A second Ctrl-C ends the process the hard way: whoever presses it again has waited long enough. */
export function listenForStop(): Stopping {
  const { promise, resolve } = deferred<StopSignal>();
  const ignore = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: StopSignal): void => {
    ignore();
    resolve(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return { asked: promise, ignore };
}
