/** Says above the page that it is not up to date, since when and why. */
import { nowMs } from "../live/clock.ts";
import { ageText } from "../parts/age-text.ts";
import { connection, isDisconnected } from "./connection.ts";

export function ConnectionLine() {
  const state = connection.value;
  const now = nowMs.value;
  if (state.kind !== "reconnecting" || !isDisconnected(state, now)) return null;
  const { heardAtMs, why } = state;
  const shown =
    heardAtMs === undefined
      ? "No data received yet."
      : `This data is ${ageText(now - heardAtMs)} old.`;
  return (
    <p class="stale" role="status">
      <span aria-hidden="true">▲ </span>
      Disconnected for {ageText(now - state.sinceMs)}, trying again. {shown}{" "}
      <span class="quiet">{why}</span>
    </p>
  );
}
