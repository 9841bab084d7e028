/**
 * A fleet after a change of manifests: the authority checks each as it would check the real one,
 * and then the plane's own controllers settle the twin.
 */
import { kindByName } from "../../api/kinds/all-kinds.ts";
import { apply } from "../../core/commit/apply.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import { APPLIED_LAST } from "../../core/kinds/kind-definition.ts";
import { definitionOf, writtenDefinitionOf } from "../../core/kinds/kind-definitions.ts";
import { keyOf, operationId } from "../../core/model/ids.ts";
import type { Labels } from "../../core/model/objects.ts";
import type { Desired, IntentOf } from "../../core/protocol/command.ts";
import { allOf, type Fleet } from "../../fleet/fleet.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { settleFleet } from "../../twin/settle-fleet.ts";
import { DEFAULT_TENANT } from "../manifests/locate-manifests.ts";
import { placeOfField } from "../manifests/place-of-field.ts";
import {
  type Manifest,
  type Mistake,
  readManifests,
  throwMistakes,
} from "../manifests/read-manifests.ts";

interface ReadChange {
  readonly manifest: Manifest;
  readonly put: IntentOf<"put">;
}

export async function changeFleet(fleet: Fleet, paths: readonly string[]): Promise<Fleet> {
  const mistakes: Mistake[] = [];
  const changes = (await readManifests(paths)).flatMap((manifest) => readChange(manifest, mistakes));
  throwMistakes("invalid-file", mistakes);
  const ordered = changes.toSorted((a, b) => stepOf(a) - stepOf(b));
  const ledger = new Ledger();
  const revision = Math.max(1, ...fleet.objects.map(({ meta }) => meta.revision));
  const atMs = Math.max(0, ...fleet.objects.map(({ meta }) => meta.createdMs));
  const { objects } = fleet;
  ledger.restore({ revision, epoch: 1, leadSinceMs: 0, objects, operations: [] });
  for (const { manifest, put } of ordered) {
    const actor = { role: "user", name: "review" } as const;
    const command = { intent: put, epoch: 1, basis: ledger.revision, actor };
    const { outcome, commit } = apply(ledger, command, atMs);
    if (commit !== undefined) ledger.fold(commit);
    if (!("code" in outcome)) continue;
    const { code, field, expected, actual } = outcome;
    const text = `${field}: expected ${expected}, found ${actual} (${code}).`;
    mistakes.push({ file: manifest.file, ...placeOfField(manifest, "metadata.name"), text });
  }
  throwMistakes("invalid-file", mistakes);
  const changed = { source: `${fleet.source}, changed`, objects: allOf(ledger.objects) };
  return settleFleet(changed);
}

const stepOf = ({ put }: ReadChange): number =>
  writtenDefinitionOf(put.desired.kind)?.applyStep ?? APPLIED_LAST;

function readChange(manifest: Manifest, mistakes: Mistake[]): readonly ReadChange[] {
  const { kind, metadata, spec } = manifest.object;
  const fail = (field: string, text: string): [] => {
    mistakes.push({ file: manifest.file, ...placeOfField(manifest, field), text });
    return [];
  };
  const api = typeof kind === "string" ? kindByName(kind) : undefined;
  if (api === undefined || definitionOf(api.kind).writer !== "people") {
    return fail("kind", `kind: found ${JSON.stringify(kind)}; expected a kind that people write.`);
  }
  const { name: named, namespace: owner, labels } = recordOf(metadata);
  const name = textOf(named);
  if (name === "") return fail("metadata.name", "metadata.name: required; expected a name.");
  const desired = api.toDesired(spec);
  if (Array.isArray(desired)) {
    for (const { field, message } of desired) fail(field, `${field}: ${message}`);
    return [];
  }
  const namespace = api.isNamespaced ? textOf(owner) || DEFAULT_TENANT : "";
  const key = keyOf({ kind: api.kind, namespace, name });
  const put: IntentOf<"put"> = {
    kind: "put",
    operation: operationId(`review/${key}`),
    key,
    desired: desired as Desired,
    labels: recordOf(labels) as Labels,
    finalizers: [],
    expect: {},
  };
  return [{ manifest, put }];
}
