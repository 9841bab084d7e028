/** What deploy/ starts, held against the options that the commands have. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { commandsFor } from "../../src/cli/command-table.ts";

const UNITS = "deploy/systemd";
const units = readdirSync(UNITS).map((name) => join(UNITS, name));

async function commandNamed(name: string): Promise<Command> {
  const program = new Command();
  const terminal = { out: () => {}, err: () => {}, exitCode: 0 };
  for (const register of await commandsFor([name])) register(program, terminal);
  return program.commands.find((command) => command.name() === name)!;
}

/** The options of `berth NAME …` that the command does not have; undefined where it is another. */
async function unknownIn(words: readonly string[]): Promise<readonly string[] | undefined> {
  const [program, name = "", ...rest] = words;
  const flags = rest.filter((word) => word.startsWith("--"));
  if (program !== "berth" || flags.length === 0) return undefined;
  const { options } = await commandNamed(name);
  return flags.filter((flag) => options.every(({ long }) => long !== flag));
}

describe("deploy/", () => {
  it.each(units)("%s starts a command with options that it has", async (file) => {
    const [, line = ""] =
      /^ExecStart=\/usr\/bin\/env (.*)$/m.exec(readFileSync(file, "utf8")) ?? [];
    expect(await unknownIn(line.split(" "))).toEqual([]);
  });

  it("the image starts a plane with options that it has", async () => {
    const text = readFileSync("deploy/Containerfile", "utf8");
    const [, words = "[]"] = /^ENTRYPOINT (\[.*\])$/m.exec(text) ?? [];
    expect(await unknownIn(JSON.parse(words) as string[])).toEqual([]);
  });

  it("an agent that is restarted leaves its replicas running", () => {
    expect(readFileSync(join(UNITS, "berth-agent.service"), "utf8")).toContain("KillMode=process");
  });
});

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

describe("the package", () => {
  const { overrides, dependencies } = read("package.json") as {
    readonly overrides: Readonly<Record<string, string>>;
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const { packages } = read("package-lock.json") as {
    readonly packages: Readonly<
      Record<string, { readonly dev?: boolean; readonly engines?: { readonly node?: string } }>
    >;
  };
  const installed = Object.entries(packages).filter(
    ([path, { dev }]) => path.startsWith("node_modules/") && dev !== true && !path.includes("/web"),
  );

  it("needs no override where users install it: npm reads those of the root alone", () => {
    const names = installed.map(([path]) => path.split("node_modules/").at(-1) ?? "");
    expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(overrides).filter((name) => names.includes(name))).toEqual([]);
  });

  it("installs nothing that refuses Node 20", () => {
    const refuses = installed.filter(([, { engines }]) => {
      const least = /^>=\s*(\d+)/.exec(engines?.node ?? "")?.[1];
      return least !== undefined && Number(least) > 20;
    });
    expect(refuses.map(([path]) => path)).toEqual([]);
  });
});
