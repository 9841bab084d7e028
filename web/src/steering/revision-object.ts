/** Policies and their revisions as the API shows them, and which revision came before which. */
import { BERTH } from "../live/api.ts";
import type { LiveObject } from "../live/object-message.ts";

export const POLICIES = `${BERTH}/policies`;
export const REVISIONS = `${BERTH}/policyrevisions`;

export interface PolicyObject extends LiveObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface RevisionObject extends LiveObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: { readonly madeAt: number };
}

/** The newest first. */
export const newestFirst = (revisions: Iterable<RevisionObject>): readonly RevisionObject[] =>
  [...revisions].toSorted((a, b) => b.status.madeAt - a.status.madeAt);

export const named = (
  revisions: readonly RevisionObject[],
  name: string,
): RevisionObject | undefined => revisions.find(({ metadata }) => metadata.name === name);

/**
 * A move to a revision that was made earlier is a rollback; one that is not known is not called so.
 */
export function isEarlier(revisions: readonly RevisionObject[], to: string, from: string): boolean {
  const [target, left] = [named(revisions, to), named(revisions, from)];
  return target !== undefined && left !== undefined && target.status.madeAt < left.status.madeAt;
}

/** e.g. "everywhere", "in eu-west" */
export const whereText = (region: string | undefined): string =>
  region === undefined || region === "" ? "everywhere" : `in ${region}`;
