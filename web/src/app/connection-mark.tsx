/** In a word and a shape, whether the data is live. */
import { nowMs } from "../live/clock.ts";
import { connection, isDisconnected } from "./connection.ts";

const WORDS = {
  still: { mark: "○", word: "No live data on this page" },
  connecting: { mark: "◌", word: "Connecting" },
  live: { mark: "●", word: "Live" },
  reconnecting: { mark: "▲", word: "Reconnecting" },
} as const;

export function ConnectionMark() {
  const state = connection.value;
  const { kind } = state;
  const { mark, word } = isDisconnected(state, nowMs.value)
    ? { mark: "▲", word: "Disconnected" }
    : WORDS[kind];
  return (
    <span class={`connection connection-${kind}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}
