/**
 * `berth import kubernetes`: reads a cluster as a fleet of Berth, from a dump or live through a
 * kubeconfig, says what came over and what did not, and checks that Berth's rules allow what runs
 * there today. It reads only.
 */
import { type Command, Option } from "commander";
import { importKubernetes } from "../../fleet/kubernetes/import-kubernetes.ts";
import { fleetText } from "../../fleet/fleet-file.ts";
import type { KubeDump } from "../../fleet/kubernetes/dump.ts";
import { ClusterClient } from "../../fleet/live/cluster-client.ts";
import { readCluster } from "../../fleet/live/read-cluster.ts";
import { readKubeconfig } from "../../fleet/live/read-kubeconfig.ts";
import { withCredential } from "../../fleet/live/run-credential-program.ts";
import { readDump } from "../../fleet/read-dump.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { importText } from "../review/import-text.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { writeOutput } from "../write-output.ts";

interface ImportOptions {
  readonly out?: string;
  readonly output?: "table" | "json";
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly exec?: string;
}

export function registerImport(program: Command, terminal: Terminal): void {
  program
    .command("import")
    .description("read a Kubernetes cluster as a fleet for `berth review`")
    .command("kubernetes")
    .description(
      "read files or folders of `kubectl get … -o json` (- for standard input), or a running cluster",
    )
    .argument("[path...]", "files or folders; packed files (.json.gz), too")
    .option("--kubeconfig <file>", "read the running cluster that this kubeconfig names instead")
    .option("--context <name>", "its context (default: the current one)")
    .option("--exec <program>", "run this program, which the kubeconfig names for its credential")
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

async function runImport(
  paths: readonly string[],
  options: ImportOptions,
  terminal: Terminal,
): Promise<void> {
  const { dump, skipped, source } = await sourceOf(paths, options, terminal);
  const made = importKubernetes(dump);
  if (options.output === "json") {
    const { counts, differences, notes } = made;
    terminal.out(`${JSON.stringify({ counts, differences, notes, skipped }, undefined, 2)}\n`);
  } else {
    terminal.out(`${source}${importText(made)}`);
    for (const each of skipped) terminal.out(`Skipped ${each}.\n`);
  }
  if (options.out === undefined) return;
  writeOutput(options.out, fleetText(made.fleet));
  if (options.output !== "json") terminal.out(`\nWrote the fleet to ${options.out}.\n`);
}

interface Source {
  readonly dump: KubeDump;
  /** What was not read, and why. */
  readonly skipped: readonly string[];
  /** A line about it, for people. */
  readonly source: string;
}

async function sourceOf(
  paths: readonly string[],
  { kubeconfig, context, exec }: ImportOptions,
  terminal: Terminal,
): Promise<Source> {
  if ((kubeconfig === undefined) === (paths.length === 0)) {
    const why = kubeconfig === undefined ? "Nothing to import." : "Two sources to import.";
    throw new UserError("bad-usage", `${why} Name files of a dump, or --kubeconfig FILE.`);
  }
  if (kubeconfig === undefined) {
    const alone = context === undefined ? exec && "--exec" : "--context";
    if (alone !== undefined) {
      throw new UserError("bad-usage", `${alone} belongs to --kubeconfig; a dump has none.`);
    }
    const { dump, skipped } = readDump(paths);
    const reasons = skipped.map((file) => `${file}: it holds no Kubernetes objects`);
    return { dump, skipped: reasons, source: "" };
  }
  const access = await withCredential(readKubeconfig(kubeconfig, context), exec);
  const client = new ClusterClient(access);
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  let read = 0;
  try {
    const { dump, missing } = await readCluster(client, (plural, objects) => {
      read += objects;
      bar.show(read, read + 1, `${read} objects, ${plural}`);
    });
    const source = `Context ${access.context} at ${access.server}: ${read} objects in ${client.requests} requests.\n`;
    return { dump, skipped: missing, source };
  } finally {
    bar.clear();
    client.close();
  }
}
