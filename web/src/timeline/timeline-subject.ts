/**
 * What a timeline is about, read from the address: `/ui/timeline/replica/payments/api.1.0`,
 * `/ui/timeline/node/n1`, `/ui/timeline/decision/120`.
 */
import type { Explained } from "../../../src/api/explain/explanation.ts";
import { hrefOf } from "../app/route.ts";
import { BERTH } from "../live/api.ts";
import type { ObjectQuery } from "../live/object-watch.ts";

export interface Subject {
  readonly kind: Explained;
  /** Of what belongs to a tenant. */
  readonly tenant?: string;
  readonly name: string;
}

/** As of when: now while both are empty. */
export interface Moment {
  readonly revision: string;
  readonly at: string;
}

const WITH_TENANT: ReadonlySet<string> = new Set(["replica", "workload"]);
const WITHOUT: ReadonlySet<string> = new Set(["node", "decision"]);

export function readSubject(rest: readonly string[]): Subject | undefined {
  const [kind = "", first, second] = rest;
  if (WITH_TENANT.has(kind)) {
    if (first === undefined || second === undefined || rest.length > 3) return undefined;
    return { kind: kind as Explained, tenant: first, name: second };
  }
  // An operation is a path itself; a node may come with an empty tenant, as its key has one.
  const name = rest.slice(kind === "node" && first === "" ? 2 : 1).join("/");
  return WITHOUT.has(kind) && name !== "" ? { kind: kind as Explained, name } : undefined;
}

/**
 * e.g. "Replica//n1" as the log writes keys → where its timeline is; undefined for what has none.
 */
export function timelineOf(key: string): string | undefined {
  const [kind = "", tenant = "", ...name] = key.split("/");
  const subject = readSubject([
    kind.toLowerCase(),
    ...(tenant === "" ? [] : [tenant]),
    name.join("/"),
  ]);
  if (subject === undefined) return undefined;
  return hrefOf("timeline", [
    subject.kind,
    ...(subject.tenant === undefined ? [] : [subject.tenant]),
    subject.name,
  ]);
}

export interface Asked {
  readonly moment: Moment;
  readonly whyNot: string;
  readonly whatIf: boolean;
}

export function explainPath({ kind, tenant, name }: Subject, asked: Asked): string {
  const { moment, whyNot, whatIf } = asked;
  const query = new URLSearchParams({ kind, name });
  if (tenant !== undefined) query.set("namespace", tenant);
  if (moment.revision !== "") query.set("revision", moment.revision);
  else if (moment.at !== "") query.set("at", moment.at);
  if (kind === "replica" && whyNot !== "") query.set("whyNot", whyNot);
  if (kind === "replica" && whatIf) query.set("whatIf", "true");
  return `/explain?${query.toString()}`;
}

/** The stream that tells the page of changes; a decision never changes. */
export function watchedBy({ kind, tenant, name }: Subject): ObjectQuery | undefined {
  if (kind === "decision") return undefined;
  const where = tenant === undefined ? "" : `/namespaces/${encodeURIComponent(tenant)}`;
  return { path: `${BERTH}${where}/${kind}s`, fieldSelector: `metadata.name=${name}` };
}

/**
 * Under which names controllers wait for it: replicas are placed and admitted a workload at a time.
 */
export function waitedForOf({ kind, tenant, name }: Subject): readonly string[] {
  if (tenant === undefined) return [`${kind}/${name}`];
  const workload = kind === "workload" ? name : name.replace(/\.\d+\.\d+$/, "");
  return [`${kind}/${tenant}/${name}`, `workload/${tenant}/${workload}`];
}

/**
 * What a row of the view `queue` is about: its key ends with it, as in "place-1
 * Workload/payments/api".
 */
export const subjectOfWait = (key: string): string =>
  key
    .slice(key.indexOf(" ") + 1)
    .toLowerCase()
    .replace("//", "/");

/** The command that prints the same. */
export function explainCommand({ kind, tenant, name }: Subject, { moment }: Asked): string {
  const words = ["berth", "explain", kind, name];
  if (tenant !== undefined) words.push("-n", tenant);
  if (moment.revision !== "") words.push("--revision", moment.revision);
  else if (moment.at !== "") words.push("--at", moment.at);
  return words.join(" ");
}
