/**
 * Makes an `ApiKind` of functions that know which kind of object they are given. The server holds
 * objects of every kind and picks the kind by name; the one place where that is narrowed is here.
 */
import type { TSchema } from "typebox";
import { definitionOf } from "../../core/kinds/kind-definitions.ts";
import { assert } from "../../core/model/assert.ts";
import type { Desired } from "../../core/protocol/command.ts";
import type { Kind, ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Labels, ObjectOf } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { ApiKind, FieldMistake, TableColumn } from "../api-kind.ts";
import { objectSchema } from "../schema/object-schema.ts";
import { writeClientConditions } from "./status/condition.ts";

export interface Column<K extends Kind> extends Omit<TableColumn, "cell" | "priority"> {
  /** Shown only with -o wide. */
  readonly isWide?: boolean;
  readonly cell: (object: ObjectOf<K>, objects: ObjectIndex) => string | number;
}

interface Shown {
  readonly spec: unknown;
  readonly status: unknown;
}

export interface KindParts<K extends Kind> {
  readonly kind: K;
  /**
   * Set where objects of the kind are also served as another; left out: the names of its
   * definition.
   */
  readonly servedAs?: Pick<ApiKind, "plural" | "singular" | "shortNames" | "isNamespaced">;
  readonly description: string;
  readonly spec: TSchema;
  readonly status?: TSchema;
  /** The types of condition that the plane itself computes; all others are the clients'. */
  readonly planeConditions?: readonly string[];
  readonly columns: readonly Column<K>[];
  readonly selectableFields?: Readonly<Record<string, (object: ObjectOf<K>) => string>>;
  readonly toApi: (object: ObjectOf<K>, objects: ObjectIndex) => Shown;
  /** Absent for kinds that only the control plane writes. */
  readonly toDesired?: (spec: unknown) => Desired | readonly FieldMistake[];
  readonly scale?: ApiKind["scale"];
  /** Labels that follow from the object, besides those that people give it. */
  readonly derivedLabels?: (object: ObjectOf<K>) => Labels;
  /** Set for what the plane makes for another object, and ends with it. */
  readonly owner?: (object: ObjectOf<K>) => { readonly key: ObjectKey; readonly uid: string };
}

/** The last column of every table: kubectl users look for it there. */
const AGE = {
  name: "Age",
  type: "date",
  description: "Time since the object was created.",
  cell: ({ meta }: AnyObject) => meta.createdMs,
} as const;

export function defineKind<K extends Kind>(parts: KindParts<K>): ApiKind {
  const {
    kind,
    scale,
    owner,
    derivedLabels,
    toDesired,
    description,
    servedAs = namesOf(kind),
  } = parts;
  const { writer, onlyName, kubernetesGroup, hasPathNames = false } = definitionOf(kind);
  const form = kubernetesGroup === undefined ? {} : { kubernetesGroup };
  const isWritable = toDesired !== undefined;
  assert(
    parts.servedAs !== undefined || isWritable === (writer === "people"),
    `${kind} is written by ${writer}, and its API says otherwise.`,
  );
  const only = (object: AnyObject): ObjectOf<K> => {
    assert(object.kind === kind, `${object.key} was shown as a ${kind}.`);
    return object as ObjectOf<K>;
  };
  return {
    kind,
    ...servedAs,
    ...form,
    isWritable,
    planeConditions: parts.planeConditions ?? [],
    subresources: [
      ...(parts.status === undefined ? [] : (["status"] as const)),
      ...(scale === undefined ? [] : (["scale"] as const)),
    ],
    description,
    schema: objectSchema({
      ...parts,
      ...form,
      hasPathNames,
      ...(onlyName === undefined ? {} : { onlyName }),
    }),
    columns: [...parts.columns, AGE].map(({ cell, ...column }: Column<K>) => ({
      name: column.name,
      type: column.type,
      ...(column.format === undefined ? {} : { format: column.format }),
      description: column.description,
      priority: column.isWide === true ? 1 : 0,
      cell: (object, objects) => cell(only(object), objects),
    })),
    selectableFields: Object.fromEntries(
      Object.entries(parts.selectableFields ?? {}).map(([field, read]) => [
        field,
        (object: AnyObject) => read(only(object)),
      ]),
    ),
    toApi: (object, objects) => {
      const shown = parts.toApi(only(object), objects);
      return parts.status === undefined ? shown : withClientConditions(shown, object, parts);
    },
    toDesired: toDesired ?? (() => [readOnly(kind)]),
    ...(scale === undefined ? {} : { scale }),
    ...(derivedLabels === undefined
      ? {}
      : { derivedLabels: (object) => derivedLabels(only(object)) }),
    ...(owner === undefined ? {} : { owner: (object) => owner(only(object)) }),
  };
}

function namesOf(kind: Kind): NonNullable<KindParts<Kind>["servedAs"]> {
  const { plural, shortNames, scope } = definitionOf(kind);
  return { plural, singular: kind.toLowerCase(), shortNames, isNamespaced: scope === "tenant" };
}

/** What the plane says comes first, then what clients say of anything else. */
function withClientConditions(
  { spec, status }: Shown,
  { meta: { conditions = [] } }: AnyObject,
  { planeConditions = [] }: { readonly planeConditions?: readonly string[] },
): Shown {
  // A type that the plane has come to own since a client wrote it is the plane's.
  const theirs = conditions.filter(({ type }) => !planeConditions.includes(type));
  if (theirs.length === 0) return { spec, status };
  const { conditions: own = [], ...rest } = status as { readonly conditions?: readonly unknown[] };
  return { spec, status: { ...rest, conditions: [...own, ...writeClientConditions(theirs)] } };
}

const readOnly = (kind: Kind): FieldMistake => ({
  field: "kind",
  message: `A ${kind} is written by the control plane only.`,
});
