/** Resources that are questions: each is posted and answered at once, and no object comes of it. */
import { AUTHENTICATION_GROUP, AUTHORIZATION_GROUP } from "./access-review.ts";

export interface AskedResource {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
}

const of = (group: string, kind: string, isNamespaced = false): AskedResource => ({
  group,
  kind,
  plural: `${kind.toLowerCase()}s`,
  isNamespaced,
});

export const ASKED_RESOURCES: readonly AskedResource[] = [
  of(AUTHENTICATION_GROUP, "SelfSubjectReview"),
  of(AUTHORIZATION_GROUP, "LocalSubjectAccessReview", true),
  of(AUTHORIZATION_GROUP, "SelfSubjectAccessReview"),
  of(AUTHORIZATION_GROUP, "SelfSubjectRulesReview"),
  of(AUTHORIZATION_GROUP, "SubjectAccessReview"),
];

export const ASKED_GROUPS: readonly string[] = [AUTHENTICATION_GROUP, AUTHORIZATION_GROUP];
