/**
 * Commands that are printed to be typed: as the reader called this one, because `berth` alone need
 * not be on the PATH, and with words that a shell takes as they are.
 */
import { realpathSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { shellWord } from "../../steering/shell-word.ts";

export interface Called {
  /** The script that node runs. */
  readonly script: string | undefined;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const OWN_NAMES = /berth(?:\.m?js)?$/;

const thisCall = (): Called => ({
  script: process.argv[1],
  folder: process.cwd(),
  environment: process.env,
});

/** e.g. "berth", "npx berth" or "bin/berth" */
export function ownCommand({ script, folder, environment }: Called = thisCall()): string {
  const file = realPath(script);
  // Another program, such as a runner of tests, may call the command line in its own process.
  if (script === undefined || file === undefined || !OWN_NAMES.test(file)) return "berth";
  // npm puts its own folders on the PATH of what it runs, and its reader does not have them.
  if (environment["npm_command"] === "exec") return "npx berth";
  const isRunByNpm = environment["npm_command"] !== undefined;
  const folders = isRunByNpm ? [] : (environment["PATH"] ?? "").split(delimiter);
  if (folders.some((each) => realPath(join(each, "berth")) === file)) return "berth";
  const near = relative(folder, script);
  return shellWord(near.startsWith("..") || !near.includes("/") ? script : near);
}

function realPath(path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
