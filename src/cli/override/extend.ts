/** `berth override extend`: moves the end of one's own override, counted from now. */
import { OVERRIDE_TTL_MS } from "../../core/model/override.ts";
import { DURATION_FORM, formatDuration, parseDuration } from "../../quantity/duration.ts";
import { actingAs } from "../client/acting-as.ts";
import type { ShownObject } from "../client/api-object.ts";
import { connect } from "../client/connect.ts";
import { UserError } from "../errors.ts";
import type { Terminal } from "../main.ts";
import type { OverrideOptions } from "../override.ts";
import { overridePath, statusText, untilOf } from "./shown-override.ts";

export async function extendOverride(
  name: string,
  options: OverrideOptions & { readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  const moreMs = parseDuration(options.ttl);
  if (moreMs === undefined || moreMs < OVERRIDE_TTL_MS.least) {
    const found = `found "${options.ttl}", expected ${DURATION_FORM}`;
    throw new UserError("bad-usage", `--ttl: ${found}, of at least 1s.`);
  }
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const path = overridePath(name);
  const live = await client.get<ShownObject>(path);
  // Its time is counted from when it was made: what has passed of it is part of the whole.
  const passedMs = Math.max(0, Date.now() - Date.parse(statusText(live, "since")));
  const { resourceVersion } = live.metadata;
  const extended = await client.send<ShownObject>("PATCH", path, {
    contentType: "application/merge-patch+json",
    body: { metadata: { resourceVersion }, spec: { ttl: formatDuration(passedMs + moreMs) } },
    query: { fieldManager: "berth", fieldValidation: "Strict" },
    as,
  });
  terminal.out(`override/${name} now ends ${untilOf(extended)}\n`);
}
