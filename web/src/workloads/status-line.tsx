/** The status of a workload in one line, with the time until a failed replica restarts. */
import { nowMs } from "../live/clock.ts";
import { ageText } from "../parts/age-text.ts";
import { StatusWord } from "../parts/status-word.tsx";
import { type Status, statusText } from "./status-of.ts";

export function StatusLine({ status }: { readonly status: Status }) {
  const { tone, restarts, more } = status;
  const text = statusText(status);
  return (
    <StatusWord tone={tone} title={more === "" ? text : `${text}\n${more}`}>
      {text}
      {restarts !== null && `, ${restartText(restarts - nowMs.value)}`}
    </StatusWord>
  );
}

/** "restarts in 20s"; a moment later than planned it is on its way. */
export const restartText = (leftMs: number): string =>
  leftMs < 1_000 ? "restarts now" : `restarts in ${ageText(leftMs)}`;
