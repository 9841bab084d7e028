/**
 * `berth override list`: who holds what back, why, until when, and who waits for it at this moment.
 */
import { raiseText, targetText } from "../../core/model/override.ts";
import {
  recordOf,
  type ShownList,
  type ShownObject,
  textOf,
  statusText,
} from "../../steering/api-object.ts";
import type { ApiClient } from "../client/api-client.ts";
import { columns } from "../client/columns.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { OVERRIDES, untilOf } from "./shown-override.ts";

const HEADINGS = ["NAME", "ACTION", "TARGET", "OWNER", "UNTIL", "BLOCKS", "REASON"] as const;

interface Waits {
  readonly waits: readonly { readonly key: string; readonly controller: string }[];
}

export async function listOverrides(options: ServerOptions, terminal: Terminal): Promise<void> {
  const client = connect(options);
  const { items } = await client.get<ShownList>(OVERRIDES);
  if (items.length === 0) {
    terminal.out("No active overrides.\n");
    return;
  }
  const rows: string[][] = [];
  for (const override of items) rows.push(await rowOf(override, client));
  terminal.out(columns([HEADINGS, ...rows]));
}

async function rowOf(override: ShownObject, client: ApiClient): Promise<string[]> {
  const { name } = override.metadata;
  const spec = recordOf(override.spec);
  const of = recordOf(spec["target"]);
  const target = targetText(of);
  const by =
    spec["amount"] === undefined ? "" : raiseText({ target: of, amount: Number(spec["amount"]) });
  const query = { key: `Override//${name}` };
  const { waits } = await client.get<Waits>("/decisions", { query });
  return [
    name,
    textOf(spec["action"]),
    `${target}${by}`,
    statusText(override, "owner"),
    untilOf(override),
    heldText(waits),
    textOf(spec["reason"]),
  ];
}

/**
 * e.g. "payments/risk-api and 3 more"; the controller that waits for the override's own end is not
 * held back.
 */
function heldText(waits: Waits["waits"]): string {
  const held = waits.filter(({ controller }) => controller !== "expire-override");
  const names = [...new Set(held.map(({ key }) => key.replace(/^[^/]*\/+/, "")))].toSorted();
  const [first] = names;
  if (first === undefined) return "nothing";
  return names.length === 1 ? first : `${first} and ${names.length - 1} more`;
}
