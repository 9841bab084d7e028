/**
 * Where a workload's replicas are, for a person: a sentence, and a table with a row for each stage.
 */
import { ageText } from "../../api/age.ts";
import { listOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { columns } from "../client/columns.ts";
import { letterOf, stageBar } from "./stage-bar.ts";
import type { Why } from "./why-text.ts";

interface Step {
  readonly stage: string;
  readonly replicas: number;
  readonly oldestMs: number;
  readonly owner: string;
  readonly message: string;
  readonly nodes: readonly string[];
  readonly deadlineMs: number | undefined;
  readonly atDeadline: string;
}

const NOTHING_SAID: Why = { decisions: [], waits: [] };

const DONE: ReadonlySet<string> = new Set(["ready", "serving", "running", "succeeded"]);

export function stepsOf({ status }: ShownObject): readonly Step[] {
  return listOf(status?.["progress"])
    .map(recordOf)
    .map((step) => {
      const deadline = textOf(step["deadline"]);
      return {
        stage: textOf(step["stage"]),
        replicas: Number(step["replicas"] ?? 0),
        oldestMs: Date.parse(textOf(step["oldest"])),
        owner: textOf(step["owner"]),
        message: textOf(step["message"]),
        nodes: listOf(step["nodes"]).map(textOf),
        deadlineMs: deadline === "" ? undefined : Date.parse(deadline),
        atDeadline: textOf(step["atDeadline"]),
      };
    });
}

/** `1 queued for 40s (no-feasible-node: capacity rejected 6 nodes), 1 starting for 12s on n3` */
export function behindText(object: ShownObject, nowMs: number, why = NOTHING_SAID): string {
  return stepsOf(object)
    .filter(({ stage }) => !DONE.has(stage))
    .map(({ stage, replicas, oldestMs, nodes, owner }) => {
      const where = nodes.length === 1 ? ` on ${nodes[0]}` : "";
      const reason = reasonOf(owner, why);
      return `${replicas} ${stage} for ${ageText(nowMs - oldestMs)}${where}${reason === "" ? "" : ` (${reason})`}`;
    })
    .join(", ");
}

/** What the controller that moves them on said last, if it waits. */
function reasonOf(owner: string, { waits, decisions }: Why): string {
  const isOwner = ({ controller }: { readonly controller: string }): boolean =>
    owner !== "" && (controller === owner || controller.startsWith(`${owner}-`));
  const owed = waits.find(isOwner);
  if (owed === undefined) return "";
  const said = decisions.find((record) => isOwner(record) && record.decision.kind === "wait");
  const rejected = said?.decision.kind === "wait" ? (said.decision.because.rejected ?? {}) : {};
  const rules = Object.entries(rejected).map(
    ([rule, { count }]) => `${rule} rejected ${count} ${count === 1 ? "node" : "nodes"}`,
  );
  return rules.length === 0 ? owed.reason : `${owed.reason}: ${rules.join(", ")}`;
}

/** Nothing for what is no workload, or is shown by a plane that does not say. */
export function progressText(object: ShownObject, nowMs: number, why: Why): string {
  const steps = stepsOf(object);
  if (steps.length === 0) return "";
  const counts = new Map(steps.map(({ stage, replicas }) => [stage, replicas]));
  const rows = steps.map((step) => [
    letterOf(step.stage),
    step.stage,
    String(step.replicas),
    ageText(nowMs - step.oldestMs),
    step.owner === "" ? "-" : step.owner,
    deadlineText(step, nowMs, why),
    step.nodes.join(","),
    `each ${step.message}`,
  ]);
  const behind = behindText(object, nowMs, why);
  const done = steps
    .filter(({ stage }) => DONE.has(stage))
    .map(({ stage, replicas }) => `${replicas} ${stage}`)
    .join(", ");
  const far = [done === "" ? "none ready" : done, ...(behind === "" ? [] : [behind])].join("; ");
  const headings = ["", "STAGE", "REPLICAS", "OLDEST", "NEXT BY", "DEADLINE", "NODES", "WHAT"];
  const table = columns([headings, ...rows]).replaceAll(/^(?=.)/gm, "  ");
  return `Progress: ${stageBar(counts)} ${far}\n${table}`;
}

/** Of the stage itself, or of the wait of who moves it on. */
function deadlineText({ deadlineMs, atDeadline, owner }: Step, nowMs: number, why: Why): string {
  if (deadlineMs !== undefined) {
    const when = deadlineMs > nowMs ? `in ${ageText(deadlineMs - nowMs)}` : "passed";
    return `${when}: ${atDeadline}`;
  }
  const owed = why.waits.find(
    ({ controller }) =>
      owner !== "" && (controller === owner || controller.startsWith(`${owner}-`)),
  );
  return owed === undefined ? "-" : `retries in ${ageText(owed.deadlineInMs)}`;
}
