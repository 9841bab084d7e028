/** `berth auth`: who may do what, by the roles of a plane. */
import type { Command } from "commander";
import { RBAC_GROUP } from "../../core/model/access.ts";
import { READY_ROLES } from "../../core/rules/access/ready-roles.ts";
import { UserError } from "../../shell/errors.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { yamlText } from "../../text/yaml-text.ts";
import { connect } from "../client/connect.ts";
import { columns } from "../client/columns.ts";
import { findResource, listResources } from "../client/resources.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { ApiClient } from "../client/api-client.ts";
import { printable } from "../../text/printable.ts";
import type { Terminal } from "../main.ts";
import { type PreviewRolesOptions, previewRoles } from "./preview-roles.ts";

interface AskOptions extends ServerOptions {
  readonly namespace?: string;
  readonly as?: string;
  readonly asGroup?: readonly string[];
  readonly json?: boolean;
}

const AUTHORIZATION = "/apis/authorization.k8s.io/v1";
const AUTHENTICATED = "system:authenticated";

export function registerAuth(program: Command, terminal: Terminal): void {
  const group = program.command("auth").description("ask who may do what, by the roles of a plane");
  const can = group
    .command("can-i <verb> <resource>")
    .description("say whether you may do something, and which binding allows it")
    .option("-n, --namespace <tenant>", "tenant of the objects (default: all tenants)")
    .option("--as <user>", "ask about this user")
    .option("--as-group <name>", "a group of that user; may be repeated", collected, [])
    .option("--json", "print the answer as JSON");
  addServerOptions(can).action((verb: string, resource: string, options: AskOptions) =>
    canI(verb, resource, options, terminal),
  );
  const who = group
    .command("who-can <verb> <resource>")
    .description("list the subjects that may do something, each with its binding")
    .option("-n, --namespace <tenant>", "tenant of the objects (default: all tenants)")
    .option("--json", "print the answer as JSON");
  addServerOptions(who).action((verb: string, resource: string, options: AskOptions) =>
    whoCan(verb, resource, options, terminal),
  );
  group
    .command("roles [name]")
    .description("list the roles that every plane has, or the rules of one as a manifest")
    .action((name: string | undefined) => readyRoles(name, terminal));
  const preview = group
    .command("preview")
    .description("say which callers of the audit a change of roles would refuse")
    .requiredOption("-f, --file <file>", "roles and bindings as they would be")
    .option("--since <duration>", "how far back", "7d")
    .option("--delete", "the objects in the file would be deleted")
    .option("--json", "print the answer as JSON");
  addServerOptions(preview).action((options: PreviewRolesOptions) =>
    previewRoles(options, terminal),
  );
}

/** They have no objects, so that no list of the plane shows them. */
function readyRoles(name: string | undefined, terminal: Terminal): void {
  if (name === undefined) {
    terminal.out(
      columns([["ROLE", "ALLOWS"], ...READY_ROLES.map((role) => [role.name, role.about])]),
    );
    return;
  }
  const found = READY_ROLES.find((role) => role.name === name);
  if (found === undefined) {
    const known = READY_ROLES.map((role) => role.name);
    const hint = didYouMean(name, known);
    throw new UserError("bad-usage", `Found "${name}".${hint} Ready roles: ${known.join(", ")}.`);
  }
  const head = { apiVersion: `${RBAC_GROUP}/v1`, kind: "ClusterRole", metadata: { name } };
  terminal.out(yamlText({ ...head, rules: found.rules }));
}

const collected = (value: string, before: readonly string[]): readonly string[] => [
  ...before,
  value,
];

interface Attributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

interface Review {
  readonly status: { readonly allowed: boolean; readonly reason: string };
}

/** The exit code says it, too, as that of kubectl does. */
async function canI(
  verb: string,
  resource: string,
  options: AskOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const question = resource.startsWith("/")
    ? { nonResourceAttributes: { verb, path: resource } }
    : { resourceAttributes: await attributesOf(client, verb, resource, options.namespace) };
  const { as, asGroup = [] } = options;
  const other = as === undefined ? {} : { user: as, groups: [...asGroup, AUTHENTICATED] };
  const kind = as === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const body = {
    apiVersion: "authorization.k8s.io/v1",
    kind,
    spec: { ...question, ...other },
  };
  const { status } = await client.send<Review>("POST", `${AUTHORIZATION}/${kind.toLowerCase()}s`, {
    body,
    // In no other name than that of the token: an administrator's login name has no roles.
    as: "",
  });
  if (!status.allowed) terminal.exitCode = 1;
  const { allowed, reason } = status;
  if (options.json === true) terminal.out(`${JSON.stringify({ allowed, reason })}\n`);
  else terminal.out(`${allowed ? "yes" : "no"}: ${printable(reason)}\n`);
}

interface Allowed {
  readonly allowed: readonly {
    readonly subject: { readonly kind: string; readonly name: string; readonly namespace?: string };
    readonly by: string;
    readonly role: { readonly kind: string; readonly name: string };
    readonly until?: string;
  }[];
  readonly more: number;
}

async function whoCan(
  verb: string,
  resource: string,
  options: AskOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const attributes = await attributesOf(client, verb, resource, options.namespace);
  const answer = await client.get<Allowed>("/who-can", { query: { ...attributes } });
  if (options.json === true) {
    terminal.out(`${JSON.stringify(answer)}\n`);
    return;
  }
  const rows = answer.allowed.map(({ subject, by, role, until = "" }) => [
    [subject.kind, subject.namespace, subject.name].filter((part) => part !== undefined).join("/"),
    by,
    `${role.kind}/${role.name}`,
    until,
  ]);
  const masters = ["Group/system:masters", "(always)", "ClusterRole/cluster-admin", ""];
  terminal.out(columns([["SUBJECT", "BINDING", "ROLE", "UNTIL"], masters, ...rows]));
  if (answer.more > 0) terminal.out(`and ${answer.more} more\n`);
}

/** `workload/api`, `workloads`, `wl` or `*`; a subresource follows its resource. */
async function attributesOf(
  client: ApiClient,
  verb: string,
  word: string,
  namespace: string | undefined,
): Promise<Attributes> {
  const [kind = "", second] = word.split("/");
  const within = namespace === undefined ? {} : { namespace };
  if (kind === "*") return { verb, group: "*", resource: "*", ...within };
  const { plural, apiVersion, subresources } = findResource(await listResources(client), kind);
  const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
  const isSub = second !== undefined && (subresources.includes(second) || SUBRESOURCES.has(second));
  return {
    verb,
    group,
    resource: plural,
    ...(second === undefined ? {} : isSub ? { subresource: second } : { name: second }),
    ...within,
  };
}

/** Of Kubernetes' names; under Berth's own they are powers. */
const SUBRESOURCES: ReadonlySet<string> = new Set(["log", "exec", "attach", "portforward"]);
