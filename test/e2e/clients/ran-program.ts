/** A program that runs to its end; one that fails or says something unexpected is an error in its own words. */
import { spawn } from "node:child_process";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export async function runProgram(
  program: string,
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Ran> {
  const child = spawn(program, args, { env: { ...process.env, ...env } });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  return { code, out, err };
}

export function expectText(text: string, wanted: string | RegExp): void {
  const isThere = typeof wanted === "string" ? text.includes(wanted) : wanted.test(text);
  if (!isThere) throw new Error(`expected ${String(wanted)} in: ${text}`);
}
