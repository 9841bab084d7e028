/** What an index counts as taken of a node or a quota; both are sums over other objects. */
import type { Amounts } from "../../core/model/amounts.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

export function takenIn(objects: ObjectIndex, key: ObjectKey): Amounts | undefined {
  const { kind, namespace, name } = parseKey(key);
  if (kind === "Node") {
    const { cpuMillis, memoryMiB, deviceMillis } = objects.useOf(name);
    return { cpuMillis, memoryMiB, deviceMillis };
  }
  if (kind !== "Quota") return undefined;
  const { limit, free } = objects.accountOf(namespace);
  return {
    cpuMillis: limit.cpuMillis - free.cpuMillis,
    memoryMiB: limit.memoryMiB - free.memoryMiB,
    deviceMillis: limit.deviceMillis - free.deviceMillis,
  };
}
