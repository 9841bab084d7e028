/** The fields of roles and of role bindings, in the form that Kubernetes gives them. */
import {
  type AccessRule,
  type BindingSubject,
  RBAC_GROUP,
  type RoleBindingSpec,
  type RoleRef,
  type RoleSpec,
} from "../../model/access.ts";
import { ACCESS_LIMITS } from "../../model/limits/access-limits.ts";
import type { BrokenRule, SpecDefinition } from "../kind-definition.ts";
import { PATH_NAME } from "../object-name.ts";
import { writtenAs } from "../written-form.ts";
import {
  choice,
  type Field,
  type FieldsOf,
  filled,
  list,
  name,
  object,
  optional,
  orEmpty,
  patterned,
} from "./field.ts";

const { entries, resourceNames, wordCharacters, subjectCharacters } = ACCESS_LIMITS;

/** Of a list of words in a rule. The core group of Kubernetes is the empty word. */
const word = (about: string, least: 0 | 1 = 1): Field<string> =>
  patterned(about, {
    most: wordCharacters.value,
    pattern: least === 0 ? "^[\\x21-\\x7E]*$" : "^[\\x21-\\x7E]+$",
    expected: `${least === 0 ? "a word or the empty text" : "a word"} without spaces`,
  });

const words = (about: string, each: Field<string>, most: number = entries.value) =>
  list(about, each, { least: 1, most });

export const RULES = orEmpty(
  list(
    "What the role allows. A role without rules allows nothing.",
    object<AccessRule>("One rule. Everything that a rule does not name is refused.", {
      verbs: words(
        "What may be done: get, list, watch, create, update, patch, delete, deletecollection, a power of Berth such as log or exec, or * for all of them.",
        word("A verb."),
      ),
      apiGroups: optional(
        words(
          'The API groups of the resources: berth.dev, "" for the core group, or * for all.',
          word("A group.", 0),
        ),
      ),
      resources: optional(
        words(
          "The resources by their plural, such as workloads or workloads/scale, or * for all.",
          word("A resource."),
        ),
      ),
      resourceNames: optional(
        words(
          "Only objects of these names. Default: all of them.",
          word("The name of an object."),
          resourceNames.value,
        ),
      ),
      nonResourceURLs: optional(
        words(
          "Paths that show no objects, such as /metrics; a * at the end stands for any rest. Only in a ClusterRole.",
          word("A path."),
        ),
      ),
    }),
    { most: ACCESS_LIMITS.rules.value },
  ),
);

/** What holds for the rules of every role. */
export function brokenRoleRules({ rules }: RoleSpec): readonly BrokenRule[] {
  const broken = rules.flatMap((rule, at) => brokenRule(rule, `rules[${at}]`) ?? []);
  const most = ACCESS_LIMITS.combinations.value;
  const found = rules.reduce((sum, rule) => sum + combinationsOf(rule), 0);
  if (broken.length > 0 || found <= most) return broken;
  const expected = `at most ${most} combinations of verb, group, resource and name`;
  return [{ field: "rules", found, expected }];
}

const combinationsOf = (rule: AccessRule): number => {
  const { verbs, apiGroups = [], resources = [], resourceNames: named = [] } = rule;
  return verbs.length * apiGroups.length * resources.length * Math.max(1, named.length);
};

function brokenRule(rule: AccessRule, at: string): BrokenRule | undefined {
  const { apiGroups, resources, resourceNames: named, nonResourceURLs } = rule;
  if (nonResourceURLs !== undefined) {
    return apiGroups === undefined && resources === undefined && named === undefined
      ? undefined
      : {
          field: `${at}.nonResourceURLs`,
          found: "paths and resources",
          expected: "one of them: write a rule for each",
        };
  }
  if (apiGroups === undefined) {
    return { field: `${at}.apiGroups`, found: "none", expected: "at least one group" };
  }
  return resources === undefined
    ? { field: `${at}.resources`, found: "none", expected: "at least one resource" }
    : undefined;
}

/** As people write them: Kubernetes' clients send the group, and compare what they read. */
interface WrittenRef extends RoleRef {
  readonly apiGroup: string;
}

