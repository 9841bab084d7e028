import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProtoDamaged, ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** Bytes as the definition of the format gives them, or worked out by hand from it. */
const NUMBERS = [
  { value: 1n, bytes: "08 01" },
  { value: 127n, bytes: "08 7f" },
  { value: 128n, bytes: "08 80 01" },
  { value: 150n, bytes: "08 96 01" },
  { value: 2n ** 49n - 1n, bytes: "08 ff ff ff ff ff ff 7f" },
  { value: 2n ** 49n, bytes: "08 80 80 80 80 80 80 80 01" },
  { value: 2n ** 63n - 1n, bytes: "08 ff ff ff ff ff ff ff ff 7f" },
  { value: -1n, bytes: "08 ff ff ff ff ff ff ff ff ff 01" },
  { value: -2n, bytes: "08 fe ff ff ff ff ff ff ff ff 01" },
];

/** To its end, or to what is wrong with it. */
function read(message: Uint8Array): unknown {
  try {
    const reader = new ProtoReader(message);
    while (reader.next() !== 0) reader.skip();
    return "read";
  } catch (error) {
    return error instanceof ProtoDamaged ? error.message : error;
  }
}

describe("messages", () => {
  test.each(NUMBERS)("$value is written and read as $bytes", ({ value, bytes }) => {
    expect(new ProtoWriter().int(1, value).finish()).toEqual(hex(bytes));
    const reader = new ProtoReader(hex(bytes));
    expect([reader.next(), reader.int64(), reader.next()]).toEqual([1, value, 0]);
  });

  test("texts and messages inside messages have their length before them", () => {
    const inner = new ProtoWriter().int(1, 150);
    const written = new ProtoWriter().text(2, "testing").message(3, inner).flag(16, true).finish();
    expect(written).toEqual(hex("12 07 74 65 73 74 69 6e 67 1a 03 08 96 01 80 01 01"));
  });

  test("defaults are left out, except where an empty value is a choice", () => {
    const written = new ProtoWriter()
      .int(1, 0)
      .int(1, undefined)
      .flag(2, false)
      .bytes(3, new Uint8Array(0))
      .always(4, new Uint8Array(0));
    expect(written.finish()).toEqual(hex("22 00"));
  });

  test("unknown fields are passed over, in every wire form", () => {
    const message = hex(
      "08 96 01 | 11 01 02 03 04 05 06 07 08 | 1a 01 ff | 25 01 02 03 04 | 28 07".replaceAll(
        "|",
        "",
      ),
    );
    const reader = new ProtoReader(message);
    const fields: number[] = [];
    for (let field = reader.next(); field !== 5; field = reader.next()) {
      fields.push(field);
      reader.skip();
    }
    expect(fields).toEqual([1, 2, 3, 4]);
    expect(reader.number()).toBe(7);
  });

  test("property: whatever arrives is read or refused, and nothing beyond it is touched", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (message) => {
        expect(read(message)).toBeTypeOf("string");
      }),
    );
    for (const cut of ["08", "08 80", "12 05 01", "09 01", "0b"]) {
      expect(read(hex(cut))).toContain("Cannot read a message");
    }
    expect(read(hex("08 ff ff ff ff ff ff ff ff ff ff 01"))).toContain("more than 64 bits");
  });
});
