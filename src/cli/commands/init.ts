/**
 * `berth init`: writes a first manifest for one's own program. On a terminal it asks for what no
 * option says; elsewhere it takes the defaults, and the command has to be given.
 */
import { ownCommand } from "../text/own-command.ts";
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { firstManifest } from "../init/first-manifest.ts";
import { shellWords } from "../init/shell-words.ts";
import type { Terminal } from "../main.ts";
import { writeOutput } from "../write-output.ts";

export interface InitOptions {
  readonly file: string;
  readonly command?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly port?: string;
  readonly path?: string;
  readonly replicas?: string;
  readonly cpu: string;
  readonly memory: string;
  readonly workingDir: string;
}

/** Asks a question with the answer that an empty line means. */
export type Ask = (question: string, usual: string) => Promise<string>;

export function registerInit(program: Command, terminal: Terminal): void {
  program
    .command("init")
    .description("write a first manifest for your program")
    .option(
      "-f, --file <path>",
      "file to write; an existing file is never overwritten",
      "berth.yaml",
    )
    .option("--command <line>", "command line that starts your program")
    .option("--name <name>", "name of the workload (default: the name of the directory)")
    .option("-n, --namespace <tenant>", "tenant of the workload (default: its name)")
    .option("--port <name>", "name of the port that it listens on, such as http; empty for none")
    .option("--path <path>", "path of a request that it answers when it is ready, such as /healthz")
    .option("--replicas <n>", "number of replicas")
    .option("--cpu <cpus>", "CPUs of each replica", "100m")
    .option("--memory <size>", "memory of each replica", "128Mi")
    .option("--working-dir <dir>", "directory that it runs in, on every node", ".")
    .addHelpText(
      "after",
      "\nThe agent picks a free port and passes its number as $PORT; the command may contain $(PORT).",
    )
    .action((options: InitOptions) => onTerminal((ask) => init(options, terminal, ask)));
}

export async function init(options: InitOptions, terminal: Terminal, ask?: Ask): Promise<void> {
  const { file, cpu, memory } = options;
  if (existsSync(file)) {
    throw new UserError("unwritable-file", "It exists already: choose another with -f.", { file });
  }
  const or = (given: string | undefined, question: string, usual: string): Promise<string> =>
    given === undefined && ask !== undefined
      ? ask(question, usual)
      : Promise.resolve(given ?? usual);
  const workingDir = resolve(options.workingDir);
  const name = validName(
    "--name",
    await or(options.name, "Name of the workload", nameOf(basename(workingDir))),
  );
  const command = shellWords(await or(options.command, "Command that starts your program", ""));
  if (command.length === 0) {
    throw new UserError(
      "bad-usage",
      "Expected --command LINE, such as --command 'node server.js'.",
    );
  }
  const port = await or(options.port, "Name of its port, or - for none", "http");
  const replicas = await or(options.replicas, "Replicas", "2");
  const namespace = validName("--namespace", options.namespace ?? name);
  const text = firstManifest({
    name,
    namespace,
    command,
    workingDir,
    port: port === "-" ? "" : port,
    path: options.path ?? "",
    replicas: readWholeNumber("--replicas", replicas),
    cpu,
    memory,
  });
  writeOutput(file, text);
  terminal.out(
    `${file} written\nRun it with \`${ownCommand()} apply -f ${file}\`, and follow it with \`${ownCommand()} logs workload/${namespace}/${name} -f\`.\n`,
  );
}

/** With a way to ask where a person can answer. */
async function onTerminal(run: (ask?: Ask) => Promise<void>): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return run();
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    await run(async (question, usual) => {
      const shown = usual === "" ? "" : ` [${usual}]`;
      return (await lines.question(`${question}${shown}: `)).trim() || usual;
    });
  } finally {
    lines.close();
  }
}

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;

function validName(option: string, name: string): string {
  if (NAME.test(name)) return name;
  const expected = "lower-case letters, digits, '-' and '.', such as my-app";
  throw new UserError("bad-usage", `${option}: found "${name}", expected ${expected}.`);
}

/** A directory may be called anything. */
const nameOf = (folder: string): string =>
  folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "") || "app";
