import { expect, it } from "vitest";
import type { Terminal } from "../main.ts";
import { printableTerminal } from "../text/terminal-text.ts";
import { byteWriter } from "./byte-writer.ts";

/** A broken letter, a zero, a letter of two bytes, and what clears a screen. */
const BYTES = Buffer.from([0xff, 0x00, 0xc3, 0xa9, 0x1b, 0x5b, 0x32, 0x4a, 0x0a]);

function aTerminal(isTerminal: Terminal["isTerminal"]) {
  const written = { out: [] as Buffer[], err: [] as Buffer[] };
  const to = (stream: "out" | "err") => (part: Uint8Array | string) =>
    void written[stream].push(Buffer.from(part as Uint8Array));
  const bytes = { out: to("out"), err: to("err") };
  const terminal: Terminal = {
    out: to("out"),
    err: to("err"),
    bytes,
    exitCode: 0,
    ...(isTerminal && { isTerminal }),
  };
  const read = (stream: "out" | "err") => Buffer.concat(written[stream]);
  return { terminal: printableTerminal(terminal), read };
}

it("byteWriter gives a program the bytes as they are, wherever they are cut [AP370]", () => {
  const { terminal, read } = aTerminal(undefined);
  const write = byteWriter(terminal, "out");
  for (const byte of BYTES) write(Uint8Array.of(byte));
  expect(read("out")).toEqual(BYTES);
});

it("byteWriter gives a terminal text that it does not obey, beside a file that gets all [AP370]", () => {
  const { terminal, read } = aTerminal({ out: true, err: false });
  for (const stream of ["out", "err"] as const) {
    const write = byteWriter(terminal, stream);
    for (const byte of BYTES) write(Uint8Array.of(byte));
  }
  expect(read("out").toString()).toBe("\uFFFD\\u0000é\\u001b[2J\n");
  expect(read("err")).toEqual(BYTES);
});
