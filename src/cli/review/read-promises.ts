/** Reads promises from files: every mistake of all of them at its line and column. */
import { kindByName } from "../../api/kinds/all-kinds.ts";
import type { FieldMistake } from "../../api/api-kind.ts";
import type { CommitmentSpec } from "../../core/model/commitment.ts";
import type { Desired } from "../../core/protocol/command.ts";
import type { StatedPromise } from "../../review/promise.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { DEFAULT_TENANT } from "../manifests/locate-manifests.ts";
import { placeOfField } from "../manifests/place-of-field.ts";
import {
  type Manifest,
  type Mistake,
  readManifests,
  throwMistakes,
} from "../manifests/read-manifests.ts";
import { promisedToOthers } from "../../core/commit/validate/promised-to-others.ts";
import { keyOf } from "../../core/model/ids.ts";

const API_VERSION = "berth.dev/v1";

export async function readPromises(paths: readonly string[]): Promise<readonly StatedPromise[]> {
  const mistakes: Mistake[] = [];
  const seen = new Map<string, Manifest>();
  const promises = (await readManifests(paths)).flatMap((manifest): StatedPromise[] => {
    const fail = (field: string, text: string): void => {
      mistakes.push({ file: manifest.file, ...placeOfField(manifest, field), text });
    };
    const before = mistakes.length;
    const promise = readPromise(manifest, fail);
    if (promise === undefined || mistakes.length > before) return [];
    const name = `${promise.namespace}/${promise.name}`;
    if (seen.has(name)) fail("metadata.name", `metadata.name: ${name} is there twice.`);
    seen.set(name, manifest);
    return [promise];
  });
  throwMistakes("invalid-file", mistakes);
  return promises;
}

type Fail = (field: string, text: string) => void;

function readPromise({ object }: Manifest, fail: Fail): StatedPromise | undefined {
  const { apiVersion, kind, metadata, spec } = object;
  if (kind !== "Commitment") {
    const found = kind === undefined ? "required" : `found ${JSON.stringify(kind)}`;
    const hint = typeof kind === "string" ? didYouMean(kind, ["Commitment"]) : "";
    fail("kind", `kind: ${found}; expected Commitment. A change of the fleet goes to --with.${hint}`);
    return undefined;
  }
  if (apiVersion !== API_VERSION) {
    const found = apiVersion === undefined ? "required" : `found ${JSON.stringify(apiVersion)}`;
    fail("apiVersion", `apiVersion: ${found}; expected ${API_VERSION}.`);
  }
  const name = textOf(recordOf(metadata)["name"]);
  if (name === "") fail("metadata.name", "metadata.name: required; expected a name.");
  const written = textOf(recordOf(metadata)["namespace"]);
  const namespace = written === "" ? DEFAULT_TENANT : written;
  if (spec === undefined) {
    fail("spec", "spec: required; expected a promise.");
    return undefined;
  }
  const desired = kindByName(kind)?.toDesired(spec);
  if (desired === undefined || isMistaken(desired)) {
    for (const { field, message } of desired ?? []) fail(field, `${field}: ${message}`);
    return undefined;
  }
  const promised = desired.spec as CommitmentSpec;
  const other = promisedToOthers(keyOf({ kind, namespace, name }), promised);
  if (other !== undefined) {
    const field = other.field.slice(other.field.indexOf(" ") + 1);
    fail(field, `${field}: found tenant ${other.actual}; expected ${other.expected}.`);
  }
  return { namespace, name, spec: promised };
}

const isMistaken = (
  desired: Desired | readonly FieldMistake[],
): desired is readonly FieldMistake[] => Array.isArray(desired);
