import { Command } from "commander";
import { expect, test } from "vitest";
import { commandsFor } from "./command-table.ts";
import type { Terminal } from "./main.ts";

const silent: Terminal = { out: () => undefined, err: () => undefined, exitCode: 0 };

async function namesFor(...args: readonly string[]): Promise<readonly string[]> {
  const program = new Command();
  for (const register of await commandsFor(args)) register(program, silent);
  return program.commands.map((command) => command.name());
}

test("each command is loaded alone under the name that it registers", async () => {
  const all = await namesFor("--help");
  expect(all.length).toBeGreaterThan(30);
  for (const name of all.filter((each) => each !== "completion")) {
    expect(await namesFor(name, "--help")).toEqual([name]);
  }
});

test("help, completion and a mistyped command load all of them, the version none", async () => {
  const all = await namesFor();
  expect(await namesFor("help", "get")).toEqual(all);
  expect(await namesFor("completion", "bash")).toEqual(all);
  expect(await namesFor("gte", "nodes")).toEqual(all);
  expect(await namesFor("--version")).toEqual([]);
});
