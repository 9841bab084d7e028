/**
 * Writes what a command in a replica wrote: to a program the same bytes, which need be no text, and
 * to a terminal what it can show.
 */
import { StringDecoder } from "node:string_decoder";
import type { Terminal, WriteBytes } from "../main.ts";
import { asWritten } from "../text/terminal-text.ts";

export function byteWriter(terminal: Terminal, to: "out" | "err"): WriteBytes {
  const asTheyAre = terminal.bytes?.[to];
  if (asTheyAre !== undefined) return asTheyAre;
  // A letter may come in two parts.
  const decoder = new StringDecoder("utf8");
  return (bytes) => terminal[to](asWritten(decoder.write(Buffer.from(bytes))));
}
