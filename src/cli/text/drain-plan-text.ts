/**
 * What a drain would do, for a person: who leaves at once, who waits for whom, and who has nowhere
 * to go.
 */
import { columns } from "../client/columns.ts";

interface ShownMove {
  readonly replica: string;
  readonly workload: string;
  readonly when: "stopping" | "now" | "waits";
  readonly to?: string;
  readonly rejected?: Readonly<
    Record<string, { readonly count: number; readonly example: string }>
  >;
}

export interface ShownPlan {
  readonly node: string;
  readonly revision: number;
  readonly moves: readonly ShownMove[];
}

export function drainPlanText({ node, moves }: ShownPlan): string {
  if (moves.length === 0)
    return `node/${node} is empty; a drain would only make it unschedulable\n`;
  const rows = moves.map((move) => [move.replica, whenText(move), placeText(move)]);
  return `${columns([["REPLICA", "LEAVES", "MOVES TO"], ...rows])}\n${summary(node, moves)}\n`;
}

function whenText({ when, workload }: ShownMove): string {
  switch (when) {
    case "stopping":
      return "already leaving";
    case "now":
      return "now";
    case "waits":
      return `waits for ${workload}'s disruption budget`;
  }
}

function placeText({ to, rejected }: ShownMove): string {
  if (to !== undefined) return to;
  if (rejected === undefined) return "(not computed: the cluster is too large)";
  const rules = Object.entries(rejected).map(
    ([rule, { count }]) => `${rule} rejected ${count} ${count === 1 ? "node" : "nodes"}`,
  );
  return `no node fits: ${rules.join(", ") || "there is no other node"}`;
}

function summary(node: string, moves: readonly ShownMove[]): string {
  const count = (when: ShownMove["when"]): number =>
    moves.filter((move) => move.when === when).length;
  const nowhere = moves.filter(({ to, rejected }) => to === undefined && rejected !== undefined);
  const parts = [
    `${count("now")} would leave node/${node} now`,
    `${count("waits")} would wait for their disruption budget`,
    ...(count("stopping") === 0 ? [] : [`${count("stopping")} are already leaving`]),
    ...(nowhere.length === 0 ? [] : [`${nowhere.length} would fit no other node`]),
  ];
  return `${parts.join(", ")}. Nothing was changed.`;
}
