/**
 * What a put of a secret must keep: an immutable one keeps its values (SE6), and a seal keeps its
 * id, because every value is bound to it (SE3).
 */
import { SECRET_MOST } from "../../model/limits/secret-limits.ts";
import type { ObjectOf } from "../../model/objects.ts";
import type { SecretSpec } from "../../model/secret/secret.ts";
import type { PutOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import type { CommitContext } from "../verdict.ts";
import { sameValue } from "./same-value.ts";

export function secretUnfit(
  _: CommitContext,
  __: ObjectOf<"Secret"> | undefined,
  { key, desired: { spec } }: PutOf<"Secret">,
): Rejection | undefined {
  const bytes = Object.values(spec.values).reduce((sum, value) => sum + value.bytes, 0);
  if (bytes <= SECRET_MOST.secretBytes) return undefined;
  const most = `at most ${SECRET_MOST.secretBytes} bytes`;
  return reject("object-too-large", `${key} data`, most, bytes);
}

/**
 * A rotation seals the same values under another key, which makes other digests of them: then the
 * authority can compare their names and sizes only, and the API, which opens both, compares them.
 */
export function sealBroken(
  { key, spec: held }: ObjectOf<"Secret">,
  { desired: { spec } }: PutOf<"Secret">,
): Rejection | undefined {
  const isResealed = held.seal?.dataKey !== spec.seal?.dataKey;
  if (held.immutable === true && !sameValue(outline(held, isResealed), outline(spec, isResealed))) {
    return reject("bad-object", `${key} data`, "as it is: the secret is immutable", "changed");
  }
  if (held.seal === undefined || spec.seal === undefined) return undefined;
  return held.seal.id === spec.seal.id
    ? undefined
    : reject("bad-object", `${key} seal.id`, held.seal.id, spec.seal.id);
}

const outline = ({ type, immutable, values }: SecretSpec, isResealed: boolean): unknown => ({
  type,
  immutable: immutable === true,
  values: Object.fromEntries(
    Object.entries(values).map(([name, { digest, bytes }]) => [
      name,
      isResealed ? { bytes } : { digest, bytes },
    ]),
  ),
});
