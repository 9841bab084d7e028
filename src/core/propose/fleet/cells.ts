/** Deals rows out into cells: the nodes that are alike in every topology that is given. */
import type { Topology } from "../../model/objects.ts";
import { Tournament } from "./tournament.ts";

export interface Cell {
  readonly domains: ReadonlyMap<Topology, string | undefined>;
  readonly rows: readonly number[];
  readonly scores: Tournament;
  /** Rows that may be used at all, and of these the ones with room. */
  usable: number;
  fitting: number;
}

/** Says in which place a row is. */
interface Places {
  domain(row: number, by: Topology): string | undefined;
}

export function dealOut(
  size: number,
  topologies: readonly Topology[],
  places: Places,
): readonly Cell[] {
  const rowsOf = new Map<string, { domains: Map<Topology, string | undefined>; rows: number[] }>();
  for (let row = 0; row < size; row += 1) {
    const domains = topologies.map((by) => [by, places.domain(row, by)] as const);
    const name = topologies.length === 0 ? "" : JSON.stringify(domains);
    let cell = rowsOf.get(name);
    if (cell === undefined) {
      cell = { domains: new Map(domains), rows: [] };
      rowsOf.set(name, cell);
    }
    cell.rows.push(row);
  }
  return [...rowsOf.values()].map(({ domains, rows }) => ({
    domains,
    rows,
    scores: new Tournament(rows.length),
    usable: 0,
    fitting: 0,
  }));
}
