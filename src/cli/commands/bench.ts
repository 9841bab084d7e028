/**
 * `berth bench NAME`: what this build can do on this machine. The benchmarks are in the folder
 * `bench` at the root; what they have in common (JSON, plot, progress, a folder for logs, the
 * machine) is here.
 */
import { Argument, type Command } from "commander";
import { BENCHMARKS } from "../../../bench/commands/benchmarks.ts";
import { PART_ROLES, type PartRole } from "../../../bench/part/part-role.ts";
import { type RanOn, ranOn, ranOnText } from "../../../bench/measure/ran-on.ts";
import { scratchFolder } from "../../../bench/measure/scratch-folder.ts";
import type { Benchmark, BenchReport } from "../../../bench/commands/benchmark.ts";
import { columns } from "../client/columns.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { listenForStop } from "../until-stopped.ts";
import { writeOutput } from "../write-output.ts";

interface CommonOptions {
  readonly json?: boolean;
  readonly svg?: string;
  readonly dir?: string;
}

export function registerBench(program: Command, terminal: Terminal): void {
  const bench = program.command("bench").description("run benchmarks on this machine");
  for (const benchmark of BENCHMARKS) {
    const command = bench.command(benchmark.name).description(benchmark.description);
    benchmark.addOptions(command);
    command
      .option("--json", "print the result as JSON")
      .option("--svg <file>", "write a plot as SVG")
      .option("--dir <dir>", "directory for temporary logs (default: the system's)")
      .action((options: CommonOptions) => runBenchmark(benchmark, options, terminal));
  }
  bench
    .command("part", { hidden: true })
    .description("internal: run one process of a benchmark")
    .addArgument(new Argument("<role>").choices(PART_ROLES))
    .action(async (role: PartRole) => {
      if (process.send === undefined) {
        throw new UserError(
          "bad-usage",
          "`berth bench part` is internal and started by a benchmark only.",
        );
      }
      const { runPart } = await import("../../../bench/part/run-part.ts");
      await runPart(role);
    });
}

/** What a shell sees of a command that Ctrl-C ended. */
const INTERRUPTED_EXIT = 130;

async function runBenchmark(
  benchmark: Benchmark,
  options: CommonOptions,
  terminal: Terminal,
): Promise<void> {
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  const stopping = listenForStop();
  const scratch = openScratch(options.dir);
  // Leaving ends the processes of the benchmark and takes its folder away.
  void stopping.asked.then(() => {
    bar.clear();
    process.exit(INTERRUPTED_EXIT);
  });
  try {
    const date = new Date().toISOString();
    const progress = bar.show.bind(bar);
    const say = (line: string): void => {
      // A program reads the result, and no lines on the way to it.
      if (options.json === true) return;
      bar.clear();
      terminal.err(`${line}\n`);
    };
    const frame = { progress, say, folder: scratch.path };
    const report = await benchmark.run(options as never, frame);
    bar.clear();
    if (options.svg !== undefined) writeOutput(options.svg, report.plot());
    const on = ranOn({ date, store: report.store });
    terminal.out(
      options.json === true
        ? `${JSON.stringify({ benchmark: benchmark.name, ...report.figures, ranOn: on })}\n`
        : describe(report, on),
    );
    if (!report.isComplete) terminal.exitCode = 1;
  } finally {
    bar.clear();
    stopping.ignore();
    scratch.remove();
  }
}

function openScratch(dir: string | undefined): ReturnType<typeof scratchFolder> {
  try {
    return scratchFolder(dir);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: dir ?? "" });
  }
}

function describe({ table, notes }: BenchReport, on: RanOn): string {
  return [columns(table), ...notes.map((note) => `${note}\n`), `${ranOnText(on)}\n`].join("");
}
