/**
 * Where a rollback goes, and what becomes of decisions of the revision before. Pure: `berth policy
 * rollback` and the dashboard say the same words.
 */
import { recordOf, textOf } from "./api-object.ts";
import { inForce, type ShownBinding, type ShownPolicy } from "./shown-policy.ts";

/** What the last move to what is in force there replaced; empty: nothing that has a name. */
export function revisionBefore(seen: ShownPolicy, region: string | undefined): string {
  // A stage goes back to where all the others are.
  if (region !== undefined && seen.stages.has(region)) return seen.active;
  const now = inForce(seen, region);
  const move = seen.history.findLast(
    (each) => each.to === now && (each.region === "" || each.region === region),
  );
  return move?.from ?? "";
}

export interface Leaving {
  readonly policy: string;
  readonly from: string;
  /** Undefined: everywhere. */
  readonly region: string | undefined;
}

/** Bindings under the revision before, in the affected regions. */
export const boundUnder = (
  { policy, from, region }: Leaving,
  bindings: readonly ShownBinding[],
  regions: ReadonlyMap<string, string>,
): readonly ShownBinding[] =>
  bindings.filter(
    (each) =>
      each.revision === from &&
      each.policy === policy &&
      (region === undefined || regions.get(each.node) === region),
  );

/**
 * A line for each kind of thing that came of it. `onRollback` is what the revision that is left
 * declares.
 */
export function rollbackLines(
  onRollback: unknown,
  bound: readonly ShownBinding[],
): readonly [bindings: string, reservations: string] {
  const plan = recordOf(onRollback);
  const bindings = textOf(plan["bindings"]) || "preserve";
  const reservations = textOf(plan["reservations"]) || "preserve";
  return [
    `bindings: ${bindings}: ${bindingsText(bindings, bound)}`,
    `reservations: ${reservations}: ${ROOM_TEXT[reservations] ?? ""}`,
  ];
}

function bindingsText(way: string, bound: readonly ShownBinding[]): string {
  const services = bound.filter(({ type }) => type !== "batch").length;
  const batches = bound.length - services;
  const stay = batches === 0 ? "" : `; ${batches} of batches stay until they end`;
  if (way === "drain") {
    const moving = services === 1 ? "1 replica moves" : `${services} replicas move`;
    const workloads =
      services === 1 ? "its workload can spare it" : "their workloads can spare them";
    return `${moving}, as fast as ${workloads}${stay}`;
  }
  if (way === "repair") {
    const moving =
      services === 1
        ? "1 replica moves if it breaks"
        : `of ${services} replicas those move that break`;
    return `${moving} the spread now in force${stay}`;
  }
  return bound.length === 1
    ? "1 replica stays where it is"
    : `${bound.length} replicas stay where they are`;
}

/**
 * Nothing when there are none. Granted budgets stay under any policy: a workload recovers on them
 * (BU2).
 */
export function budgetLines(budgets: number): readonly string[] {
  if (budgets === 0) return [];
  const stay = budgets === 1 ? "1 recovery budget stays" : `${budgets} recovery budgets stay`;
  const end = budgets === 1 ? "its end" : "their ends";
  return [`budgets: preserve: ${stay} until ${end}, whatever the reserve is then`];
}

const ROOM_TEXT: Readonly<Record<string, string>> = {
  preserve: "room that is held stays held",
  drain: "room that is held is given back, and asked for anew",
  repair: "room is given back that those now in force would not let its owner ask for",
};
