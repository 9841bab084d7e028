/** `berth budget extend`: moves the end of one's own budget, counted from now. */
import { BUDGET_TTL_MS } from "../../core/model/budget.ts";
import { DURATION_FORM, formatDuration, parseDuration } from "../../quantity/duration.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ShownObject } from "../client/api-object.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../errors.ts";
import type { Terminal } from "../main.ts";
import type { BudgetOptions } from "../budget.ts";
import { budgetPath, statusText, untilText } from "./shown-budget.ts";

export async function extendBudget(
  name: string,
  options: BudgetOptions & { readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  const moreMs = parseDuration(options.ttl);
  if (moreMs === undefined || moreMs < BUDGET_TTL_MS.least) {
    const found = `found "${options.ttl}", expected ${DURATION_FORM}`;
    throw new UserError("bad-usage", `--ttl: ${found}, of at least 1s.`);
  }
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const path = budgetPath(name);
  const live = await client.get<ShownObject>(path);
  // Its time is counted from when it was granted: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(statusText(live, "since")));
  const { resourceVersion } = live.metadata;
  const extended = await client.send<ShownObject>("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: { metadata: { resourceVersion }, spec: { ttl: formatDuration(passedMs + moreMs) } },
    query: { fieldManager: "berth", fieldValidation: "Strict" },
    as,
  });
  terminal.out(
    `budget/${name} is now in force until ${untilText(statusText(extended, "until"))}\n`,
  );
}
