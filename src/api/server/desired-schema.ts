/** The core's own form of what somebody wants, as remote controllers send it back when they lift a finalizer. */
import { Type } from "typebox";
import { count, exactly, list, oneOf, text, textMap, word } from "./wire-shapes.ts";

const amounts = exactly({ cpuMillis: count, memoryMiB: count, devices: count });

const node = exactly({
  region: text,
  zone: text,
  capacity: amounts,
  deviceClass: text,
  deviceIds: list(text),
  taints: list(exactly({ key: text, value: text })),
  cordons: list(exactly({ holder: text, reason: text })),
  draining: Type.Boolean(),
});

const ask = exactly({
  amounts,
  deviceClass: text,
  regions: list(text),
  zones: list(text),
  nodeSelector: textMap,
  tolerations: list(exactly({ key: text, value: text })),
});

const words = list(Type.String());

const run = exactly({
  env: textMap,
  workingDir: Type.String(),
  user: text,
  ports: list(text),
  stopGraceMs: count,
});

const probe = exactly({
  action: Type.Union([
    exactly({ kind: word("http"), port: text, path: Type.String() }),
    exactly({ kind: word("tcp"), port: text }),
    exactly({ kind: word("exec"), command: words }),
  ]),
  timeoutMs: count,
});

const template = exactly({
  ask,
  spread: list(exactly({ by: oneOf(["zone", "region", "node"]), maxSkew: count })),
  priorityClass: text,
  onDisconnect: oneOf(["stop", "keep"]),
  command: words,
  run: Type.Optional(run),
  probe: Type.Optional(probe),
});

export const desiredSchema = Type.Union([
  exactly({ kind: word("Region"), spec: exactly({ zones: list(text) }) }),
  exactly({ kind: word("Node"), spec: node }),
  exactly({ kind: word("Tenant"), spec: exactly({ displayName: Type.String() }) }),
  exactly({ kind: word("Quota"), spec: exactly({ limit: amounts }) }),
  exactly({ kind: word("PriorityClass"), spec: exactly({ value: Type.Integer() }) }),
  exactly({
    kind: word("Workload"),
    spec: exactly({ type: oneOf(["service", "batch"]), replicas: count, template }),
  }),
]);
