/**
 * What is true of one kind, wherever it is used: what people call it, who owns it, who writes it,
 * what a spec must look like, which objects it names, and what keeps it from going. Each kind has
 * one file that says it, and `kind-definitions.ts` holds all of them. What depends on the sender,
 * the clock or the history of an object is checked by the authority; how a kind looks to clients is
 * the API's.
 */
import type { Role } from "../model/actor.ts";
import type { Kind, ObjectKey } from "../model/ids.ts";
import type { AnyObject, ObjectOf } from "../model/objects.ts";
import type { ObjectIndex } from "../observe/object-index.ts";
import type { WrittenKind } from "../protocol/command.ts";
import type { Rejection } from "../protocol/rejection.ts";
import type { Fields, FieldsOf, Unsupported } from "./fields/field.ts";
import type { Bad } from "./well-formed/malformed-amounts.ts";

/** What every kind has. */
export interface CommonDefinition<K extends Kind = Kind> {
  readonly kind: K;
  /** The word in a path; the singular is the kind in lower case. */
  readonly plural: string;
  readonly shortNames: readonly string[];
  /** What earlier versions called it: a manifest of that kind is rejected with today's name. */
  readonly formerKind?: string;
  /** Whether each object belongs to a tenant, which is then its namespace. */
  readonly scope: "tenant" | "cluster";
  readonly writer: "people" | "plane";
  /**
   * Kubernetes' own kind: it is served under this group of Kubernetes alone, and its fields stand
   * beside the metadata, not in a spec. Left out: it is Berth's.
   */
  readonly kubernetesGroup?: string;
  /** Names may have what a path may have, such as the colon of `system:node`. */
  readonly hasPathNames?: true;
  /**
   * A field that the server does not know is always an error: without it, the object would say more
   * than its author meant (a misspelt `resourceNames` of a role allows all names).
   */
  readonly knowsAllFields?: true;
  /** Set when a namespace has one object of the kind, under this name. */
  readonly onlyName?: string;
  /** Clients also see measurements of it, which change without a commit. */
  readonly isMeasured?: true;
  /** A person set when it ends, and nothing else ends it: it belongs to no other object. */
  readonly endsByItself?: true;
  /** It needs a tenant that stays, keeps the tenant from going, and is deleted with it (OB8). */
  readonly goesWithTenant?: true;
  /** The finalizer of the plane that keeps it until what depends on it is gone. */
  readonly guard?: Guard;
  /** The role that asks for its deletion; undefined: it only ends by release or with its node. */
  readonly deletedBy: Role | undefined;
  /** Why it cannot go for good yet; left out: nothing holds it. */
  stillUsed?(objects: ObjectIndex, held: ObjectOf<K>): Rejection | undefined;
  /** What goes in the same commit as it does. */
  dependents?(objects: ObjectIndex, held: ObjectOf<K>): readonly AnyObject[];
}

export interface Guard {
  readonly finalizer: string;
  /** The controller that takes it off; a person who could would orphan what it guards (OB3). */
  readonly lifter: Role;
  /** Put on with the object, or by a deletion that finds it still in use. */
  readonly from: "creation" | "deletion";
}

/** Another object that a spec names. */
export interface Reference {
  readonly key: ObjectKey;
  /** One that is being deleted is as good as none. */
  readonly mustStay: boolean;
}

/** What a spec is like: field by field, and what must hold between its fields. */
export interface SpecDefinition<Spec> {
  /** What the spec says, in a line. */
  readonly about: string;
  readonly fields: FieldsOf<Spec>;
  /** A manifest may do without a spec. */
  readonly isOptional?: true;
  /** A manifest of it, for the reference. */
  readonly example: Example;
  /** How people write it, where that is not the core's form of it. */
  readonly written?: WrittenForm<Spec>;
  /** Fields that a user may well expect, each with the reason why it is refused. */
  readonly unsupported?: Unsupported;
  readonly rules?: readonly Rule<Spec>[];
}

/** What must hold between fields; it may find one mistake or several. */
export type Rule<Spec> = (spec: Spec) => BrokenRule | readonly BrokenRule[] | undefined;

/** The fields that people write, how they become the core's form, and how that is shown. */
export interface WrittenForm<Spec> {
  readonly fields: Fields;
  readonly read: (written: object) => Spec;
  readonly write: (spec: Spec) => object;
  /** What must hold between the fields that people write, with their paths there. */
  readonly rules: readonly Rule<object>[];
}

export interface Example {
  readonly name: string;
  readonly namespace?: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Two fields that do not go together. */
export interface BrokenRule {
  /** The path of the one to change, below `spec` and by the core's names. */
  readonly field: string;
  readonly found: string | number;
  readonly expected: string;
  /**
   * The same as people read it who wrote a manifest or a world; left out: made of the two above.
   */
  readonly message?: string;
}

/** A kind that people write. */
export interface WrittenDefinition<
  K extends WrittenKind = WrittenKind,
> extends CommonDefinition<K> {
  readonly writer: "people";
  /**
   * Several manifests are applied in the order of this number, so that what others name comes
   * before what names it; those of one number are applied as they were written.
   */
  readonly applyStep: number;
  /** What it is, in a line. */
  readonly about: string;
  readonly spec: SpecDefinition<ObjectOf<K>["spec"]>;
  /** What the rules rely on in its spec beyond its shape (OB5). */
  malformed?(spec: ObjectOf<K>["spec"], bad: Bad): Rejection | undefined;
  /** Besides its tenant. A put is refused while one of them is missing. */
  references?(spec: ObjectOf<K>["spec"], namespace: string): readonly Reference[];
}

/** A kind that comes into being by commands of the control plane only. */
export interface PlaneDefinition<K extends Kind> extends CommonDefinition<K> {
  readonly writer: "plane";
}

export type KindDefinition<K extends Kind> = K extends WrittenKind
  ? WrittenDefinition<K>
  : PlaneDefinition<K>;

/** Kinds that no manifest has to wait for come last. */
export const APPLIED_LAST = 1_000;
