/**
 * What is typed into the form of a new override, and what is made of it: the object that is sent,
 * and the command that does the same.
 */
import {
  type OverrideAction,
  type OverrideTarget,
  TARGET_FIELDS,
  TARGETS,
} from "../../../src/core/model/override.ts";
import { overrideName } from "../../../src/steering/override-name.ts";
import { shellWord } from "../../../src/steering/shell-word.ts";

export type TargetField = (typeof TARGET_FIELDS)[number];

export interface Draft {
  readonly action: OverrideAction;
  /** Which of the sets of fields that the action knows, joined: `region,zone`. */
  readonly about: string;
  readonly target: Readonly<Partial<Record<TargetField, string>>>;
  readonly reason: string;
  readonly ttl: string;
  readonly amount: string;
  /** `tenant/workload`; empty: nothing is to be true when it ends. */
  readonly serves: string;
  readonly serving: string;
  /** Empty: made of what it does. */
  readonly name: string;
}

/** Half an hour is what an incident takes; a longer incident extends it. */
const USUAL_TTL = "30m";

export const emptyDraft = (): Draft => ({
  action: "avoid-zone",
  about: "zone",
  target: {},
  reason: "",
  ttl: USUAL_TTL,
  amount: "1",
  serves: "",
  serving: "1",
  name: "",
});

/** Another action knows other targets; what was typed stays where it fits. */
export function withAction(draft: Draft, action: OverrideAction): Draft {
  const sets = TARGETS[action].map((set) => set.join());
  // The whole cluster is never a default: the user has to choose it.
  const about = sets.includes(draft.about) ? draft.about : sets.find((set) => set !== "");
  return { ...draft, action, about: about ?? "" };
}

export const fieldsOf = ({ about }: Pick<Draft, "about">): readonly TargetField[] =>
  TARGET_FIELDS.filter((field) => about.split(",").includes(field));

const targetOf = (draft: Draft): OverrideTarget =>
  Object.fromEntries(fieldsOf(draft).map((field) => [field, draft.target[field]?.trim() ?? ""]));

export const nameOf = (draft: Draft): string =>
  draft.name.trim() || overrideName(draft.action, targetOf(draft));

/** A missing or invalid number is sent as typed: the plane says best what it expects. */
export function objectOf(draft: Draft) {
  const { action, reason, ttl, amount, serves, serving } = draft;
  const target = targetOf(draft);
  const [tenant = "", ...workload] = serves.trim().split("/");
  return {
    apiVersion: "berth.dev/v1",
    kind: "Override",
    metadata: { name: nameOf(draft) },
    spec: {
      action,
      ...(Object.keys(target).length === 0 ? {} : { target }),
      reason: reason.trim(),
      ttl: ttl.trim(),
      ...(action === "raise-budget" ? { amount: numberOf(amount) } : {}),
      ...(tenant === ""
        ? {}
        : {
            postcondition: { tenant, workload: workload.join("/"), serving: numberOf(serving) },
          }),
    },
  };
}

const numberOf = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text.trim()) : text;

/** e.g. `berth override create avoid-zone --zone eu-a --reason 'shaky power' --ttl 30m` */
export function commandOf(draft: Draft): string {
  const { action, reason, ttl, amount, serves, serving } = draft;
  const { tenant = "", workload, ...place } = targetOf(draft);
  const whose =
    workload === undefined
      ? fieldsOf(draft).includes("tenant")
        ? [["--tenant", tenant]]
        : []
      : [["--workload", `${tenant}/${workload}`]];
  const options = [
    ...Object.entries(place).map(([field, value]) => [`--${field}`, value]),
    ...whose,
    ...(draft.about === "" ? [["--all"]] : []),
    ...(action === "raise-budget" ? [["--by", amount]] : []),
    ["--reason", reason.trim()],
    ["--ttl", ttl.trim()],
    ...(serves.trim() === "" ? [] : [["--postcondition", `${serves.trim()}>=${serving}`]]),
    ...(draft.name.trim() === "" ? [] : [["--name", draft.name.trim()]]),
  ];
  return ["berth override create", action, ...options.flat().map(shellWord)].join(" ");
}
