/** In a word and a shape, whether the data is live. */
import { connection } from "./connection.ts";

const WORDS = {
  still: { mark: "○", word: "No live data on this page" },
  connecting: { mark: "◌", word: "Connecting" },
  live: { mark: "●", word: "Live" },
  reconnecting: { mark: "▲", word: "Reconnecting" },
} as const;

export function ConnectionMark() {
  const { kind } = connection.value;
  const { mark, word } = WORDS[kind];
  return (
    <span class={`connection connection-${kind}`}>
      <span aria-hidden="true">{mark}</span> {word}
    </span>
  );
}