interface WrittenSubject extends BindingSubject {
  readonly apiGroup: string;
}

interface WrittenBinding {
  readonly roleRef: WrittenRef;
  readonly subjects: readonly WrittenSubject[];
}

const ROLE_KIND = "Whether the role is of the namespace of the binding or of the whole cluster.";
const ROLE_NAME = "The name of the role.";
const ROLE = "The role that the binding gives. Cannot be changed.";
const SUBJECTS =
  "The users, groups and service accounts that get the role. A binding without subjects gives it to none.";
const SUBJECT = "One of them.";
const NAMESPACE = "Of a service account: its namespace.";
const KIND = "What it is.";
const GROUP = "The API group. Default: the one that the kind has.";

const named = patterned("Its name, as the plane authenticates it.", {
  most: subjectCharacters.value,
  pattern: "^[^\\x00-\\x1F\\x7F]+$",
  expected: "a name without control characters",
});
const SUBJECT_KINDS = ["User", "Group", "ServiceAccount"] as const;
const most = { most: ACCESS_LIMITS.subjects.value } as const;
const roleName = patterned(ROLE_NAME, {
  most: wordCharacters.value,
  ...PATH_NAME,
});

const subjectFields: FieldsOf<BindingSubject> = {
  kind: choice(KIND, SUBJECT_KINDS),
  name: named,
  namespace: optional(name(NAMESPACE)),
};

/** A RoleBinding may name either kind of role; a ClusterRoleBinding only a ClusterRole. */
export function bindingSpec(
  about: string,
  kinds: readonly RoleRef["kind"][],
  example: SpecDefinition<RoleBindingSpec>["example"],
): SpecDefinition<RoleBindingSpec> {
  const refFields: FieldsOf<RoleRef> = { kind: choice(ROLE_KIND, kinds), name: roleName };
  return {
    about,
    fields: {
      roleRef: object<RoleRef>(ROLE, refFields),
      subjects: orEmpty(list(SUBJECTS, object<BindingSubject>(SUBJECT, subjectFields), most)),
    },
    example,
    rules: [accountsWithoutHome],
    written: writtenAs<RoleBindingSpec, WrittenBinding>({
      fields: {
        roleRef: object<WrittenRef>(ROLE, {
          apiGroup: filled(choice(GROUP, [RBAC_GROUP]), RBAC_GROUP),
          ...refFields,
        }),
        subjects: orEmpty(
          list(
            SUBJECTS,
            object<WrittenSubject>(SUBJECT, {
              kind: subjectFields.kind,
              apiGroup: filled(choice(GROUP, ["", RBAC_GROUP]), ""),
              name: named,
              namespace: subjectFields.namespace,
            }),
            most,
          ),
        ),
      },
      read: ({ roleRef, subjects }) => ({
        roleRef: { kind: roleRef.kind, name: roleRef.name },
        subjects: subjects.map(({ kind, name: of, namespace }) => ({
          kind,
          name: of,
          ...(namespace === undefined ? {} : { namespace }),
        })),
      }),
      write: ({ roleRef, subjects }) => ({
        roleRef: { apiGroup: RBAC_GROUP, ...roleRef },
        subjects: subjects.map((subject) => ({ ...subject, apiGroup: groupOf(subject) })),
      }),
      rules: [accountsWithoutHome],
    }),
  };
}

const groupOf = ({ kind }: BindingSubject): string => (kind === "ServiceAccount" ? "" : RBAC_GROUP);

/** Without its namespace a service account has no name; users and groups are in none. */
function accountsWithoutHome({ subjects }: Pick<RoleBindingSpec, "subjects">): BrokenRule[] {
  return subjects.flatMap(({ kind, namespace }, at) => {
    const isAccount = kind === "ServiceAccount";
    if (isAccount === (namespace !== undefined)) return [];
    return {
      field: `subjects[${at}].namespace`,
      found: namespace ?? "none",
      expected: isAccount ? "the namespace of the service account" : `none beside a ${kind}`,
    };
  });
}
