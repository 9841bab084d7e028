/**
 * `berth auth preview`: which callers of the last days a change of roles would refuse. It decides
 * every write of the audit, and every right that the plane remembers as used, anew: by the roles
 * that the plane has and by those that it would have.
 */
import type { Credential } from "../../core/model/actor.ts";
import type { AccessRequest, Subject, Verb } from "../../core/model/access.ts";
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import { KINDS } from "../../core/model/ids.ts";
import type { AnyObject, Meta } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { AccessRules } from "../../core/rules/access/access-rules.ts";
import { subjectOfActor } from "../../core/rules/access/subject-of-actor.ts";
import type { ShownUse } from "../../api/access/uses.ts";
import type { AuditEntry } from "../../api/audit/audit-entry.ts";
import type { AuditPage } from "../../api/audit/read-audit.ts";
import { kindByName } from "../../api/kinds/all-kinds.ts";
import { specIn } from "../../api/kinds/kubernetes-form.ts";
import { UserError } from "../../shell/errors.ts";
import { contentOf, type ShownList, type ShownObject } from "../../steering/api-object.ts";
import { printable } from "../../text/printable.ts";
import type { ApiClient } from "../client/api-client.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import { readLifetime } from "../identity/read-lifetime.ts";
import type { Terminal } from "../main.ts";
import { readManifests } from "../manifests/read-manifests.ts";

export interface PreviewRolesOptions extends ServerOptions {
  readonly file: string;
  readonly since: string;
  readonly delete?: boolean;
  readonly json?: boolean;
}

const ROLE_KINDS = ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"] as const;
type RoleKind = (typeof ROLE_KINDS)[number];

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const PAGE = "1000";
/** A year; audits are seldom kept for longer. */
const SINCE_MOST_MS = 366 * 86_400_000;
/** A week of a busy plane, and no more than a command reads in a minute. */
const ENTRIES_MOST = 100_000;
/** Of each caller: the rest is counted. */
const SHOWN = 3;

interface Refused {
  readonly caller: string;
  readonly requests: readonly {
    readonly verb: string;
    readonly resource: string;
    readonly namespace: string;
    readonly times: number;
    /** The binding that allows it now. */
    readonly by: string;
    readonly last: string;
  }[];
}

export async function previewRoles(
  options: PreviewRolesOptions,
  terminal: Terminal,
): Promise<void> {
  const sinceMs = readLifetime("--since", options.since, SINCE_MOST_MS);
  const manifests = await readManifests([options.file]);
  const client = connect(options);
  const held = await heldObjects(client);
  const given = manifests.map(({ object }) => readRole(object as unknown as ShownObject));
  const now = indexOf(held);
  const after = indexOf(held);
  for (const object of given) {
    after.fold({ key: object.key, before: undefined, after: options.delete ? undefined : object });
  }
  const { entries, isWhole } = await entriesSince(client, Date.now() - sinceMs);
  const uses = await usesSince(client, Date.now() - sinceMs);
  const asked = [...entries.flatMap(askedInEntry), ...(uses ?? []).flatMap(askedInUse)];
  const refused = refusedAmong(asked, now.access, after.access);
  if (refused.length > 0) terminal.exitCode = 1;
  const checked = { entries: entries.length, uses: uses?.length, since: options.since, isWhole };
  if (options.json === true) terminal.out(`${JSON.stringify({ ...checked, refused })}\n`);
  else terminal.out(textOf(refused, checked));
}

/** Roles and bindings as the plane has them. */
async function heldObjects(client: ApiClient): Promise<readonly AnyObject[]> {
  const lists = await Promise.all(
    ROLE_KINDS.map(async (kind) => {
      const { items } = await client.get<ShownList>(`${RBAC}/${definitionOf(kind).plural}`);
      return items.map((item) => ({ ...item, kind }));
    }),
  );
  return lists.flat().map((shown) => readRole(shown));
}

function readRole(shown: ShownObject): AnyObject {
  const { kind = "", metadata } = shown;
  const api = kindByName(kind);
  if (api === undefined || !ROLE_KINDS.includes(kind as RoleKind)) {
    throw new UserError(
      "invalid-file",
      `Found a ${kind}; expected one of ${ROLE_KINDS.join(", ")}.`,
    );
  }
  const desired = api.toDesired(specIn(api, contentOf(shown)));
  if (!("kind" in desired)) {
    const mistakes = desired.map(({ field, message }) => `${field}: ${message}`);
    throw new UserError("invalid-file", `${kind} ${metadata.name}: ${mistakes.join(" ")}`);
  }
  const namespace = api.isNamespaced ? (metadata.namespace ?? "default") : "";
  const { name, annotations = {} } = metadata;
  const meta = { namespace, name, annotations } as unknown as Meta;
  return {
    kind,
    key: `${kind}/${namespace}/${name}`,
    meta,
    spec: desired.spec,
    status: {},
  } as AnyObject;
}

function indexOf(objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const object of objects) index.fold({ key: object.key, before: undefined, after: object });
  return index;
}

async function entriesSince(
  client: ApiClient,
  fromMs: number,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly isWhole: boolean }> {
  const entries: AuditEntry[] = [];
  let before: number | undefined;
  for (;;) {
    const query = { limit: PAGE, kind: "human", before: before?.toString() };
    const page = await client.get<AuditPage>("/audit", { query });
    const recent = page.entries.filter(({ time }) => Date.parse(time) >= fromMs);
    entries.push(...recent);
    const isOver = recent.length < page.entries.length || page.next === undefined;
    if (isOver) return { entries, isWhole: true };
    if (entries.length >= ENTRIES_MOST) return { entries, isWhole: false };
    before = page.next;
  }
}

