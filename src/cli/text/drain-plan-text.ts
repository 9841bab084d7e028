/** What a drain would do, for a person: who leaves at once, who waits for whom, and who has nowhere to go. */
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
    return `node/${node} is empty; draining it would only keep new work away\n`;
  const rows = moves.map((move) => [move.replica, whenText(move), placeText(move)]);
  return `${columns([["REPLICA", "LEAVES", "WOULD GO TO"], ...rows])}\n${summary(node, moves)}\n`;
}

function whenText({ when, workload }: ShownMove): string {
  switch (when) {
    case "stopping":
      return "is leaving";
    case "now":
      return "now";
    case "waits":
      return `when ${workload} can spare it`;
  }
}

function placeText({ to, rejected }: ShownMove): string {
  if (to !== undefined) return to;
  if (rejected === undefined) return "(not looked for: the plane is too large to try it out)";
  const rules = Object.entries(rejected).map(([rule, { count }]) => `${rule} turned ${count} away`);
  return `nowhere at the moment: ${rules.join(", ") || "there is no other node"}`;
}

function summary(node: string, moves: readonly ShownMove[]): string {
  const count = (when: ShownMove["when"]): number =>
    moves.filter((move) => move.when === when).length;
  const nowhere = moves.filter(({ to, rejected }) => to === undefined && rejected !== undefined);
  const parts = [
    `${count("now")} would leave node/${node} now`,
    `${count("waits")} would wait for their workloads`,
    ...(count("stopping") === 0 ? [] : [`${count("stopping")} are leaving already`]),
    ...(nowhere.length === 0 ? [] : [`${nowhere.length} would have no other place`]),
  ];
  return `${parts.join(", ")}. Nothing was changed.`;
}
