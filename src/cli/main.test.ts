import { describe, expect, it } from "vitest";
import { describeUserError, UserError } from "../shell/errors.ts";
import { main, type Register, type Terminal } from "./main.ts";
import { VERSION } from "../shell/version.ts";

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(args: readonly string[], commands: readonly Register[] = []): Promise<Run> {
  const written = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    exitCode: 0,
  };
  const code = await main(args, terminal, commands);
  return { code, ...written };
}

const sail: Register = (program, terminal) => {
  program
    .command("sail <port>")
    .option("--knots <n>")
    .action((port: string) => {
      if (port === "nowhere")
        throw new UserError("unreadable-file", "No chart.", { file: port, line: 3 });
      if (port === "atlantis") throw new TypeError("a bug");
      terminal.out(`sailed to ${port}\n`);
      if (port === "rocks") terminal.exitCode = 1;
    });
};

describe("main()", () => {
  it("prints the version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: `${VERSION}\n`, err: "" });
  });

  it("prints help when asked, and when given nothing", async () => {
    const asked = await run(["--help"], [sail]);
    expect(asked).toMatchObject({ code: 0, err: "" });
    expect(asked.out).toMatch(/Usage: berth[^]*sail/);
    expect(await run([], [sail])).toEqual(asked);
  });

  it("runs the command, and leaves with the exit code that the command set", async () => {
    expect(await run(["sail", "home"], [sail])).toEqual({
      code: 0,
      out: "sailed to home\n",
      err: "",
    });
    expect(await run(["sail", "rocks"], [sail])).toMatchObject({ code: 1 });
  });

  it.each([
    [["fly"]],
    [["--fast"]],
    [["sail"]],
    [["sail", "home", "--fast"]],
    [["sail", "a", "b"]],
  ])("answers %j with one line on standard error and the exit code 2", async (args) => {
    const { code, out, err } = await run(args, [sail]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^berth: Invalid command line\. [^\n]*\[bad-usage\]\n$/);
  });

  it("shows a user's mistake with its place, and exits with 2", async () => {
    expect(await run(["sail", "nowhere"], [sail])).toEqual({
      code: 2,
      out: "",
      err: "berth: nowhere:3: Cannot read the file. No chart. [unreadable-file]\n",
    });
  });

  it("puts the code on the first line of a mistake that takes several", () => {
    const mistake = new UserError("invalid-file", "One.\nx.yaml:4:1: Two.", {
      file: "x.yaml",
      line: 2,
    });
    expect(describeUserError(mistake)).toBe(
      "berth: x.yaml:2: Invalid file. One. [invalid-file]\nx.yaml:4:1: Two.",
    );
  });

  it("does not dress up a bug as a user's mistake", async () => {
    await expect(run(["sail", "atlantis"], [sail])).rejects.toThrow("a bug");
  });
});
