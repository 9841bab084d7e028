/** `berth explain`: how one thing came to be as it is, why, and what it waits for. */
import { ownCommand } from "../text/own-command.ts";
import { type Command, Option } from "commander";
import type { Explanation } from "../../api/explain/explanation.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import { explainText } from "../text/explain-text.ts";
import type { Terminal } from "../main.ts";

export interface ExplainOptions extends ServerOptions {
  readonly namespace?: string;
  readonly at?: string;
  readonly revision?: string;
  readonly deep?: boolean;
  readonly whyNot?: string;
  readonly whatIf?: boolean;
  readonly output?: "text" | "json";
}

export function registerExplain(program: Command, terminal: Terminal): void {
  const command = program
    .command("explain <kind> [name]")
    .description("explain the state of a replica, workload, node or decision")
    .option("-n, --namespace <tenant>", "tenant of the object")
    .option(
      "--at <time>",
      "show the state at this time (2030-01-31T12:00:00Z), or this long ago (10m)",
    )
    .option("--revision <n>", "show the state at this revision")
    .option("--deep", "search the whole log, however long it takes")
    .option("--why-not <node>", "for a replica: list every rule that rejects this node")
    .option("--what-if", "for a pending replica: list the smallest changes that let it be placed")
    .addOption(
      new Option("-o, --output <form>", "output format").choices(["text", "json"]).default("text"),
    );
  addServerOptions(command).action(
    (kind: string, name: string | undefined, options: ExplainOptions) =>
      explain(name === undefined ? [kind] : [kind, name], options, terminal),
  );
}

export async function explain(
  words: readonly string[],
  options: ExplainOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const subject = await subjectOf(client, words, options);
  const { at, revision } = options;
  const query = {
    ...subject,
    at,
    revision,
    deep: options.deep === true ? "true" : undefined,
    whyNot: options.whyNot,
    whatIf: options.whatIf === true ? "true" : undefined,
  };
  const told = await client.get<Explanation>("/explain", { query });
  terminal.out(
    options.output === "json" ? `${JSON.stringify(told, undefined, 2)}\n` : explainText(told),
  );
}

type Subject = Readonly<Record<"kind" | "name", string>> & { readonly namespace?: string };

async function subjectOf(
  client: ApiClient,
  words: readonly string[],
  { namespace }: ExplainOptions,
): Promise<Subject> {
  // The operation that names a decision has slashes of its own.
  const [, decision] = /^decision(?:[ /](.+))?$/.exec(words.join(" ")) ?? [];
  if (decision !== undefined) return { kind: "decision", name: decision };
  const target = await locate(client, parseReference(words, namespace));
  const kind = target.resource.singular;
  if (kind !== "replica" && kind !== "workload" && kind !== "node") {
    throw new UserError(
      "bad-usage",
      `Found "${words.join(" ")}"; expected replica, workload, node or decision. For other kinds use \`${ownCommand()} describe\`.`,
    );
  }
  return kind === "node"
    ? { kind, name: target.name }
    : { kind, name: target.name, namespace: target.namespace };
}
