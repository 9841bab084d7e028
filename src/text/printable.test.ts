import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPrintable, printable, printableLines, printableLog } from "./printable.ts";

/** Every unit of UTF-16 is as likely as any other, and those that terminals obey are likelier. */
const hostile = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCodePoint(code)),
      fc.constantFrom("\u001b[2J", "\u009b31m", "\u202e", "\u200b", "\ud800", "\u{e0001}", "\r"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

const ESC = "\u001B";
const OBEYED = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe("printable", () => {
  it("shows what a terminal would obey or hide, and leaves the rest as it is [TX1]", () => {
    expect(printable("a\u001b[31mb\u009b\u202e\u200bé漢\u{1f4a9}")).toBe(
      "a\\u001b[31mb\\u009b\\u202e\\u200bé漢\u{1f4a9}",
    );
    expect(printable("one\r\n\ttwo\u2028three")).toBe("one two three");
    expect(printable("\u{e0001}\ud800")).toBe("\\udb40\\udc01\\ud800");
  });

  it("property: nothing that a terminal obeys is left in any text [TX1]", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(printable(text)).not.toMatch(/[\t\n]/);
        expect(printable(text)).not.toMatch(OBEYED);
        expect(printableLines(text)).not.toMatch(OBEYED);
        expect(isPrintable(printable(text))).toBe(true);
      }),
    );
  });

  it("property: the shown form means the same inside a string of JSON [TX1]", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = JSON.stringify({ [text]: text });
        expect(JSON.parse(printableLines(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it("property: of a log, lines, tabs and colours are left, and nothing else that a terminal obeys [TX2]", () => {
    expect(printableLog("\u001b[31mred\u001b[0m\tx\r\n\u001b[2Jy\rz")).toBe(
      "\u001b[31mred\u001b[0m\tx\n\\u001b[2Jy\\u000dz",
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const rest = printableLog(text).replaceAll(new RegExp(`${ESC}\\[[\\d;:]*m`, "g"), "");
        expect(rest).not.toMatch(OBEYED);
      }),
    );
  });
});
