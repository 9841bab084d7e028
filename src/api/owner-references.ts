/**
 * The owners of an object, between the core's form and Kubernetes' `ownerReferences` (OB10). Only
 * objects of Berth can be owners: of another kind, Berth cannot know when its objects are gone.
 */
import { ALL_DEFINITIONS, definitionOf } from "../core/kinds/kind-definitions.ts";
import { type Kind, type ObjectKey, parseKey, type Uid } from "../core/model/ids.ts";
import type { Owner } from "../core/model/owner.ts";
import type { FieldMistake } from "./api-kind.ts";
import { API_VERSION, COORDINATION_GROUP } from "./group-version.ts";
import { apiVersionOf } from "./kinds/kubernetes-form.ts";

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** As Kubernetes' own clients call it. */
const KUBERNETES_LEASE = { apiVersion: `${COORDINATION_GROUP}/v1`, kind: "Lease" } as const;

function kindOf({ apiVersion, kind }: OwnerReference): Kind | undefined {
  if (apiVersion === KUBERNETES_LEASE.apiVersion) {
    return kind === KUBERNETES_LEASE.kind ? "LeaderLease" : undefined;
  }
  return ALL_DEFINITIONS.find(
    (definition) => definition.kind === kind && apiVersionOf(definition) === apiVersion,
  )?.kind;
}

/** What a person who wrote them is told before the authority is asked. */
export function ownerMistakes(
  references: readonly OwnerReference[] | undefined,
): readonly FieldMistake[] {
  return (references ?? []).flatMap((reference, at) =>
    kindOf(reference) === undefined
      ? [
          {
            field: `metadata.ownerReferences[${at}]`,
            message: `Berth has no kind "${reference.kind}" of ${reference.apiVersion}, so it cannot know when its objects are gone. Name an object of ${API_VERSION}, or put a finalizer on the owner.`,
          },
        ]
      : [],
  );
}

/** `ownerMistakes` has found none. */
export const readOwners = (
  references: readonly OwnerReference[],
  namespace: string,
): readonly Owner[] =>
  references.flatMap((reference) => {
    const kind = kindOf(reference);
    if (kind === undefined) return [];
    const { name, uid, controller, blockOwnerDeletion } = reference;
    const within = definitionOf(kind).scope === "cluster" ? "" : namespace;
    return [
      {
        key: `${kind}/${within}/${name}` as ObjectKey,
        uid: uid as Uid,
        ...(controller === true ? { isController: true } : {}),
        ...(blockOwnerDeletion === undefined ? {} : { blocksDeletion: blockOwnerDeletion }),
      },
    ];
  });

export const showOwners = (owners: readonly Owner[]): readonly OwnerReference[] =>
  owners.map(({ key, uid, isController, blocksDeletion }) => {
    const { kind, name } = parseKey(key);
    return {
      ...(kind === "LeaderLease"
        ? KUBERNETES_LEASE
        : { apiVersion: apiVersionOf(definitionOf(kind)), kind }),
      name,
      uid,
      ...(isController === undefined ? {} : { controller: isController }),
      ...(blocksDeletion === undefined ? {} : { blockOwnerDeletion: blocksDeletion }),
    };
  });
