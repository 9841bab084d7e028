/** Moves the end of what its owner made for a while, an override or a budget, counted from now. */
import { DURATION_FORM, formatDuration, parseDuration } from "../../quantity/duration.ts";
import { UserError } from "../../shell/errors.ts";
import { actingAs } from "./acting-as.ts";
import { type ShownObject, statusText } from "../../steering/api-object.ts";
import { connect } from "./connect.ts";
import type { ServerOptions } from "./server-options.ts";

export interface ExtendOptions extends ServerOptions {
  readonly as?: string;
  readonly ttl: string;
}

/** The object as it is then. */
export async function extendTtl(
  path: string,
  options: ExtendOptions,
  leastMs: number,
): Promise<ShownObject> {
  const moreMs = parseDuration(options.ttl);
  if (moreMs === undefined || moreMs < leastMs) {
    const found = `found "${options.ttl}", expected ${DURATION_FORM}`;
    throw new UserError("bad-usage", `--ttl: ${found}, at least ${formatDuration(leastMs)}.`);
  }
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const live = await client.get<ShownObject>(path);
  // Its time is counted from when it was made: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(statusText(live, "since")));
  const { resourceVersion } = live.metadata;
  return client.send<ShownObject>("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: { metadata: { resourceVersion }, spec: { ttl: formatDuration(passedMs + moreMs) } },
    query: { fieldManager: "berth", fieldValidation: "Strict" },
    as,
  });
}
