/**
 * The messages of Kubernetes' API that clients send in binary form, field by field: kubectl writes
 * namespaces, roles, bindings and questions about access in no other. Fields that are not in these
 * tables are passed over, as are times and what only a server writes.
 */

/** What one field holds. `texts` and `messages` may be there several times; `bytes` is a map. */
export type MessageField =
  | { readonly name: string; readonly form: "text" | "texts" | "flag" | "number" | "map" | "bytes" }
  | { readonly name: string; readonly form: "message" | "messages"; readonly of: Message };

/** By the number of the field. */
export type Message = Readonly<Record<number, MessageField>>;

const text = (name: string): MessageField => ({ name, form: "text" });
const texts = (name: string): MessageField => ({ name, form: "texts" });
const flag = (name: string): MessageField => ({ name, form: "flag" });
const one = (name: string, of: Message): MessageField => ({ name, form: "message", of });
const many = (name: string, of: Message): MessageField => ({ name, form: "messages", of });

const metadata = one("metadata", {
  1: text("name"),
  2: text("generateName"),
  3: text("namespace"),
  5: text("uid"),
  6: text("resourceVersion"),
  11: { name: "labels", form: "map" },
  12: { name: "annotations", form: "map" },
  13: many("ownerReferences", {
    1: text("kind"),
    3: text("name"),
    4: text("uid"),
    5: text("apiVersion"),
    6: flag("controller"),
    7: flag("blockOwnerDeletion"),
  }),
  14: texts("finalizers"),
});

const rules = many("rules", {
  1: texts("verbs"),
  2: texts("apiGroups"),
  3: texts("resources"),
  4: texts("resourceNames"),
  5: texts("nonResourceURLs"),
});
const role: Message = { 1: metadata, 2: rules };
const binding: Message = {
  1: metadata,
  2: many("subjects", {
    1: text("kind"),
    2: text("apiGroup"),
    3: text("name"),
    4: text("namespace"),
  }),
  3: one("roleRef", { 1: text("apiGroup"), 2: text("kind"), 3: text("name") }),
};

const resourceAttributes = one("resourceAttributes", {
  1: text("namespace"),
  2: text("verb"),
  3: text("group"),
  4: text("version"),
  5: text("resource"),
  6: text("subresource"),
  7: text("name"),
});
const nonResourceAttributes = one("nonResourceAttributes", { 1: text("path"), 2: text("verb") });
const asked: Message = { 1: resourceAttributes, 2: nonResourceAttributes };
const askedOf: Message = { ...asked, 3: text("user"), 4: texts("groups") };
const review = (spec: Message): Message => ({ 1: metadata, 2: one("spec", spec) });

const secret: Message = {
  1: metadata,
  2: { name: "data", form: "bytes" },
  3: text("type"),
  4: { name: "stringData", form: "map" },
  5: flag("immutable"),
};

/** By `apiVersion/kind`. */
export const MESSAGES: ReadonlyMap<string, Message> = new Map([
  ["v1/Namespace", { 1: metadata }],
  ["v1/Secret", secret],
  ["rbac.authorization.k8s.io/v1/Role", role],
  ["rbac.authorization.k8s.io/v1/ClusterRole", role],
  ["rbac.authorization.k8s.io/v1/RoleBinding", binding],
  ["rbac.authorization.k8s.io/v1/ClusterRoleBinding", binding],
  ["authorization.k8s.io/v1/SelfSubjectAccessReview", review(asked)],
  ["authorization.k8s.io/v1/SubjectAccessReview", review(askedOf)],
  ["authorization.k8s.io/v1/LocalSubjectAccessReview", review(askedOf)],
  ["authorization.k8s.io/v1/SelfSubjectRulesReview", review({ 1: text("namespace") })],
  ["authentication.k8s.io/v1/SelfSubjectReview", { 1: metadata }],
]);

/** Its version is that of the object that it deletes. */
export const DELETE_OPTIONS: Message = {
  1: { name: "gracePeriodSeconds", form: "number" },
  2: one("preconditions", { 1: text("uid"), 2: text("resourceVersion") }),
  4: text("propagationPolicy"),
  5: texts("dryRun"),
};
