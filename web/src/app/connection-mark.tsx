/** In a word and a shape, whether the data is live, or how old it is. */
import { nowMs } from "../live/clock.ts";
import { ageText } from "../parts/age-text.ts";
import { type Connection, connection, isDisconnected } from "./connection.ts";

const WORDS = {
  connecting: { mark: "◌", word: "Connecting" },
  live: { mark: "●", word: "Live" },
  reconnecting: { mark: "▲", word: "Reconnecting" },
} as const;

export function ConnectionMark() {
  const state = connection.value;
  const { kind } = state;
  const { mark, word } = said(state, nowMs.value);
  return (
    <span class={`connection connection-${kind}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}

function said(state: Connection, now: number): { readonly mark: string; readonly word: string } {
  if (isDisconnected(state, now)) return { mark: "▲", word: "Disconnected" };
  if (state.kind !== "asked") return WORDS[state.kind];
  return { mark: "○", word: `Updated ${ageText(now - state.answeredAtMs)} ago` };
}
