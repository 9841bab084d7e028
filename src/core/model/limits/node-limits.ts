/** How large a machine an agent may say that it is, whatever its operator has stated. */
import type { Limit } from "./limit.ts";

export const NODE_LIMITS = {
  cpuMillis: {
    value: 4_096_000,
    unit: "count",
    of: "CPU (in thousandths) of a node that its agent registers",
    beyond: "403 `capacity-over-ceiling`",
    why: "several times the largest machine; more is a false claim or a wrong unit",
  },
  memoryMiB: {
    value: 64 * 1024 * 1024,
    unit: "count",
    of: "memory (in MiB) of a node that its agent registers",
    beyond: "403 `capacity-over-ceiling`",
    why: "several times the largest machine; more is a false claim or a wrong unit",
  },
  devices: {
    value: 256,
    unit: "count",
    of: "devices of a node that its agent registers",
    beyond: "403 `capacity-over-ceiling`",
    why: "several times what one machine holds",
  },
  labels: {
    value: 64,
    unit: "count",
    of: "labels of a node that its agent registers",
    beyond: "403 `capacity-over-ceiling`",
    why: "operators state labels on one line of a token file",
  },
} as const satisfies Record<string, Limit>;
