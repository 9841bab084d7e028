/** `berth describe`: everything there is to know about one object, for a person. */
import type { Command } from "commander";
import { ageText } from "../../api/age.ts";
import type { ApiClient } from "../client/api-client.ts";
import {
  contentOf,
  listOf,
  recordOf,
  type ShownList,
  type ShownObject,
  type ShownTable,
  TABLE_TYPE,
  textOf,
} from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import { locate, parseReference } from "../client/locate.ts";
import { type Located, objectPath } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import { tableText } from "../client/table-text.ts";
import { evidenceTable } from "../text/evidence-table.ts";
import type { Terminal } from "../main.ts";
import { problemText } from "../text/problem-text.ts";
import { progressText } from "../text/stage-text.ts";
import { restartLines, type Why, whyText } from "../text/why-text.ts";
import { yamlText } from "../../text/yaml-text.ts";

export interface DescribeOptions extends ServerOptions {
  readonly namespace?: string;
}

export function registerDescribe(program: Command, terminal: Terminal): void {
  const command = program
    .command("describe <kind> [name]")
    .description("show details of one object: spec, status and events")
    .option("-n, --namespace <tenant>", "tenant of the object");
  addServerOptions(command).action(
    (kind: string, name: string | undefined, options: DescribeOptions) =>
      describe(name === undefined ? [kind] : [kind, name], options, terminal),
  );
}

export async function describe(
  words: readonly string[],
  options: DescribeOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const target = await locate(client, parseReference(words, options.namespace));
  const moment = await momentNow(client);
  const object = await client.get<ShownObject>(objectPath(target), { query: moment });
  // What stands in the table of progress need not be said twice.
  const { conditions, progress: _, problems, ...status } = object.status ?? {};
  const why = await whyOf(client, target, object);
  const sections = [
    await problemText(client, target, { object, problems: listOf(problems).map(recordOf), why }),
    identity(target, object),
    ...Object.entries(contentOf(object)).map(([name, part]) => section(titleOf(name), part)),
    section("Status", status),
    progressText(object, Date.now(), why),
    conditionTable(listOf(conditions).map(recordOf)),
    await evidenceTable(client, target, object),
    why.text,
    await replicaTable(client, target, moment),
    await eventTable(client, target),
  ];
  terminal.out(sections.filter((text) => text !== "").join("\n"));
}

/** `spec` is "Spec", `roleRef` is "Role Ref". */
const titleOf = (name: string): string =>
  name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[A-Z]/g, " $&");

type Moment = Readonly<Record<string, string>>;

/** All objects are read at one revision: a status and the replicas beside it are of one state. */
async function momentNow(client: ApiClient): Promise<Moment> {
  const { revision } = await client.get<{ readonly revision: number }>("/revisions");
  if (revision === 0) return {};
  return { resourceVersion: String(revision), resourceVersionMatch: "Exact" };
}

function identity({ resource }: Located, { metadata, apiVersion }: ShownObject): string {
  const { name, namespace, labels, annotations, creationTimestamp, deletionTimestamp } = metadata;
  const pairs: readonly (readonly [string, string])[] = [
    ["Name:", name],
    ["Tenant:", namespace ?? ""],
    ["Kind:", `${resource.kind} (${apiVersion ?? resource.apiVersion})`],
    ["Labels:", pairsText(labels)],
    ["Annotations:", pairsText(annotations)],
    ["Generation:", textOf(metadata.generation)],
    ["Made:", timeText(creationTimestamp)],
    ["Deleted:", timeText(deletionTimestamp)],
    ["Held by:", (metadata.finalizers ?? []).join(", ")],
    ["Owners:", (metadata.ownerReferences ?? []).map(ownerText).join(", ")],
  ];
  return columns(pairs.filter(([, text]) => text !== ""));
}

const ownerText = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind.toLowerCase()}/${name}`;

const pairsText = (pairs: Readonly<Record<string, string>> = {}): string =>
  Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join(", ");

function timeText(time: string | undefined): string {
  return time === undefined ? "" : `${time} (${ageText(Date.now() - Date.parse(time))} ago)`;
}

function section(title: string, value: unknown): string {
  const isEmpty = Array.isArray(value)
    ? value.length === 0
    : Object.keys(recordOf(value)).length === 0;
  if (isEmpty) return "";
  const text = yamlText(value).replaceAll(/^(?=.)/gm, "  ");
  return `${title}:\n${text}`;
}

function conditionTable(conditions: readonly Readonly<Record<string, unknown>>[]): string {
  if (conditions.length === 0) return "";
  const rows = conditions.map((each) =>
    ["type", "status", "reason", "message"].map((field) => textOf(each[field])),
  );
  return `Conditions:\n${columns([["TYPE", "STATUS", "REASON", "MESSAGE"], ...rows])}`;
}

type ShownWhy = Why & { readonly text: string; readonly restarts: readonly string[] };

async function whyOf(
  client: ApiClient,
  { resource, namespace, name }: Located,
  { spec, status }: ShownObject,
): Promise<ShownWhy> {
  const ask = (key: string): Promise<Why> => client.get<Why>("/decisions", { query: { key } });
  const why = await ask(`${resource.kind}/${resource.isNamespaced ? namespace : ""}/${name}`);
  const text = whyText(why);
  if (resource.kind === "Workload") return { ...why, text, restarts: restartLines(why) };
  if (resource.kind !== "Replica" || status?.["stage"] !== "failed") {
    return { ...why, text, restarts: [] };
  }
  // The workload's controller restarts replicas, so it alone knows when.
  const workload = await ask(`Workload/${namespace}/${textOf(spec?.["workload"])}`);
  return { ...why, text, restarts: restartLines(workload, name) };
}

/** The replicas of a workload, or those on a node. */
async function replicaTable(client: ApiClient, target: Located, moment: Moment): Promise<string> {
  const { resource, namespace, name } = target;
  const base = "/apis/berth.dev/v1";
  const isNode = resource.kind === "Node";
  if (!isNode && resource.kind !== "Workload") return "";
  const path = isNode ? `${base}/replicas` : `${base}/namespaces/${namespace}/replicas`;
  const fieldSelector = isNode ? `status.node=${name}` : `spec.workload=${name}`;
  const table = await client.get<ShownTable>(path, {
    accept: TABLE_TYPE,
    query: { fieldSelector, ...moment },
  });
  if (table.rows.length === 0) return "";
  return `Replicas:\n${tableText(table, { isWide: true, withNamespace: isNode })}`;
}

async function eventTable(client: ApiClient, target: Located): Promise<string> {
  const { resource, namespace, name } = target;
  const fieldSelector = `involvedObject.kind=${resource.kind},involvedObject.name=${name}`;
  const path = resource.isNamespaced ? `/api/v1/namespaces/${namespace}/events` : "/api/v1/events";
  const { items } = await client.get<ShownList>(path, { query: { fieldSelector } });
  if (items.length === 0) return "";
  const rows = items.map((event) => {
    const fields = recordOf(event);
    return ["lastTimestamp", "type", "reason", "message"].map((field) => textOf(fields[field]));
  });
  return `Events:\n${columns([["TIME", "TYPE", "REASON", "MESSAGE"], ...rows])}`;
}
