/**
 * The command line: finds the command, runs it, and turns the outcome into an exit code. Each
 * command is a file of its own in `commands/` and adds itself to the program by a `register`
 * function; `command-table.ts` lists them.
 */
import { ownCommand } from "./text/own-command.ts";
import { inspect } from "node:util";
import { Command, CommanderError } from "commander";
import { commandsFor } from "./command-table.ts";
import { endWithReader } from "./end-with-reader.ts";
import { asksForHelp, DESCRIPTION, rootHelp } from "./root-help.ts";
import { describeUserError, exitCodeOf, UserError } from "../shell/errors.ts";
import { printableTerminal, terminalText } from "./text/terminal-text.ts";
import { VERSION } from "../shell/version.ts";

export type Register = (program: Command, terminal: Terminal) => void;

export type WriteBytes = (bytes: Uint8Array) => void;

/** Where a command writes and what it leaves behind; tests pass their own. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /**
   * For bytes of others, as they are; neither is there where a person looks, or only text is taken.
   */
  readonly bytes?: { readonly out?: WriteBytes; readonly err?: WriteBytes };
  /**
   * A command that ran well and found something bad sets this to 1; a wrong input throws a
   * UserError.
   */
  exitCode: number;
  /** How many characters fit on a line; left out: no terminal, or no limit. */
  readonly width?: number | undefined;
  /** Left out: the output goes to a program, or colours are switched off. */
  readonly hasColour?: boolean;
  /** Whether a person looks at it. Left out: a program reads it. */
  readonly isTerminal?: { readonly out: boolean; readonly err: boolean };
}

const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  bytes: {
    out: (bytes) => void process.stdout.write(bytes),
    err: (bytes) => void process.stderr.write(bytes),
  },
  exitCode: 0,
  get width() {
    return process.stdout.isTTY ? process.stdout.columns : undefined;
  },
  get hasColour() {
    // An empty NO_COLOR says nothing (no-color.org).
    return process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "";
  },
  get isTerminal() {
    return { out: process.stdout.isTTY, err: process.stderr.isTTY };
  },
};

/**
 * A bug keeps its stack trace. Node would print the words of others in it as they are, and the text
 * that could not be parsed, so it is printed here. The exit code is the one that Node has.
 */
function tellBug(error: unknown): never {
  processTerminal.err(terminalText(`${inspect(error)}\n`, true));
  process.exit(1);
}

/**
 * Runs one command line, without `node` and the script's name in front, and returns the exit code.
 */
export async function main(
  args: readonly string[],
  to: Terminal = processTerminal,
  commands?: readonly Register[],
): Promise<number> {
  const terminal = printableTerminal(to);
  if (to === processTerminal) {
    process.once("uncaughtException", tellBug);
    endWithReader();
  }
  if (commands === undefined && asksForHelp(args)) {
    terminal.out(rootHelp());
    return 0;
  }
  try {
    const program = buildProgram(terminal, commands ?? (await commandsFor(args)));
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return terminal.exitCode;
  } catch (error) {
    // Commander throws for help and version too, with the code 0, after it wrote the text.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const mistake = error instanceof CommanderError ? usageError(error) : error;
    if (!(mistake instanceof UserError)) throw error;
    terminal.err(`${describeUserError(mistake)}\n`);
    return exitCodeOf(mistake);
  }
}

function buildProgram(terminal: Terminal, commands: readonly Register[]): Command {
  const program = new Command("berth")
    .description(DESCRIPTION)
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // main() reports the same mistake in the same form as every other one.
      outputError: () => {},
    });
  // Commands inherit the settings above only if they are added after them.
  for (const register of commands) register(program, terminal);
  return program;
}

function usageError(error: CommanderError): UserError {
  const found = error.message.replace(/^error: /, "").replace(/\.$/, "");
  const sentence = found.charAt(0).toUpperCase() + found.slice(1);
  return new UserError("bad-usage", `${sentence}. See \`${ownCommand()} --help\`.`);
}
