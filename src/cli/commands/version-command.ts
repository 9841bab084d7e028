/** `berth version`: this command's version, and that of the plane it would talk to. */
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { VERSION } from "../../shell/version.ts";

export interface VersionOptions extends ServerOptions {
  readonly client?: boolean;
}

export function registerVersion(program: Command, terminal: Terminal): void {
  const command = program
    .command("version")
    .description("print the versions of berth and of the plane")
    .option("--client", "print only the version of berth");
  addServerOptions(command).action((options: VersionOptions) => version(options, terminal));
}

export async function version(options: VersionOptions, terminal: Terminal): Promise<void> {
  terminal.out(
    `berth ${VERSION} (node ${process.versions.node}, ${process.platform}/${process.arch})\n`,
  );
  if (options.client === true) return;
  const client = connect(options);
  try {
    const { gitVersion } = await client.get<{ readonly gitVersion: string }>("/version");
    const [kubernetes = "", own = ""] = gitVersion.split("+berth-");
    terminal.out(`plane ${own} at ${client.url.origin} (Kubernetes API ${kubernetes})\n`);
  } catch (error) {
    // The version is printed with or without a plane.
    if (!(error instanceof UserError) || error.code !== "plane-unreachable") throw error;
    const asked = client.server.urls.map(({ origin }) => origin);
    terminal.out(`no plane responds at ${asked.join(", ")}\n`);
  }
}
