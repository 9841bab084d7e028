/** What benchmarks on public traces have in common on the command line. */
import { TraceError } from "../trace/trace-folder.ts";
import { didYouMean } from "../../src/spelling/nearest.ts";
import { UserError } from "../../src/shell/errors.ts";

/** `origin` is the sentence that says where the trace can be had. */
export function neededData(data: string | undefined, origin: string): string {
  if (data !== undefined) return data;
  throw new UserError("bad-usage", `--data is missing. ${origin}`);
}

export function chooseByName<T>(
  option: string,
  name: string,
  known: Readonly<Record<string, T>>,
): T {
  const chosen = Object.hasOwn(known, name) ? known[name] : undefined;
  if (chosen !== undefined) return chosen;
  const names = Object.keys(known);
  throw new UserError(
    "bad-usage",
    `${option}: found "${name}", expected one of ${names.join(", ")}.${didYouMean(name, names)}`,
  );
}

/** A trace that is missing or damaged is a mistake to correct and not a stack trace. */
export async function traceMistakes<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    const code = error.isMissing ? "unreadable-file" : "invalid-file";
    throw new UserError(code, error.message, { file: error.file });
  }
}
