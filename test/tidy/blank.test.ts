import { describe, expect, it } from "vitest";
import { codeOnly, commentsOnly, withoutComments } from "./blank.ts";

const squeeze = (text: string): string => text.replaceAll(/ +/g, " ").trim();

describe("blank", () => {
  it("codeOnly() blanks comments and what quotes enclose", () => {
    expect(squeeze(codeOnly(`a("Date"); // Date\n/* Date */ b('it\\'s');`))).toBe(
      `a(" "); \n b(' ');`,
    );
  });

  it("codeOnly() keeps the code inside a template and blanks its text, also when nested", () => {
    const source = "x = `Date ${y({ a: `Date ${z} Date` })} Date` + w;";
    expect(squeeze(codeOnly(source))).toBe("x = ` ${y({ a: ` ${z} ` })} ` + w;");
  });

  it("codeOnly() tells a regular expression from a division", () => {
    expect(squeeze(codeOnly(`a = b / c; d = /["'/*]/.test(e) / f;`))).toBe(
      "a = b / c; d = / /.test(e) / f;",
    );
    expect(squeeze(codeOnly(`return /[/"]/; // x`))).toBe("return / /;");
  });

  it("withoutComments() keeps strings, also those that look like comments", () => {
    expect(squeeze(withoutComments(`f("http://x"); // gone`))).toBe(`f("http://x");`);
  });

  it("commentsOnly() keeps comments and nothing else", () => {
    expect(squeeze(commentsOnly(`f("// no"); // yes`))).toBe("// yes");
  });

  it("every character keeps its place", () => {
    const source = "a // b\n`c\n${d}` /* e\n */ + 'f'";
    for (const blanked of [codeOnly(source), withoutComments(source), commentsOnly(source)]) {
      expect(blanked).toHaveLength(source.length);
      expect(blanked.split("\n")).toHaveLength(source.split("\n").length);
    }
  });

  it("ends, whatever is left open", () => {
    for (const source of ['"a', "`a", "`${", "/* a", "= /a", "'\\", "`\\"]) {
      expect(codeOnly(source)).toHaveLength(source.length);
    }
  });
});
