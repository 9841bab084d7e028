/**
 * Makes the plane's objects what files say they are, by server-side apply. Everything is tried out
 * first: either nothing is wrong with any document, or every mistake in all of them is told and
 * nothing is changed.
 */
import { isDeepStrictEqual } from "node:util";
import type { ApiClient } from "../client/api-client.ts";
import { contentOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { Refusal, type StatusCause } from "../client/refusal.ts";
import { objectPath, shownName } from "../client/resources.ts";
import type { LocatedManifest } from "./locate-manifests.ts";
import { placeOfField } from "./place-of-field.ts";
import { type Mistake, throwMistakes } from "./read-manifests.ts";

export interface ApplyOf {
  readonly fieldManager: string;
  /** Takes over fields that others own. */
  readonly force: boolean;
}

/**
 * All commands and the dashboard write under this name, for every user: the file and what a person
 * does by hand have one owner, so they never conflict with each other.
 */
export const APPLIED_BY = "berth";

export type Applied = "created" | "changed" | "unchanged";

/** Throws every mistake of every document as one error. */
export async function tryOut(
  client: ApiClient,
  all: readonly LocatedManifest[],
  of: ApplyOf,
): Promise<void> {
  const mistakes = repeated(all);
  for (const each of all) {
    const strict = await refusalOf(client, each, { ...of, fieldValidation: "Strict" });
    if (strict === undefined || isMadeByOthers(strict, all)) continue;
    mistakes.push(...mistakesOf(strict, each));
    if (strict.status.code !== UNKNOWN_FIELDS) continue;
    // The plane names fields it does not know before it looks at any value; we want to hear of
    // both.
    const lenient = await refusalOf(client, each, { ...of, fieldValidation: "Ignore" });
    if (lenient !== undefined && !isMadeByOthers(lenient, all)) {
      mistakes.push(...mistakesOf(lenient, each));
    }
  }
  throwMistakes("invalid-file", mistakes);
}

const UNKNOWN_FIELDS = 400;

/** What the plane would have against the document; undefined when nothing. */
async function refusalOf(
  client: ApiClient,
  each: LocatedManifest,
  of: ApplyOf & Pick<Sending, "fieldValidation">,
): Promise<Refusal | undefined> {
  try {
    await send(client, each, { ...of, isDryRun: true });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal && isTheFiles(error)) return error;
    throw error;
  }
}

export async function applyOne(
  client: ApiClient,
  each: LocatedManifest,
  of: ApplyOf,
): Promise<Applied> {
  const before = await find(client, each);
  const after = await send(client, each, { ...of, fieldValidation: "Strict", isDryRun: false });
  return changeBetween(before, after);
}

export interface Compared {
  readonly change: Applied;
  readonly before?: ShownObject | undefined;
  readonly after: ShownObject;
}

/** What an apply of the document would do. */
export async function compareOne(
  client: ApiClient,
  each: LocatedManifest,
  of: ApplyOf,
): Promise<Compared> {
  const before = await find(client, each);
  const after = await afterTrial(client, each, of);
  return { change: changeBetween(before, after), before, after };
}

async function afterTrial(
  client: ApiClient,
  each: LocatedManifest,
  of: ApplyOf,
): Promise<ShownObject> {
  try {
    return await send(client, each, { ...of, fieldValidation: "Strict", isDryRun: true });
  } catch (error) {
    if (!(error instanceof Refusal) || !isTheFiles(error)) throw error;
    // Another document makes what this one needs; until then the plane cannot fill in defaults.
    return each.manifest.object as unknown as ShownObject;
  }
}

function changeBetween(before: ShownObject | undefined, after: ShownObject): Applied {
  if (before === undefined) return "created";
  return isDeepStrictEqual(writtenOf(before), writtenOf(after)) ? "unchanged" : "changed";
}

/** What the plane refuses, at the place in the file that it is about. */
export async function explainingFiles<T>(
  each: LocatedManifest,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof Refusal && isTheFiles(error)) {
      throwMistakes("invalid-file", mistakesOf(error, each));
    }
    throw error;
  }
}

