/**
 * Turns what a terminal sends into keys. Several may come at once, and one may be several bytes.
 */
export type Key =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page-up"
  | "page-down"
  | "home"
  | "end"
  | "tab"
  | "back-tab"
  | "enter"
  | "escape"
  | "backspace"
  | "interrupt"
  | { readonly letter: string };

const SEQUENCES: Readonly<Record<string, Key>> = {
  "[A": "up",
  "[B": "down",
  "[C": "right",
  "[D": "left",
  OA: "up",
  OB: "down",
  OC: "right",
  OD: "left",
  "[5~": "page-up",
  "[6~": "page-down",
  "[H": "home",
  "[F": "end",
  OH: "home",
  OF: "end",
  "[1~": "home",
  "[4~": "end",
  "[Z": "back-tab",
};

const SINGLE: Readonly<Record<string, Key>> = {
  "\t": "tab",
  "\r": "enter",
  "\n": "enter",
  "\u007F": "backspace",
  "\b": "backspace",
  // In raw mode Ctrl-C is a key like any other, and Ctrl-D has always meant the end.
  "\u0003": "interrupt",
  "\u0004": "interrupt",
};

/** An unknown sequence is skipped as a whole, so that its letters are not taken for keys. */
const SEQUENCE = /^(?:\[[0-9;?]*[ -/]*[@-~]|O[A-Za-z])/;
const ESCAPE = "\u001B";

export function readKeys(text: string): readonly Key[] {
  const keys: Key[] = [];
  let rest = text;
  while (rest !== "") {
    const [sequence] = (rest.startsWith(ESCAPE) && SEQUENCE.exec(rest.slice(1))) || [];
    if (sequence !== undefined) {
      const known = SEQUENCES[sequence];
      if (known !== undefined) keys.push(known);
      rest = rest.slice(1 + sequence.length);
      continue;
    }
    const [letter = ""] = rest;
    rest = rest.slice(letter.length);
    const single = letter === ESCAPE ? "escape" : SINGLE[letter];
    if (single !== undefined) keys.push(single);
    else if (letter >= " ") keys.push({ letter });
  }
  return keys;
}
