/** Which node a refusal was about: it names what it looked at, e.g. "Node//a-1 cpuMillis". */
import type { Refusal } from "../../protocol/outcome.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";

export function nodeOfRefusal({ field }: Refusal): string | undefined {
  const [key] = field.split(" ");
  const { kind, name } = parseKey(key as ObjectKey);
  return kind === "Node" ? name : undefined;
}
