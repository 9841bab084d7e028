import { Command } from "commander";
import { expect, test } from "vitest";
import { COMMAND_GROUPS, commandsFor } from "./command-table.ts";
import { main, type Terminal } from "./main.ts";

const silent: Terminal = { out: () => undefined, err: () => undefined, exitCode: 0 };

async function programFor(...args: readonly string[]): Promise<Command> {
  const program = new Command();
  for (const register of await commandsFor(args)) register(program, silent);
  return program;
}

const namesFor = async (...args: readonly string[]): Promise<readonly string[]> =>
  (await programFor(...args)).commands.map((command) => command.name());

const LISTED = COMMAND_GROUPS.flatMap(({ commands }) => commands);
const all = LISTED.map(({ name }) => name);

test("each command is loaded alone under the name that it registers", async () => {
  expect(all.length).toBeGreaterThan(30);
  for (const name of all.filter((each) => each !== "completion")) {
    expect(await namesFor(name, "--help")).toEqual([name]);
    expect(await namesFor("help", name)).toEqual([name]);
  }
});

test("completion and a mistyped command load all of them, the version none", async () => {
  expect(await namesFor("completion", "bash")).toEqual(all);
  expect(await namesFor("gte", "nodes")).toEqual(all);
  expect(await namesFor("--version")).toEqual([]);
});

test("the table says of each command what the command says of itself", async () => {
  const program = await programFor("completion");
  const described = program.commands.map((command) => [command.name(), command.description()]);
  expect(LISTED.map(({ name, summary }) => [name, summary])).toEqual(described);
});

test("examples name the command that they are of, with options that it has", async () => {
  const program = await programFor("completion");
  for (const { name, examples = [] } of LISTED) {
    const command = program.commands.find((each) => each.name() === name)!;
    const options = [command, ...command.commands].flatMap((each) => each.options);
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`\\bberth ${name}\\b`));
      for (const [flag] of example.matchAll(/(?<= )--?[a-z][a-z-]*/g)) {
        const isKnown = options.some(({ long, short }) => long === flag || short === flag);
        expect({ example, flag, isKnown }).toEqual({ example, flag, isKnown: true });
      }
    }
  }
});

test("help lists every command in its group without loading any of them", async () => {
  const helps = await Promise.all(
    [[], ["--help"], ["-h"], ["help"]].map(async (args) => {
      let out = "";
      const code = await main(args, { ...silent, out: (text) => void (out += text) });
      return { code, out };
    }),
  );
  const [first] = helps;
  expect(first?.out).toMatch(/^Usage: berth COMMAND[^]*^Start:\n {2}up [^]*^Examples:\n/m);
  for (const { name, summary } of LISTED) {
    expect(first?.out).toMatch(
      new RegExp(`^  ${name} +${summary.slice(0, 12).replaceAll(/[^\w ]/g, ".")}`, "m"),
    );
  }
  for (const help of helps) expect(help).toEqual({ ...first, code: 0 });
});

test("the help of a command ends with its examples", async () => {
  let out = "";
  await main(["logs", "--help"], { ...silent, out: (text) => void (out += text) });
  expect(out).toMatch(/^Examples:\n {2}berth logs workload\/api -f$/m);
});
