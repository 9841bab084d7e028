/**
 * What every component believed about one object, against what was true: most control-plane incidents are
 * one row of this table that differs from the first.
 */
import type { AnyObject } from "../core/model/objects.ts";
import type { Beliefs } from "./run-result.ts";
import { type Column, layOutTable } from "./table.ts";

const ABSENT = "–";

/** The object's key, then the table. Components that hold nothing under the key and are not behind are left out. */
export function beliefTable(beliefs: Beliefs): string[] {
  const facts = factNames(beliefs);
  const columns: Column[] = [
    { title: "who", align: "left" },
    { title: "revision", align: "right" },
    { title: "epoch", align: "right" },
    ...facts.map((title) => ({ title, align: "left" as const })),
    { title: "", align: "left" },
  ];
  const truth = factsOf(beliefs.truth);
  const cells = (of: Readonly<Record<string, string>>): string[] =>
    facts.map((fact) => of[fact] ?? ABSENT);
  const rows = [["truth", `${beliefs.revision}`, `${beliefs.epoch}`, ...cells(truth)]];
  for (const client of beliefs.clients) {
    if (client.held === undefined && client.viewRevision >= beliefs.revision) continue;
    const held = factsOf(client.held);
    const wrong = facts.filter((fact) => held[fact] !== truth[fact]);
    const behind = client.viewRevision < beliefs.revision;
    const note =
      wrong.length > 0 ? `differs: ${wrong.join(", ")}` : behind ? "behind, same here" : "";
    rows.push([client.name, `${client.viewRevision}`, `${client.epoch}`, ...cells(held), note]);
  }
  return [beliefs.key, ...layOutTable(columns, rows).map((line) => `  ${line}`)];
}

/** The facts that anybody holds, in the order in which the kind lists them. */
function factNames(beliefs: Beliefs): string[] {
  const names = new Set<string>();
  for (const object of [beliefs.truth, ...beliefs.clients.map(({ held }) => held)]) {
    for (const name of Object.keys(factsOf(object))) names.add(name);
  }
  return [...names];
}

/** What decisions about an object of this kind rest on. */
function factsOf(object: AnyObject | undefined): Readonly<Record<string, string>> {
  if (!object) return {};
  switch (object.kind) {
    case "Replica": {
      const { stage, node, life, session, stopping } = object.status;
      return {
        stage,
        node: node ?? ABSENT,
        life: `${life}`,
        session: `${session}`,
        stopping: stopping?.reason ?? ABSENT,
      };
    }
    case "Node": {
      const { cordons, draining } = object.spec;
      const closed = [
        ...cordons.map(({ holder }) => `cordoned by ${holder}`),
        ...(draining ? ["draining"] : []),
      ];
      return {
        health: object.status.health,
        session: `${object.status.session}`,
        closed: closed.length === 0 ? "no" : closed.join(", "),
      };
    }
    case "Lease":
      return {
        session: `${object.status.session}`,
        seq: `${object.status.seq}`,
        of: `epoch ${object.status.epoch}`,
      };
    case "Quota": {
      const { cpuMillis, memoryMiB, devices } = object.spec.limit;
      return { limit: `${cpuMillis}m CPU, ${memoryMiB}Mi, ${devices} devices` };
    }
    case "Workload":
      return {
        generation: `${object.status.templateGeneration}`,
        replicas: `${object.spec.replicas}`,
        deleting: object.meta.deletingMs === undefined ? "no" : "yes",
      };
    case "Reservation":
      return { owner: object.spec.owner, life: `${object.spec.life}` };
    case "Region":
    case "Tenant":
    case "PriorityClass":
      return { generation: `${object.meta.generation}` };
  }
}
