/** `berth scale`: sets how many replicas a workload has, and nothing else. */
import { countText } from "../../core/model/text/count-text.ts";
import type { Command } from "commander";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { objectPath, shownName } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";

export interface ScaleOptions extends ServerOptions {
  readonly namespace?: string;
  readonly replicas: string;
}

export function registerScale(program: Command, terminal: Terminal): void {
  const command = program
    .command("scale <kind/name> [name]")
    .description("set the number of replicas of a workload")
    .requiredOption("--replicas <n>", "number of replicas")
    .option("-n, --namespace <tenant>", "tenant of the object");
  addServerOptions(command).action(
    (first: string, second: string | undefined, options: ScaleOptions) =>
      scale(second === undefined ? [first] : [first, second], options, terminal),
  );
}

interface Scale {
  readonly spec: { readonly replicas: number };
}

export async function scale(
  words: readonly string[],
  options: ScaleOptions,
  terminal: Terminal,
): Promise<void> {
  const replicas = readWholeNumber("--replicas", options.replicas);
  const client = connect(options);
  const target = await locate(client, parseReference(words, options.namespace));
  if (!target.resource.subresources.includes("scale")) {
    throw new UserError(
      "bad-usage",
      `A ${target.resource.singular} cannot be scaled; only a workload can.`,
    );
  }
  const path = `${objectPath(target)}/scale`;
  const before = await client.get<Scale>(path);
  await client.send("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: { spec: { replicas } },
    query: { fieldManager: "berth" },
  });
  terminal.out(
    before.spec.replicas === replicas
      ? `${shownName(target)} already has ${countText(replicas, "replica")}\n`
      : `${shownName(target)} scaled from ${before.spec.replicas} to ${replicas}\n`,
  );
}
