/** `berth top --api`: who uses how much of the plane's API. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ShownFlow, ShownLevel, ShownShares } from "../../api/shares/shown-shares.ts";
import { printable } from "../../text/printable.ts";
import { columns } from "../client/columns.ts";

const CLEAR = "\u001B[H\u001B[2J";
const EVERY_MS = 1_000;

interface Asked {
  readonly read: () => Promise<ShownShares>;
  readonly out: (text: string) => void;
}

/** Repeats the tables until a person asks to stop. */
export async function followApiUse(asked: Asked, stopped: Promise<unknown>): Promise<void> {
  for (;;) {
    asked.out(`${CLEAR}${apiUseText(await asked.read())}`);
    const next = await Promise.race([sleep(EVERY_MS, "look again" as const), stopped]);
    if (next !== "look again") return;
  }
}

export function apiUseText({ levels, flows }: ShownShares): string {
  const rows = flows.toSorted((one, other) => weight(other) - weight(one)).map(flowRow);
  const flowTable =
    rows.length === 0
      ? "No request in the last minute.\n"
      : columns([
          ["LEVEL", "CALLER", "TENANT", "SEATS", "WAITING", "WATCHES", "SERVED/MIN", ...COMMON],
          ...rows,
        ]);
  const heading = ["LEVEL", "SEATS", "OWN", "MOST", "WAITING", "SERVED", ...COMMON];
  return `${columns([heading, ...levels.map(levelRow)])}\n${flowTable}`;
}

const COMMON = ["REFUSED", "WAIT P50", "WAIT P99", "BYTES"];

const levelRow = (row: ShownLevel): readonly string[] => [
  row.level,
  ...[row.seats, row.own, row.most, row.waiting, row.served].map(String),
  ...common(row),
];

const flowRow = (row: ShownFlow): readonly string[] => [
  row.level,
  printable(row.caller),
  row.tenant === "" ? "-" : printable(row.tenant),
  ...[row.seats, row.waiting, row.watches, row.served].map(String),
  ...common(row),
];

const common = ({ refused, waitP50Ms, waitP99Ms, bytes }: ShownLevel | ShownFlow) => [
  String(refused),
  `${waitP50Ms}ms`,
  `${waitP99Ms}ms`,
  String(bytes),
];

/** The heaviest first: what holds or wants seats, then what was served or refused. */
const weight = ({ seats, waiting, served, refused }: ShownFlow): number =>
  (seats + waiting) * 1_000_000 + served + refused;
