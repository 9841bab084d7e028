/** Waits until somebody asks the process to stop: Ctrl-C, a service manager, or a closed terminal. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export type StopSignal = (typeof SIGNALS)[number];

export interface Stopping {
  readonly asked: Promise<StopSignal>;
  /** Gives the signals back to whoever had them. */
  ignore(): void;
}

/** A second Ctrl-C ends the process the hard way: whoever presses it again has waited long enough. */
export function listenForStop(): Stopping {
  let remove = (): void => {};
  const asked = new Promise<StopSignal>((resolve) => {
    const onSignal = (signal: StopSignal): void => {
      remove();
      resolve(signal);
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    remove = () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    };
  });
  return { asked, ignore: () => remove() };
}
