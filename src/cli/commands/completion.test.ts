import { Command } from "commander";
import { expect, test } from "vitest";
import { SERVED_KINDS } from "../../api/list/served-kinds.ts";
import { ALL_KINDS } from "../../api/kinds/all-kinds.ts";
import type { Terminal } from "../main.ts";
import { registerCompletion } from "./completion.ts";

function scriptFor(shell: string): string {
  const printed: string[] = [];
  const terminal = { out: (text: string) => printed.push(text) } as unknown as Terminal;
  const program = new Command();
  registerCompletion(program, terminal);
  program.parse(["completion", shell], { from: "user" });
  return printed.join("");
}

test.each(["bash", "zsh", "fish"])("%s completes every kind of the API", (shell) => {
  const script = scriptFor(shell);
  const plurals = ALL_KINDS.map(({ plural }) => plural);
  expect(script).toContain([...plurals, "endpoints"].join(" "));
});

test("a kind is completed under the word that it is served as", () => {
  const words = /get\|[^)]*\) choices="([^"]*)"/.exec(scriptFor("bash"))?.[1]?.split(" ") ?? [];
  const served = new Set(SERVED_KINDS.map(({ api }) => api.plural));
  expect(words.filter((word) => !served.has(word))).toEqual([]);
  expect(words.length).toBeGreaterThan(ALL_KINDS.length);
});
