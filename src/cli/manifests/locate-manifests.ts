/** Which object of the plane each document is about, and in which order they can be made. */
import { APPLIED_LAST } from "../../core/kinds/kind-definition.ts";
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import type { Located, Resource } from "../client/resources.ts";
import { placeOfField } from "./place-of-field.ts";
import { type Manifest, type Mistake, throwMistakes } from "./read-manifests.ts";

export interface LocatedManifest {
  readonly manifest: Manifest;
  readonly target: Located;
}

/** Kinds that this build does not know come last, as they were written. */
const STEPS: ReadonlyMap<string, number> = new Map(
  WRITTEN_DEFINITIONS.map(({ kind, applyStep }) => [kind, applyStep]),
);

/** Where objects go that name no tenant, as with kubectl; `berth up` creates it. */
export const DEFAULT_TENANT = "default";

export function locateManifests(
  manifests: readonly Manifest[],
  resources: readonly Resource[],
  namespace: string | undefined,
): readonly LocatedManifest[] {
  const mistakes: Mistake[] = [];
  const located = manifests.flatMap((manifest): LocatedManifest[] => {
    const fail = (field: string, text: string): [] => {
      mistakes.push({ file: manifest.file, ...placeOfField(manifest, field), text });
      return [];
    };
    const { apiVersion, kind, metadata } = manifest.object;
    const resource = resources.find((each) => each.kind === kind && each.apiVersion === apiVersion);
    if (resource === undefined) return fail(...wrongType(manifest, resources));
    const name = textOf(recordOf(metadata)["name"]);
    if (name === "") return fail("metadata.name", "metadata.name: required; expected a name.");
    if (!resource.isNamespaced) return [{ manifest, target: { resource, namespace: "", name } }];
    const written = textOf(recordOf(metadata)["namespace"]);
    const owner = written === "" ? (namespace ?? DEFAULT_TENANT) : written;
    if (namespace !== undefined && owner !== namespace) {
      return fail(
        "metadata.namespace",
        `metadata.namespace: found "${owner}", but -n is ${namespace}.`,
      );
    }
    return [{ manifest, target: { resource, namespace: owner, name } }];
  });
  throwMistakes("invalid-file", mistakes);
  return located.toSorted((a, b) => rank(a) - rank(b));
}

const rank = ({ target }: LocatedManifest): number =>
  STEPS.get(target.resource.kind) ?? APPLIED_LAST;

function wrongType(
  manifest: Manifest,
  resources: readonly Resource[],
): [field: string, text: string] {
  const { apiVersion, kind } = manifest.object;
  const writable = resources.filter(({ verbs }) => verbs.includes("create"));
  const ofKind = writable.find((each) => each.kind === kind);
  if (ofKind !== undefined) {
    const found = apiVersion === undefined ? "required" : `found ${JSON.stringify(apiVersion)}`;
    return ["apiVersion", `apiVersion: ${found}; expected ${ofKind.apiVersion}.`];
  }
  const renamed = WRITTEN_DEFINITIONS.find(({ formerKind }) => formerKind === kind);
  if (typeof kind === "string" && renamed !== undefined) {
    return ["kind", `kind: ${kind} is now called ${renamed.kind}. Change the kind.`];
  }
  const known = writable.map((each) => each.kind);
  const hint = typeof kind === "string" ? didYouMean(kind, known) : "";
  const found = kind === undefined ? "required" : `found ${JSON.stringify(kind)}`;
  return ["kind", `kind: ${found}; expected one of ${known.join(", ")}.${hint}`];
}
