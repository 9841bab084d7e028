/** `berth top`: nodes, workloads and the queue on the whole terminal, live. */
import type { Command } from "commander";
import type { ShownShares } from "../../api/shares/shown-shares.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import type { Console } from "../top/run-top.ts";
import { listenForStop } from "../until-stopped.ts";

export interface TopOptions extends ServerOptions {
  readonly once?: boolean;
  readonly api?: boolean;
}

/** A terminal that does not say how large it is, is taken for the smallest in use. */
const SMALLEST = { width: 80, height: 24 } as const;
/** Without a terminal, one frame may be as large as a printed page. */
const PAGE = { width: 120, height: 48 } as const;

export function registerTop(program: Command, terminal: Terminal): void {
  const command = program
    .command("top")
    .description("show nodes, workloads, queue and events live (? for keys, q to quit)")
    .option("--once", "print one frame and exit (the default without a terminal)")
    .option("--api", "show who uses how much of the plane's API");
  addServerOptions(command).action((options: TopOptions) => top(options, terminal));
}

export async function top(options: TopOptions, terminal: Terminal): Promise<void> {
  const { runTop, topOnce } = await import("../top/run-top.ts");
  const client = connect(options);
  const isOnce = options.once === true || !process.stdout.isTTY || !process.stdin.isTTY;
  if (options.api === true) return topApi(client, terminal, isOnce);
  const hasColour = terminal.hasColour === true;
  if (isOnce) {
    const size = { ...PAGE, ...(terminal.width === undefined ? {} : { width: terminal.width }) };
    terminal.out(await topOnce(client, { size, hasColour }));
    return;
  }
  const stopping = listenForStop();
  try {
    await runTop(client, processConsole(hasColour), stopping.asked);
  } finally {
    stopping.ignore();
  }
}

async function topApi(client: ApiClient, terminal: Terminal, isOnce: boolean): Promise<void> {
  const { apiUseText, followApiUse } = await import("../top/api-use.ts");
  const read = (): Promise<ShownShares> => client.get<ShownShares>("/shares");
  if (isOnce) return terminal.out(apiUseText(await read()));
  const stopping = listenForStop();
  try {
    await followApiUse({ read, out: (text) => terminal.out(text) }, stopping.asked);
  } finally {
    stopping.ignore();
  }
}

const processConsole = (hasColour: boolean): Console => ({
  hasColour,
  size: () => ({
    // The last column stays empty: what clears the rest of a line there would clear its last
    // letter.
    width: (process.stdout.columns || SMALLEST.width) - 1,
    height: process.stdout.rows || SMALLEST.height,
  }),
  write: (text) => void process.stdout.write(text),
  onKeys: (listener) => {
    const { stdin } = process;
    const read = (text: string): void => listener(text);
    stdin.setEncoding("utf8");
    stdin.setRawMode(true);
    stdin.on("data", read);
    stdin.resume();
    return () => {
      stdin.off("data", read);
      stdin.setRawMode(false);
      stdin.pause();
    };
  },
  onResize: (listener) => {
    process.stdout.on("resize", listener);
    return () => void process.stdout.off("resize", listener);
  },
  onExit: (listener) => {
    // Whatever ends the process, an uncaught error included, comes by here.
    process.on("exit", listener);
    return () => void process.off("exit", listener);
  },
});
