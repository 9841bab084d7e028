/** A row of the fleet view for tests: a ready node of four CPU on which nothing runs. */
import type { FleetRow, PartsCell } from "./fleet-row.ts";

export interface FleetRowOf {
  readonly region?: string;
  readonly zone?: string;
  readonly health?: string;
  readonly since?: number;
  readonly supply?: "hard" | "soft";
  readonly cpu?: PartsCell;
  readonly replicas?: number;
}

const NOTHING: PartsCell = [0, 0, 0, 0, 0, 0];

export function aFleetRow(node: string, of: FleetRowOf = {}): FleetRow {
  const { region = "eu", zone = "eu-a", health = "ready", since = 0, supply = "hard" } = of;
  const { cpu = [4_000, 0, 0, 0, 0, 4_000], replicas = 0 } = of;
  const memory: PartsCell = [8_192, 0, 0, 0, 0, 8_192];
  const held = [[], null] as const;
  return [
    node,
    region,
    zone,
    health,
    since,
    "",
    ...held,
    supply,
    cpu,
    memory,
    NOTHING,
    replicas,
    0,
  ];
}
