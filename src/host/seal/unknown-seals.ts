/**
 * Which secrets of a log no key at hand opens. A plane asks at its start, so that a wrong key is
 * noticed then and not when a replica needs its password (SE8).
 */
import type { Secret } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { SecretKeys } from "./secret-keys.ts";

export interface UnknownSeals {
  /** The first of them, as people write it. */
  readonly example: string;
  readonly keyIds: readonly string[];
  readonly secrets: number;
}

export function unknownSeals(
  objects: ObjectIndex,
  keys: SecretKeys | undefined,
): UnknownSeals | undefined {
  const closed = [...objects.all("Secret").values()].filter(
    ({ spec: { seal } }) => seal !== undefined && keys?.find(seal.keyId) === undefined,
  );
  const [first] = closed;
  if (first === undefined) return undefined;
  const keyIds = [...new Set(closed.map(idOf))].toSorted();
  const { namespace, name } = first.meta;
  return { example: `${namespace}/${name}`, keyIds, secrets: closed.length };
}

const idOf = ({ spec }: Secret): string => spec.seal?.keyId ?? "";
