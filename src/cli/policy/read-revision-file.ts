/**
 * A policy revision in a file that is not in any plane yet, checked as far as that can be done
 * without one.
 */
import { policyRevisionKind } from "../../api/kinds/policy-revision.ts";
import { checkObject } from "../../api/schema/check-object.ts";
import type { PolicyRevisionSpec } from "../../core/model/policy.ts";
import { recordOf, textOf } from "../../steering/api-object.ts";
import { UserError } from "../../shell/errors.ts";
import { placeOfField } from "../manifests/place-of-field.ts";
import { type Manifest, readManifests, throwMistakes } from "../manifests/read-manifests.ts";

export interface RevisionInFile {
  readonly name: string;
  readonly spec: PolicyRevisionSpec;
}

export async function readRevisionFile(file: string): Promise<RevisionInFile> {
  const manifests = await readManifests([file]);
  const [manifest, ...others] = manifests.filter(
    ({ object }) => object["kind"] === policyRevisionKind.kind,
  );
  if (manifest === undefined || others.length > 0) {
    const found = manifest === undefined ? "none" : `${1 + others.length}`;
    throw new UserError("invalid-file", `Expected one PolicyRevision, found ${found}.`, { file });
  }
  const { unknownFields, mistakes } = checkObject(policyRevisionKind, manifest.object);
  complain(manifest, [...unknownFields, ...mistakes]);
  const desired = policyRevisionKind.toDesired(manifest.object["spec"]);
  if (!("kind" in desired)) complain(manifest, desired);
  if (!("kind" in desired) || desired.kind !== "PolicyRevision") {
    throw new UserError("invalid-file", "Expected kind PolicyRevision.", { file });
  }
  return { name: textOf(recordOf(manifest.object["metadata"])["name"]), spec: desired.spec };
}

function complain(
  manifest: Manifest,
  mistakes: readonly { readonly field: string; readonly message: string }[],
): void {
  const placed = mistakes.map(({ field, message }) => ({
    file: manifest.file,
    ...placeOfField(manifest, field),
    text: `${field}: ${message}`,
  }));
  throwMistakes("invalid-file", placed);
}
