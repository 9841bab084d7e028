/**
 * The one way to a person's terminal. Everything that a command writes is made printable there, so
 * that no command can forget it. What Berth itself has to say to the terminal, such as a colour, is
 * put between marks that are drawn anew for every process: text that comes from elsewhere cannot
 * hold them.
 */
import { randomBytes } from "node:crypto";
import { printableLines, printableLog } from "../../text/printable.ts";
import type { Terminal } from "../main.ts";

const SECRET = randomBytes(12).toString("hex");
const OWN = `<own ${SECRET}>`;
const LOG = `<log ${SECRET}>`;
const END = `<end ${SECRET}>`;
const MARKED = new RegExp(`(${OWN}|${LOG})([^]*?)${END}`, "g");

/** For the terminal itself, such as `\u001B[1m`; never with text of others in it. */
export const forTerminal = (sequence: string): string => `${OWN}${sequence}${END}`;

/**
 * Bytes of others that a program may want as they are, such as a log; a terminal gets its lines and
 * colours alone.
 */
export const asWritten = (text: string): string => `${LOG}${text}${END}`;

/** In a style of picocolors: the style is ours, the text need not be. */
export function styled(style: (text: string) => string, text: string): string {
  const [before = "", after = ""] = style("\u0000").split("\u0000");
  return forTerminal(before) + text + forTerminal(after);
}

/** What is written in the end. */
export function terminalText(text: string, isTerminal: boolean): string {
  let written = "";
  let at = 0;
  for (const { 0: whole, 1: mark, 2: inner = "", index } of text.matchAll(MARKED)) {
    written += printableLines(text.slice(at, index));
    written += mark === OWN || !isTerminal ? inner : printableLog(inner);
    at = index + whole.length;
  }
  return written + printableLines(text.slice(at));
}

/** The terminal as commands get it. */
export function printableTerminal(terminal: Terminal): Terminal {
  const { isTerminal, bytes = {} } = terminal;
  return {
    out: (text) => terminal.out(terminalText(text, isTerminal?.out === true)),
    err: (text) => terminal.err(terminalText(text, isTerminal?.err === true)),
    bytes: {
      ...(bytes.out && isTerminal?.out !== true && { out: bytes.out }),
      ...(bytes.err && isTerminal?.err !== true && { err: bytes.err }),
    },
    get exitCode() {
      return terminal.exitCode;
    },
    set exitCode(code) {
      terminal.exitCode = code;
    },
    get width() {
      return terminal.width;
    },
    get hasColour() {
      return terminal.hasColour === true;
    },
    ...(isTerminal && { isTerminal }),
  };
}
