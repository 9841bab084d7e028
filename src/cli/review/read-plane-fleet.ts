/** The running plane as a fleet, as of one revision. */
import type { Fleet } from "../../fleet/fleet.ts";
import { parseFleet } from "../../fleet/fleet-file.ts";
import { connect } from "../client/connect.ts";
import type { ServerOptions } from "../client/server-options.ts";

export async function readPlaneFleet(options: ServerOptions): Promise<Fleet> {
  const client = connect(options);
  const parts: string[] = [];
  const { signal } = new AbortController();
  for await (const part of client.text("/fleet", {}, signal)) parts.push(part);
  const { source, objects } = parseFleet(parts.join(""), `${client.url.href}fleet`);
  return { source, objects };
}
