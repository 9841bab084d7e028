/** `berth explain`: how one thing came to be as it is, why, and what it waits for. */
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
    .description("show how a replica, workload, node or decision came to be as it is, and why")
    .option("-n, --namespace <tenant>", "the tenant that owns it")
    .option("--at <time>", "as of a time, such as 2030-01-31T12:00:00Z, or so long ago: 10m")
    .option("--revision <n>", "as of a revision")
    .option("--deep", "look at all that the store keeps, however long it takes")
    .option("--why-not <node>", "of a replica: every rule that keeps it from this node")
    .option("--what-if", "of a replica that waits: the smallest changes that give it a place")
    .addOption(
      new Option("-o, --output <form>", "how to print it")
        .choices(["text", "json"])
        .default("text"),
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
      `Found "${words.join(" ")}"; berth explain knows replica, workload, node and decision. \`berth describe\` shows the rest.`,
    );
  }
  return kind === "node"
    ? { kind, name: target.name }
    : { kind, name: target.name, namespace: target.namespace };
}
