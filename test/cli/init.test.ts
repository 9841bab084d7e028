import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { init } from "../../src/cli/commands/init.ts";
import { CommandLine, runCommand } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
});
afterAll(() => cli.stop());

const at = (name: string): string => join(cli.folder, name);
const START = ["--command", "node server.js --port '$(PORT)'", "--working-dir", "/"];

describe("berth init", () => {
  it("writes a manifest that a plane takes as it is", async () => {
    const file = at("first.yaml");
    const ran = await runCommand(["init", "-f", file, "--name", "shop", ...START]);
    expect(ran).toMatchObject({ code: 0, err: "" });
    expect(ran.out).toContain(`berth apply -f ${file}`);
    expect(await cli.must("apply", "-f", file)).toBe(
      "tenant/shop created\nquota/shop/default created\nworkload/shop/shop created\n",
    );
    expect((await cli.berth("diff", "-f", file)).code).toBe(0);
    const shown = await cli.must("get", "workload", "shop", "-o", "yaml");
    expect(shown).toContain("- $(PORT)");
    expect(shown).toContain("tcp:");
  });

  it("never overwrites a file", async () => {
    const file = cli.write("kept.yaml", "mine\n");
    const { code, err } = await runCommand(["init", "-f", file, "--name", "x", ...START]);
    expect(code).toBe(2);
    expect(err).toMatch(/It exists already: choose another with -f\. \[unwritable-file\]/);
    expect(readFileSync(file, "utf8")).toBe("mine\n");
  });

  it.each([
    [["--name", "app"], /Expected --command LINE/],
    [["--name", "App!", ...START], /--name: found "App!", expected lower-case letters/],
    [["--name", "app", "--cpu", "much", ...START], /--cpu: found "much"/],
  ])("refuses %j and writes nothing", async (args, expected) => {
    const { code, err } = await runCommand(["init", "-f", at("none.yaml"), ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(existsSync(at("none.yaml"))).toBe(false);
  });

  it("asks for what no option says", async () => {
    const asked: string[] = [];
    const answers: Readonly<Record<string, string>> = {
      "Command that starts your program": "sleep 60",
      "Name of its port, or - for none": "-",
    };
    const file = at("asked.yaml");
    await init(
      { file, name: "quiet", cpu: "100m", memory: "64M", workingDir: "/" },
      { out: () => {}, err: () => {}, exitCode: 0 },
      (question, usual) => {
        asked.push(question);
        return Promise.resolve(answers[question] ?? usual);
      },
    );
    expect(asked).toEqual([...Object.keys(answers), "Replicas"]);
    expect(readFileSync(file, "utf8")).not.toContain("ports");
    expect(await cli.must("apply", "-f", file)).toContain("workload/quiet/quiet created\n");
  });
});
