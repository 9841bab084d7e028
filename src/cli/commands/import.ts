/**
 * `berth import kubernetes`: reads a cluster's dump as a fleet of Berth, says what came over and
 * what did not, and checks that Berth's rules allow what runs there today. It reads files only.
 */
import { type Command, Option } from "commander";
import { importKubernetes } from "../../fleet/kubernetes/import-kubernetes.ts";
import { readDump } from "../../fleet/read-dump.ts";
import { fleetText } from "../../fleet/fleet-file.ts";
import type { Terminal } from "../main.ts";
import { importText } from "../review/import-text.ts";
import { writeOutput } from "../write-output.ts";

export interface ImportOptions {
  readonly out?: string;
  readonly output?: "table" | "json";
}

export function registerImport(program: Command, terminal: Terminal): void {
  program
    .command("import")
    .description("read a Kubernetes cluster as a fleet for `berth review`")
    .command("kubernetes")
    .description("read files or folders of `kubectl get … -o json` (- for standard input)")
    .argument("<path...>", "files or folders; packed files (.json.gz), too")
    .option("--out <file>", "write the fleet to this file, for berth review --fleet")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(["table", "json"])
        .default("table"),
    )
    .action((paths: readonly string[], options: ImportOptions) =>
      runImport(paths, options, terminal),
    );
}

export function runImport(
  paths: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): void {
  const { dump, skipped } = readDump(paths);
  const made = importKubernetes(dump);
  if (options.output === "json") {
    const { counts, differences, notes } = made;
    terminal.out(`${JSON.stringify({ counts, differences, notes, skipped }, undefined, 2)}\n`);
  } else {
    terminal.out(importText(made));
    for (const file of skipped) terminal.out(`Skipped ${file}: it holds no Kubernetes objects.\n`);
  }
  if (options.out === undefined) return;
  writeOutput(options.out, fleetText(made.fleet));
  if (options.output !== "json") terminal.out(`\nWrote the fleet to ${options.out}.\n`);
}
