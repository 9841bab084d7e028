/** Runs a command line in this process, and keeps what it writes to a terminal. */
import { main, type Terminal } from "../../src/cli/main.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function runBerth(...args: readonly string[]): Promise<Ran> {
  const said = { out: "", err: "" };
  const terminal: Terminal = {
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    exitCode: 0,
  };
  const code = await main(args, terminal);
  return { code, ...said };
}
