/** `berth override extend`: moves the end of one's own override, counted from now. */
import { OVERRIDE_TTL_MS } from "../../core/model/override.ts";
import { extendTtl } from "../client/extend-ttl.ts";
import type { Terminal } from "../main.ts";
import type { OverrideOptions } from "../commands/override.ts";
import { overridePath, untilOf } from "./shown-override.ts";

export async function extendOverride(
  name: string,
  options: OverrideOptions & { readonly ttl: string },
  terminal: Terminal,
): Promise<void> {
  const extended = await extendTtl(overridePath(name), options, OVERRIDE_TTL_MS.least);
  terminal.out(`override/${name} now ends ${untilOf(extended)}\n`);
}