async function find(
  client: ApiClient,
  { target }: LocatedManifest,
): Promise<ShownObject | undefined> {
  try {
    return await client.get<ShownObject>(objectPath(target));
  } catch (error) {
    if (error instanceof Refusal && error.status.code === 404) return undefined;
    throw error;
  }
}

function writtenOf(object: ShownObject): unknown {
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = object.metadata;
  return { labels, annotations, finalizers, ownerReferences, ...contentOf(object) };
}

interface Sending extends ApplyOf {
  readonly isDryRun: boolean;
  readonly fieldValidation: "Strict" | "Ignore";
}

function send(
  client: ApiClient,
  { manifest, target }: LocatedManifest,
  of: Sending,
): Promise<ShownObject> {
  const { namespace } = target;
  const metadata = {
    ...recordOf(manifest.object["metadata"]),
    ...(namespace === "" ? {} : { namespace }),
  };
  return client.send<ShownObject>("PATCH", objectPath(target), {
    contentType: "application/apply-patch+yaml",
    body: { ...manifest.object, metadata },
    query: {
      fieldManager: of.fieldManager,
      fieldValidation: of.fieldValidation,
      force: of.force ? "true" : undefined,
      dryRun: of.isDryRun ? "All" : undefined,
    },
  });
}

/** What the sender can correct in the file; being let in at all is another matter. */
const isTheFiles = ({ status: { code } }: Refusal): boolean =>
  code >= 400 && code < 500 && code !== 401 && code !== 403 && code !== 429;

/** In a trial nothing is made, so what one document names may be what another one makes. */
function isMadeByOthers({ status }: Refusal, all: readonly LocatedManifest[]): boolean {
  const isMade = (kind: string, name: string): boolean =>
    all.some(({ target }) => target.resource.kind === kind && target.name === name);
  if (status.details.kind === "namespaces") return isMade("Tenant", status.details.name ?? "");
  const causes = status.details.causes ?? [];
  return (
    causes.length > 0 &&
    causes.every(({ message = "" }) => {
      const [, kind, name] = /^There is no (\w+) "([^"]+)"/.exec(message) ?? [];
      return kind !== undefined && name !== undefined && isMade(kind, name);
    })
  );
}

function mistakesOf(refusal: Refusal, { manifest, target }: LocatedManifest): readonly Mistake[] {
  const { status } = refusal;
  const at = (field: string, text: string): Mistake => ({
    file: manifest.file,
    ...placeOfField(manifest, field),
    text,
  });
  if (status.details.kind === "namespaces") {
    const { name = "" } = status.details;
    const isNamed = textOf(recordOf(manifest.object["metadata"])["namespace"]) !== "";
    const other = isNamed ? "" : " or name another one here or with -n";
    const text = `metadata.namespace: tenant "${name}" does not exist; apply a Tenant of that name first${other}.`;
    return [at("metadata.namespace", text)];
  }
  const causes = status.details.causes ?? [];
  if (causes.length === 0) return [at("", `${shownName(target)}: ${status.message}`)];
  return causes.map((cause) => {
    const field = fieldOf(cause);
    return at(field, sentence(cause, field));
  });
}

/** A field the kind does not have is only named in the sentence. */
function fieldOf({ field, message = "" }: StatusCause): string {
  if (field !== undefined) return field.replace(/^\./, "");
  return /(?:field|fields) "([^"]+)"/.exec(message)?.[1] ?? "";
}

function sentence({ field, message = "", reason }: StatusCause, path: string): string {
  if (reason === "FieldManagerConflict") {
    return `${path}: ${message}; remove the field, or take it over with --force.`;
  }
  return field === undefined || message.includes(field) ? message : `${path}: ${message}`;
}

/** The second of two would silently win. */
function repeated(all: readonly LocatedManifest[]): Mistake[] {
  const seen = new Map<string, LocatedManifest>();
  const mistakes: Mistake[] = [];
  for (const each of all) {
    const name = shownName(each.target);
    const first = seen.get(name);
    if (first === undefined) seen.set(name, each);
    else {
      const { file } = first.manifest;
      const { line } = placeOfField(first.manifest, "metadata.name");
      mistakes.push({
        file: each.manifest.file,
        ...placeOfField(each.manifest, "metadata.name"),
        text: `${name} is defined twice; first in ${file}:${line}.`,
      });
    }
  }
  return mistakes;
}
