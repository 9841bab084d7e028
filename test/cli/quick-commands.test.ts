/** The files that `bin/berth` takes for the commands that people wait for. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { main as whole, type Terminal } from "../../src/cli/main.ts";
import { aBuildFolder } from "../builders/a-build-folder.ts";
import { placeCommand } from "../builders/place-command.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const built = aBuildFolder("quick");
beforeAll(() => placeCommand(built));
afterAll(() => removeFolder(built));

async function said(main: typeof whole, args: readonly string[]): Promise<string> {
  let text = "";
  const write = (part: string): void => void (text += part);
  const terminal: Terminal = { out: write, err: write, exitCode: 0 };
  return `${await main(args, terminal)} ${text}`;
}

test("a command in a file of its own says what it says in the whole, also in its help and of mistakes", async () => {
  const names = readdirSync(built).flatMap((file) => /^quick-([a-z]+)\.js$/.exec(file)?.[1] ?? []);
  expect(names).toContain("get");
  for (const name of names) {
    const url = pathToFileURL(join(built, `quick-${name}.js`)).href;
    const { main } = (await import(url)) as { readonly main: typeof whole };
    for (const args of [
      [name, "--help"],
      [name, "--no-such-option"],
    ]) {
      expect(await said(main, args)).toBe(await said(whole, args));
    }
  }
});
