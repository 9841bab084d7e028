/** A manifest as the command that an API server would make of it, for benchmarks without one. */
import { kindByName } from "../../src/api/kinds/all-kinds.ts";
import { checkObject } from "../../src/api/schema/check-object.ts";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import { type Kind, keyOf, operationId } from "../../src/core/model/ids.ts";
import type { Manifest } from "../measure/manifests.ts";

/** The benchmark asks for something that this build does not have. */
export class NotTaken extends Error {
  override readonly name = "NotTaken";
}

export function putOf(manifest: Manifest): IntentOf<"put"> {
  const { kind: name, metadata, spec } = manifest;
  const kind = kindByName(name);
  if (kind === undefined) throw new NotTaken(`This build has no kind ${name}.`);
  const { unknownFields, mistakes } = checkObject(kind, manifest);
  const desired = kind.toDesired(spec);
  const wrong = [...unknownFields, ...mistakes, ...("kind" in desired ? [] : desired)];
  if (wrong.length > 0 || !("kind" in desired)) {
    const list = wrong.map(({ field, message }) => `${field}: ${message}`).join(" ");
    throw new NotTaken(`This build does not take the ${name} of the benchmark. ${list}`);
  }
  const key = keyOf({
    kind: name as Kind,
    namespace: metadata.namespace ?? "",
    name: metadata.name,
  });
  return {
    kind: "put",
    operation: operationId(`put/${key}/bench`),
    key,
    desired,
    labels: metadata.labels ?? {},
    finalizers: [],
    expect: {},
  };
}
