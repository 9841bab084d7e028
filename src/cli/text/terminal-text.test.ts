import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import colors from "picocolors";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { columns } from "../client/columns.ts";
import { main, type Terminal } from "../main.ts";
import { lineForMachines, lineForPeople } from "../line-log.ts";
import {
  asWritten,
  forTerminal,
  printableTerminal,
  styled,
  terminalText,
} from "./terminal-text.ts";
import { line, painted } from "../top/styled-line.ts";
import { yamlText } from "../../text/yaml-text.ts";

const ESC = "\u001B";
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(`${ESC}[2J`, "\u009B31m", "\u202E", "\r"),
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));
const OBEYED = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function aTerminal(isTerminal?: Terminal["isTerminal"]) {
  const written = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    exitCode: 0,
    ...(isTerminal && { isTerminal }),
  };
  return { terminal, written };
}

describe("terminalText", () => {
  it("lets what Berth itself says to the terminal through, and nothing that others wrote [TX1]", () => {
    const text = `${forTerminal(`${ESC}[1m`)}${ESC}[2Jname${forTerminal(`${ESC}[0m`)}`;
    expect(terminalText(text, true)).toBe(`${ESC}[1m\\u001b[2Jname${ESC}[0m`);
    const green = colors.createColors(true).green;
    expect(terminalText(styled(green, `a${ESC}b`), true)).toBe(green("a\\u001bb"));
  });

  it("gives a log to a program as it was written, and to a terminal its lines and colours [TX2]", () => {
    const log = asWritten(`${ESC}[31mred${ESC}[2J\u0000\n`);
    expect(terminalText(log, false)).toBe(`${ESC}[31mred${ESC}[2J\u0000\n`);
    expect(terminalText(log, true)).toBe(`${ESC}[31mred\\u001b[2J\\u0000\n`);
  });

  it("property: every way to a terminal is without what a terminal obeys [TX1]", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const ways = [
          terminalText(text, true),
          columns([[text, "b"]]),
          terminalText(yamlText({ [text]: [text] }), true),
          terminalText(painted(line(text), { width: 80, hasColour: false }), true),
          lineForPeople(JSON.stringify({ time: 0, level: 30, msg: text, name: text })),
          lineForMachines(JSON.stringify({ msg: text })),
        ];
        expect(JSON.parse(lineForMachines(JSON.stringify({ msg: text })))).toEqual({ msg: text });
        for (const way of ways) expect(way).not.toMatch(OBEYED);
      }),
    );
  });

  it("property: YAML means the same after it was made printable [TX1]", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const value = { spec: { [text]: text, list: [text] } };
        expect(parse(terminalText(yamlText(value), true))).toEqual(value);
      }),
    );
  });
});

describe("printableTerminal", () => {
  it("[TX1] every command gets it: a mistake in an argument is echoed without its escape sequences", async () => {
    const { terminal, written } = aTerminal();
    expect(await main([`no${ESC}[2Jsuch`], terminal)).not.toBe(0);
    expect(written.err).toContain("no\\u001b[2Jsuch");
    expect(written.err).not.toContain(ESC);
  });

  it("[TX1] a bug keeps its stack trace, without what a terminal obeys in the words of others", () => {
    const script = fileURLToPath(
      new URL("../../../test/cli/command-with-a-bug.ts", import.meta.url),
    );
    const words = ["--import", "tsx", script];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/SyntaxError: .*\\u001b\[2Jowned[^]*command-with-a-bug\.ts/);
    expect(stderr).toContain("caused by \\u009b1A");
    expect(stderr).not.toMatch(OBEYED);
  });

  it("keeps the exit code of the terminal that it writes to", () => {
    const { terminal } = aTerminal({ out: true, err: false });
    printableTerminal(terminal).exitCode = 3;
    expect(terminal.exitCode).toBe(3);
  });

  it("[TX1] is the only way: no other file of the command line writes to the process's own streams", () => {
    const folder = fileURLToPath(new URL("..", import.meta.url));
    const writers = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
      .filter((file) =>
        /process\.std(?:out|err)\.write|console\.\w+\(/.test(
          readFileSync(`${folder}${file}`, "utf8"),
        ),
      )
      .toSorted();
    // The terminal itself; the log, which makes its lines printable; the screen of `top`, which
    // makes its lines printable.
    expect(writers).toEqual(["commands/top.ts", "line-log.ts", "main.ts"]);
  });
});
