/**
 * Reads objects from files without asking a plane: every mistake is told at its line and column,
 * all of a file at once.
 */
import {
  fieldsOf,
  writtenDefinitionOf,
  WRITTEN_DEFINITIONS,
} from "../../core/kinds/kind-definitions.ts";
import { malformedSpec } from "../../core/kinds/well-formed/malformed-spec.ts";
import { keyOf, type Uid } from "../../core/model/ids.ts";
import type { AnyObject, Labels, ObjectOf } from "../../core/model/objects.ts";
import type { WrittenKind } from "../../core/protocol/command.ts";
import { reject } from "../../core/protocol/rejection.ts";
import { writtenNames } from "../../manifest/read-fields.ts";
import { Cursor, type Fields } from "../../scenario/cursor.ts";
import { type Mistake, Mistakes } from "../../scenario/mistakes.ts";
import { readName, References } from "../../scenario/references.ts";
import { readSpec } from "../../scenario/written-cursor.ts";
import { DEFAULT_TENANT } from "../manifests/locate-manifests.ts";
import { type Manifest, readManifests } from "../manifests/read-manifests.ts";

export interface ReadObject<K extends WrittenKind = WrittenKind> {
  readonly object: ObjectOf<K>;
  /** Where it stands, to tell what is wrong with it beside other objects. */
  readonly top: Fields;
}

const API_VERSION = "berth.dev/v1";
const FIELDS = ["apiVersion", "kind", "metadata", "spec", "status"] as const;
const METADATA = ["name", "namespace", "labels", "annotations"] as const;

/** `check` may note more mistakes; nothing is returned while there are any. */
export async function readObjects<K extends WrittenKind>(
  paths: readonly string[],
  kinds: readonly K[],
  check: (read: ReadObject<K>) => void,
): Promise<readonly ReadObject<K>[]> {
  const mistakes = new Map<string, CountedMistakes>();
  const read = (await readManifests(paths)).flatMap((manifest) => {
    const { file } = manifest;
    const noted = mistakes.get(file) ?? new CountedMistakes(file);
    mistakes.set(file, noted);
    const one = readObject(manifest, kinds, noted);
    if (one === undefined) return [];
    check(one);
    return [one];
  });
  for (const noted of mistakes.values()) noted.throwIfAny("invalid-file");
  return read;
}

/** What the core finds of stand-ins for what could not be read would be told twice. */
class CountedMistakes extends Mistakes {
  count = 0;

  override add(mistake: Mistake): void {
    this.count += 1;
    super.add(mistake);
  }
}

export const EVERY_KIND: readonly WrittenKind[] = WRITTEN_DEFINITIONS.map(({ kind }) => kind);

function readObject<K extends WrittenKind>(
  { document, lines }: Manifest,
  kinds: readonly K[],
  mistakes: CountedMistakes,
): ReadObject<K> | undefined {
  const top = Cursor.root({ document, lines, mistakes }).fields(FIELDS);
  top.need("apiVersion").choice([API_VERSION]);
  const kindAt = top.need("kind");
  const kind = kindAt.choice(kinds);
  // Of another kind than it says, every field would be a mistake.
  if (kindAt.isMissing || kindAt.scalar() !== kind) return undefined;
  const metadata = top.need("metadata").fields(METADATA);
  const name = readName(metadata.need("name"));
  const definition = writtenDefinitionOf(kind);
  const isOwned = definition?.scope === "tenant";
  const namespace = isOwned ? metadata.get("namespace", readName, DEFAULT_TENANT) : "";
  const labels = metadata.get("labels", readLabels, {});
  if (definition === undefined) return undefined;
  const before = mistakes.count;
  const spec = specOf(kind, top);
  const wrong =
    mistakes.count > before
      ? undefined
      : malformedSpec(definition, spec, (field, expected, actual) =>
          reject("bad-object", field, expected, actual),
        );
  if (wrong !== undefined) {
    top.place(wrong.field).fail(`found ${wrong.actual}, expected ${wrong.expected}.`);
  }
  const meta = {
    namespace,
    name,
    uid: "" as Uid,
    generation: 1,
    revision: 0,
    createdMs: 0,
    labels,
    finalizers: [],
    deletingMs: undefined,
  };
  const key = keyOf({ kind, namespace, name });
  const object = { kind, key, meta, spec, status: {} } as unknown as AnyObject;
  return { object: object as ObjectOf<K>, top };
}

function specOf(kind: WrittenKind, top: Fields): object {
  const { spec } = writtenDefinitionOf(kind) ?? {};
  if (spec?.isOptional === true && !top.has("spec")) return {};
  return readSpec(kind, top.need("spec").fields(writtenNames(fieldsOf(kind))), new References());
}

function readLabels(cursor: Cursor): Labels {
  const entries = [...cursor.entries()].map(([key, { value }]) => [key, value.text()] as const);
  return Object.fromEntries(entries);
}
