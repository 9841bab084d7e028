/** Says above the page that it is not up to date, since when and why. */
import { nowMs } from "../live/clock.ts";
import { ageText } from "../parts/age-text.ts";
import { connection } from "./connection.ts";

/** Two tries that fail at once are over before anybody could read of them. */
const QUIET_MS = 2_000;

export function ConnectionLine() {
  const state = connection.value;
  if (state.kind !== "reconnecting") return null;
  const now = nowMs.value;
  if (now - state.sinceMs < QUIET_MS) return null;
  const { heardAtMs, why } = state;
  const shown =
    heardAtMs === undefined
      ? "No data received yet."
      : `This data is ${ageText(now - heardAtMs)} old.`;
  return (
    <p class="stale" role="status">
      <span aria-hidden="true">▲ </span>
      Reconnecting for {ageText(now - state.sinceMs)}. {shown} <span class="quiet">{why}</span>
    </p>
  );
}
