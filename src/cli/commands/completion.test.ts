import { execFileSync } from "node:child_process";
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

/** What bash offers for a line, with a `berth` that knows two workloads and a node. */
function offered(...words: readonly string[]): readonly string[] {
  const script = `${scriptFor("bash")}
berth() {
  case "$*" in
    "get workloads -o name") printf 'workload/shop/api\\nworkload/shop/web\\n' ;;
    "get nodes -o name") echo node/n1 ;;
    *) return 1 ;;
  esac
}
COMP_WORDS=(berth ${words.map((word) => `'${word}'`).join(" ")}) COMP_CWORD=${words.length}
_berth && printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split("\n");
}

test("bash completes names of objects, asked of the plane", () => {
  expect(offered("describe", "workloads", "")).toEqual(["shop/api", "shop/web"]);
  expect(offered("describe", "workloads", "shop/w")).toEqual(["shop/web"]);
  expect(offered("drain", "")).toEqual(["n1"]);
  expect(offered("rollout", "undo", "workload/shop/a")).toEqual(["workload/shop/api"]);
  expect(offered("logs", "w")).toEqual(["workload/shop/api", "workload/shop/web"]);
});

test.each(["zsh", "fish"])("%s asks the plane for names of objects, too", (shell) => {
  expect(scriptFor(shell)).toMatch(/berth get \S+ -o name 2>\/dev\/null/);
});

test("a kind is completed under the word that it is served as", () => {
  const words = /get\|[^)]*\) choices="([^"]*)"/.exec(scriptFor("bash"))?.[1]?.split(" ") ?? [];
  const served = new Set(SERVED_KINDS.map(({ api }) => api.plural));
  expect(words.filter((word) => !served.has(word))).toEqual([]);
  expect(words.length).toBeGreaterThan(ALL_KINDS.length);
});
