/**
 * `berth override release`: ends one's own override, and says in which state it leaves what it was
 * for.
 */
import { actingAs } from "../client/acting-as.ts";
import { listOf, recordOf, type ShownObject, textOf } from "../../steering/api-object.ts";
import { connect } from "../client/connect.ts";
import type { Terminal } from "../main.ts";
import type { OverrideOptions } from "../commands/override.ts";
import { overridePath } from "./shown-override.ts";

export async function releaseOverride(
  name: string,
  options: OverrideOptions,
  terminal: Terminal,
): Promise<void> {
  const client = connect(options);
  const { name: as } = await actingAs(client, options);
  const path = overridePath(name);
  const { status } = await client.get<ShownObject>(path);
  await client.send("DELETE", path, { as });
  terminal.out(`override/${name} released; blocked work resumes within seconds\n`);
  for (const condition of listOf(status?.["conditions"]).map(recordOf)) {
    if (condition["type"] !== "PostconditionHolds") continue;
    const verdict = condition["status"] === "True" ? "holds" : "does not hold";
    terminal.out(`its postcondition ${verdict}: ${textOf(condition["message"])}\n`);
  }
}
