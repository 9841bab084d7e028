/** The command line that makes a review, or a part of it, again. */
import { ownCommand } from "../text/own-command.ts";

type Given = Readonly<Partial<Record<(typeof NAMED)[number], string>>> & {
  readonly with?: readonly string[] | undefined;
};

const NAMED = [
  "fleet",
  "world",
  "backup",
  "server",
  "data",
  "profile",
  "seeds",
  "seed",
  "only",
] as const;

export function reviewCommand(files: readonly string[], options: Given): string {
  const named = NAMED.flatMap((name) => {
    const value = options[name];
    // One run replaces the number of runs.
    if (value === undefined || (name === "seeds" && options.seed !== undefined)) return [];
    return [`--${name}`, quoted(value)];
  });
  const change = options.with === undefined ? [] : ["--with", ...options.with.map(quoted)];
  return [ownCommand(), "review", ...files.map(quoted), ...named, ...change].join(" ");
}

/** As a shell reads it back. */
const quoted = (word: string): string =>
  /^[\w./:,@=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
