/**
 * What is typed into the form of a new budget, and what is made of it: the object that is sent, and
 * the command that does the same.
 */
import { recoveryBudgetName } from "../../../src/steering/recovery-budget-name.ts";
import { shellWord } from "../../../src/steering/shell-word.ts";

export interface RecoveryBudgetDraft {
  readonly region: string;
  readonly cpu: string;
  readonly memory: string;
  readonly devices: string;
  /** Names with commas between them; empty: all. */
  readonly tenants: string;
  readonly classes: string;
  readonly ttl: string;
  readonly reason: string;
  /** Empty: made of the region and of who grants it. */
  readonly name: string;
}

/** Half an hour is what an incident takes; a longer incident extends it. */
const USUAL_TTL = "30m";

export const emptyRecoveryBudget = (region = ""): RecoveryBudgetDraft => ({
  region,
  cpu: "",
  memory: "",
  devices: "",
  tenants: "",
  classes: "",
  ttl: USUAL_TTL,
  reason: "",
  name: "",
});

const namesIn = (text: string): readonly string[] =>
  text
    .split(/[\s,]+/)
    .map((each) => each.trim())
    .filter((each) => each !== "");

export const nameOfRecoveryBudget = (draft: RecoveryBudgetDraft, owner: string): string =>
  draft.name.trim() || recoveryBudgetName(draft.region.trim(), owner);

/** A missing or invalid amount is sent as typed: the plane says best what it expects. */
export function budgetOf(draft: RecoveryBudgetDraft, owner: string) {
  const { region, cpu, memory, devices, ttl, reason } = draft;
  const tenants = namesIn(draft.tenants);
  const classes = namesIn(draft.classes);
  return {
    apiVersion: "berth.dev/v1",
    kind: "RecoveryBudget",
    metadata: { name: nameOfRecoveryBudget(draft, owner) },
    spec: {
      region: region.trim(),
      cpu: cpu.trim(),
      memory: memory.trim(),
      ...(devices.trim() === "" ? {} : { devices: devices.trim() }),
      ...(tenants.length === 0 ? {} : { tenants }),
      ...(classes.length === 0 ? {} : { classes }),
      ttl: ttl.trim(),
      reason: reason.trim(),
    },
  };
}

/**
 * e.g. `berth budget grant eu --cpu 8 --memory 16Gi --tenant payments --ttl 30m --reason 'zone
 * lost'`
 */
export function grantCommand(draft: RecoveryBudgetDraft): string {
  const { region, cpu, memory, devices, ttl, reason } = draft;
  const options = [
    ["--cpu", cpu.trim()],
    ["--memory", memory.trim()],
    ...(devices.trim() === "" ? [] : [["--devices", devices.trim()]]),
    ...namesIn(draft.tenants).map((tenant) => ["--tenant", tenant]),
    ...namesIn(draft.classes).map((each) => ["--class", each]),
    ["--ttl", ttl.trim()],
    ["--reason", reason.trim()],
    ...(draft.name.trim() === "" ? [] : [["--name", draft.name.trim()]]),
  ];
  return ["berth budget grant", region.trim(), ...options.flat()]
    .map((word, at) => (at === 0 ? word : shellWord(word)))
    .join(" ");
}
