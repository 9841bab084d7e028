/**
 * The beliefs of every component about one object, compared with the truth: in most control-plane
 * incidents, one row of this table differs from the first.
 */
import { ABSENT, type Facts, factsOf } from "./facts-of.ts";
import type { Beliefs } from "./run-result.ts";
import { type Column, layOutTable } from "./table.ts";

/** The object's key, then the table. Up-to-date components without the object are left out. */
export function beliefTable(beliefs: Beliefs): string[] {
  const facts = factNames(beliefs);
  const columns: Column[] = [
    { title: "who", align: "left" },
    { title: "revision", align: "right" },
    { title: "epoch", align: "right" },
    ...facts.map((title) => ({ title, align: "left" as const })),
    { title: "", align: "left" },
  ];
  const truth = factsOf(beliefs.truth, beliefs.taken);
  const cells = (of: Facts): string[] => facts.map((fact) => of[fact] ?? ABSENT);
  const rows = [["truth", `${beliefs.revision}`, `${beliefs.epoch}`, ...cells(truth)]];
  for (const client of beliefs.clients) {
    if (client.held === undefined && client.viewRevision >= beliefs.revision) continue;
    const held = factsOf(client.held, client.taken);
    const note = noteOn({ held, truth, isBehind: client.viewRevision < beliefs.revision });
    rows.push([client.name, `${client.viewRevision}`, `${client.epoch}`, ...cells(held), note]);
  }
  return [beliefs.key, ...layOutTable(columns, rows).map((line) => `  ${line}`)];
}

function noteOn(of: {
  readonly held: Facts;
  readonly truth: Facts;
  readonly isBehind: boolean;
}): string {
  const { held, truth, isBehind } = of;
  if (Object.keys(held).length === 0) return "holds nothing";
  if (Object.keys(truth).length === 0) return "it is gone";
  const wrong = Object.keys(held).filter((fact) => held[fact] !== truth[fact]);
  if (wrong.length > 0) return `differs: ${wrong.join(", ")}`;
  return isBehind ? "behind, same here" : "";
}

/** The facts in any row, in the order of the kind's list. */
function factNames(beliefs: Beliefs): string[] {
  const names = new Set<string>();
  const all = [{ held: beliefs.truth, taken: beliefs.taken }, ...beliefs.clients];
  for (const { held, taken } of all) {
    for (const name of Object.keys(factsOf(held, taken))) names.add(name);
  }
  return [...names];
}