/** Undefined from a plane that remembers none. */
async function usesSince(
  client: ApiClient,
  fromMs: number,
): Promise<readonly ShownUse[] | undefined> {
  const since = new Date(fromMs).toISOString().slice(0, "2026-01-31".length);
  try {
    return (await client.get<{ uses: readonly ShownUse[] }>("/access/uses", { query: { since } }))
      .uses;
  } catch (error) {
    if (error instanceof UserError && error.code === "request-refused") return undefined;
    throw error;
  }
}

interface Asked {
  readonly subject: Subject;
  readonly request: AccessRequest;
  readonly time: string;
  readonly times: number;
}

interface Counted {
  times: number;
  last: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly by: string;
}

/** Requests that a binding allows now and none would allow; others do not change. */
function refusedAmong(
  asked: readonly Asked[],
  now: AccessRules,
  after: AccessRules,
): readonly Refused[] {
  const callers = new Map<string, Map<string, Counted>>();
  for (const { subject, request, time, times } of asked) {
    const atMs = Date.parse(time);
    const today = now.decide(subject, request, atMs);
    if (!today.isAllowed || after.decide(subject, request, atMs).isAllowed) continue;
    const { verb } = request;
    const { resource, namespace } = shownOf(request);
    const mine = callers.get(subject.user) ?? new Map<string, Counted>();
    callers.set(subject.user, mine);
    const key = `${verb}/${resource}/${namespace}`;
    const { by } = today;
    const counted = mine.get(key) ?? { verb, resource, namespace, by, last: time, times: 0 };
    counted.times += times;
    if (time > counted.last) counted.last = time;
    mine.set(key, counted);
  }
  return [...callers].map(([caller, counted]) => ({
    caller,
    requests: [...counted.values()].toSorted((a, b) => b.times - a.times),
  }));
}

/** A subresource and a path stand where the resource stands. */
function shownOf(request: AccessRequest): Pick<Counted, "resource" | "namespace"> {
  if ("path" in request) return { resource: request.path, namespace: "" };
  const { resource, subresource, namespace = "" } = request;
  return {
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
  };
}

function askedInEntry(entry: AuditEntry): readonly Asked[] {
  const subject = subjectOf(entry);
  if (subject === undefined) return [];
  const { time } = entry;
  return requestsOf(entry).map((request) => ({ subject, request, time, times: 1 }));
}

/**
 * The audit has these one by one. A use has some of its names: of a role that names objects, what
 * was asked for by another name stays as it is.
 */
const IN_AUDIT: ReadonlySet<Verb> = new Set([
  "create",
  "update",
  "delete",
  "deletecollection",
  "activate",
]);

function askedInUse({ user, groups, request, names, count, last }: ShownUse): readonly Asked[] {
  if (IN_AUDIT.has(request.verb)) return [];
  const subject = { user, groups };
  const of = (named: AccessRequest, times: number): Asked => ({
    subject,
    request: named,
    time: last,
    times,
  });
  if (names.length === 0) return [of(request, count)];
  // How often each name was asked for is not known: each once, and the first the rest.
  const rest = Math.max(1, count - names.length + 1);
  return names.map((name, at) => of({ ...request, name }, at === 0 ? rest : 1));
}

const subjectOf = ({ actor }: AuditEntry): Subject | undefined =>
  subjectOfActor(
    actor as { readonly role: "user"; readonly name: string; readonly by?: Credential },
  );

/** What the caller must have asked for to be told of so. */
function requestsOf({ command, objects }: AuditEntry): readonly AccessRequest[] {
  return objects.flatMap(({ key, change }) => {
    const [word = "", ...rest] = key.split("/");
    const kind = KINDS.find((each) => each.toLowerCase() === word);
    if (kind === undefined) return [];
    const isOwned = definitionOf(kind).scope === "tenant";
    const name = rest.slice(isOwned ? 1 : 0).join("/");
    return {
      verb: verbOf(command, change),
      group: definitionOf(kind).kubernetesGroup ?? "berth.dev",
      resource: definitionOf(kind).plural,
      ...(isOwned ? { namespace: rest[0] ?? "" } : {}),
      name,
    };
  });
}

/** The audit does not tell a patch from an update: most callers have both or none. */
function verbOf(command: string, change: "made" | "changed" | "deleted"): Verb {
  if (command === "activate") return "activate";
  if (change === "made") return "create";
  return command === "delete" || change === "deleted" ? "delete" : "update";
}

interface Checked {
  readonly entries: number;
  readonly uses: number | undefined;
  readonly since: string;
  readonly isWhole: boolean;
}

function textOf(refused: readonly Refused[], { entries, uses, since, isWhole }: Checked): string {
  const part = isWhole ? "" : " (the latest; there are more)";
  const reads =
    uses === undefined
      ? "This plane tells nothing of reads."
      : `So were ${uses} rights that callers used at this plane, reads among them.`;
  const checked = `${entries} writes of the last ${since} were checked${part}. ${reads}`;
  if (refused.length === 0) return `No caller would be refused. ${checked}\n`;
  const some = refused.length === 1 ? "caller" : "callers";
  const lines = refused.flatMap(({ caller, requests }) => [
    `  ${printable(caller)}`,
    ...requests.slice(0, SHOWN).map(({ verb, resource, namespace, times, by, last }) => {
      const where = namespace === "" ? "" : ` in ${namespace}`;
      return printable(
        `    ${verb} ${resource}${where}, ${times} times, last at ${last}: allowed by ${by} now`,
      );
    }),
    ...(requests.length > SHOWN
      ? [`    and ${requests.length - SHOWN} more kinds of request`]
      : []),
  ]);
  return `${refused.length} ${some} would be refused:\n${lines.join("\n")}\n${checked}\n`;
}
