import { describe, expect, it, test } from "vitest";
import { FrameReader, MESSAGE_BYTES } from "./frame-reader.ts";
import { OPCODES, writeFrame } from "./write-frame.ts";

function aReader(isMasked = true) {
  const frames: [number, string][] = [];
  const reader = new FrameReader({
    isMasked,
    onFrame: (opcode, payload) => void frames.push([opcode, payload.toString("latin1")]),
  });
  return { reader, frames };
}

/** A frame as a client sends it, with its first byte replaced. */
function frame(first: number, text: string): Buffer {
  const bytes = writeFrame(OPCODES.binary, Buffer.from(text), true);
  bytes[0] = first;
  return bytes;
}

describe("the reader of frames", () => {
  it.each([0, 1, 125, 126, 65_535, 65_536])("[AP360] reads a message of %i bytes", (length) => {
    const { reader, frames } = aReader();
    const bytes = writeFrame(OPCODES.binary, Buffer.alloc(length, "x"), true);
    // As it may come: in pieces, and with the next one behind it.
    const both = Buffer.concat([bytes, writeFrame(OPCODES.ping, Buffer.from("p"), true)]);
    for (let at = 0; at < both.length; at += 1_000) {
      expect(reader.read(both.subarray(at, at + 1_000))).toBeUndefined();
    }
    expect(frames).toEqual([
      [OPCODES.binary, "x".repeat(length)],
      [OPCODES.ping, "p"],
    ]);
  });

  it("[AP360] joins the parts of a message, with a ping between them", () => {
    const { reader, frames } = aReader();
    reader.read(frame(0x02, "ab"));
    reader.read(frame(0x89, "p"));
    reader.read(frame(0x80, "cd"));
    expect(frames).toEqual([
      [OPCODES.ping, "p"],
      [OPCODES.binary, "abcd"],
    ]);
  });

  test.each([
    ["unknown extension", frame(0xc2, "")],
    ["wrong masking", writeFrame(OPCODES.binary, Buffer.from("a"), false)],
    ["wrong continuation", frame(0x80, "a")],
    ["unknown frame", frame(0x83, "a")],
    ["wrong control frame", frame(0x8b, "a")],
    ["wrong control frame", frame(0x09, "a")],
    ["message too long", frame(0x89, "a".repeat(126))],
    ["message too long", Buffer.from([0x82, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])("[AP360] ends the connection: %s", (wrong, bytes) => {
    expect(aReader().reader.read(bytes)).toBe(wrong);
  });

  it("[AP360] bounds a message of many parts", () => {
    const { reader } = aReader();
    expect(reader.read(frame(0x02, "a".repeat(MESSAGE_BYTES)))).toBeUndefined();
    expect(reader.read(frame(0x80, "a"))).toBe("message too long");
  });
});
