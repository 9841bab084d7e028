/**
 * How many columns of a terminal a text takes, and text that is cut or wrapped to fit them. Letters
 * of East Asia and pictures take two columns, marks on a letter none.
 */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]/u;
const ZERO = /\p{M}/u;

const widthOf = (letter: string): number => (ZERO.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1);

export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += widthOf(letter);
  return columns;
}

/** In at most so many columns, with `…` at the end of what was longer. */
export function cutTo(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  return `${takeColumns(text, most - 1).trimEnd()}…`;
}

function takeColumns(text: string, most: number): string {
  let taken = "";
  let columns = 0;
  for (const letter of text) {
    columns += widthOf(letter);
    if (columns > most) return taken;
    taken += letter;
  }
  return taken;
}

export const padTo = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - columnsOf(text)));

/** Lines of at most so many columns, broken between words, and inside one that is too long. */
export function wrapTo(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (columnsOf(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (columnsOf(line) > most) {
      const taken = takeColumns(line, most);
      lines.push(taken);
      line = line.slice(taken.length);
    }
  }
  return [...lines, line];
}
