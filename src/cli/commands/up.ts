/**
 * `berth up`: a whole Berth on this machine to try things with, planes and some agents, until
 * Ctrl-C.
 */
import type { Command } from "commander";
import { DEFAULT_LISTEN } from "../client/find-server.ts";
import type { Terminal } from "../main.ts";
import { listenForStop } from "../until-stopped.ts";

export interface UpOptions {
  readonly regions?: string;
  readonly agents?: string;
  readonly data?: string;
  readonly listen?: string;
  readonly planes?: string;
  readonly regional?: boolean;
  readonly term?: string;
  /** Where an etcd is, or `true`: one is started. */
  readonly etcd?: string | boolean;
  /** Files and folders, `false` after --no-apply, or nothing said. */
  readonly apply?: readonly string[] | boolean;
  /**
   * How long after everything serves a node is killed, `false` after --no-incident, or nothing
   * said.
   */
  readonly incident?: string | boolean;
  readonly provisioner?: readonly string[];
  readonly provisioners?: string;
}

export function registerUp(program: Command, terminal: Terminal): void {
  program
    .command("up")
    .description("run a local cluster with examples until Ctrl-C")
    .option("--regions <n>", "number of regions to spread the agents over (default: 3)")
    .option("--agents <n>", "number of local agents, one node each (default: 6)")
    .option("--data <dir>", "data directory (default: $BERTH_DATA or .berth)")
    .option(
      "--listen <host:port>",
      `address of the API; further planes use the ports after it (default: ${DEFAULT_LISTEN})`,
    )
    .option(
      "--planes <n>",
      "number of planes, one leader and standbys; more than one needs --etcd (default: 1, with --etcd 3)",
    )
    .option(
      "--etcd [address]",
      "store the log in etcd: at etcd://HOST:PORT,…, or in three local members",
    )
    .option(
      "--regional",
      "give each region a plane of its own, and one global plane that lends quota",
    )
    .option(
      "--term <duration>",
      "with --regional: how long a region takes new work without the global plane (default: 2m)",
    )
    .option("--apply <path...>", "files or directories to apply (default: the examples)")
    .option("--no-apply", "do not apply any manifests")
    .option(
      "--incident <after>",
      "kill one node this long after the examples serve, to show a recovery (default: 30s)",
    )
    .option("--no-incident", "do not kill a node")
    .option(
      "--provisioner <name=what>",
      "provisioner of node pools, as for berth plane; NAME=local starts local agents",
      (value: string, before: readonly string[]) => [...before, value],
      [],
    )
    .option("--provisioners <file>", "YAML file with provisioners")
    .action(async (options: UpOptions) => {
      // The children have sessions of their own: a second Ctrl-C ends them, too.
      const crew = { kill: (): void => {} };
      const stopping = listenForStop({
        onSecond: () => {
          crew.kill();
          process.exit(1);
        },
      });
      try {
        const { runUp } = await import("../up/run-up.ts");
        await runUp(options, terminal, {
          stopped: stopping.asked,
          onCrew: (kill) => {
            crew.kill = kill;
          },
          screen: {
            isTerminal: process.stdout.isTTY,
            // A terminal that does not say how wide it is, is taken for the narrowest in use.
            width: () => process.stdout.columns || 80,
            write: (text) => terminal.out(text),
          },
        });
      } finally {
        stopping.ignore();
      }
    });
}
