/**
 * How much room text takes on a terminal: most letters one cell, some two, and those that sit upon
 * others none.
 */

/** Scripts and signs that terminals draw two cells wide. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const UPON = /\p{Mn}|\p{Me}/u;

const cellsOfLetter = (letter: string): number => {
  if (letter <= "~") return 1;
  if (UPON.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
};

export function cellsOf(text: string): number {
  let cells = 0;
  for (const letter of text) cells += cellsOfLetter(letter);
  return cells;
}

/** As much of the beginning as fits; a cut is marked. */
export function fitted(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  let kept = "";
  let cells = 0;
  for (const letter of text) {
    const more = cellsOfLetter(letter);
    if (cells + more > width - 1) break;
    kept += letter;
    cells += more;
  }
  return width <= 0 ? "" : `${kept}…`;
}

/** Exactly so wide. */
export function padded(text: string, width: number, side: "left" | "right" = "left"): string {
  const fitting = fitted(text, width);
  const blank = " ".repeat(Math.max(0, width - cellsOf(fitting)));
  return side === "left" ? fitting + blank : blank + fitting;
}

/** Lines of at most so many cells, broken between words where that is possible. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let now = "";
  for (const word of text.split(" ")) {
    const longer = now === "" ? word : `${now} ${word}`;
    if (cellsOf(longer) <= width) now = longer;
    else {
      if (now !== "") lines.push(now);
      now = fitted(word, width);
    }
  }
  return now === "" ? lines : [...lines, now];
}
