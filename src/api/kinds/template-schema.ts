/** The fields of a workload that make its template, and that each of its replicas shows too. */
import { Type } from "typebox";
import { RECONCILES } from "../../core/model/disconnect.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import {
  AT_ONCE_OR_WITHIN_A_DAY,
  choice,
  duration,
  EXPECTED,
  fields,
  name,
  processText,
  quantity,
  WITHIN_A_DAY,
} from "../schema/shapes.ts";
import { deviceAskSchema } from "./text/device-text.ts";
import { placementSchema } from "./placement-schema.ts";

export const DEFAULT_STOP_GRACE = "10s";
export const DEFAULT_PROBE_TIMEOUT = "1s";
/** What nearly everybody who serves such a page calls it, and the counter on it. */
export const DEFAULT_METRICS_PATH = "/metrics";
export const DEFAULT_REQUESTS_COUNTER = "http_requests_total";

const resources = fields("What each replica needs of a node.", {
  cpu: quantity("CPUs, such as 2, 1.5 or 500m (thousandths)."),
  memory: quantity("Memory, such as 256Mi or 4Gi; a plain number counts bytes."),
  devices: Type.Optional(deviceAskSchema),
});

const portName = (description: string) =>
  Type.String({
    description,
    pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
    maxLength: 63,
    [EXPECTED]: "the name of a port, of lower-case letters, digits and '-', such as http",
  });

const run = fields(
  "The process that each replica is.",
  {
    command: Type.Array(processText("A word of the command."), {
      description: "The program and the words after it. It is not passed through a shell.",
      minItems: 1,
      maxItems: OBJECT_MOST.command,
    }),
    args: Type.Optional(
      Type.Array(processText("An argument."), {
        description: "Arguments that follow the words of the command.",
        maxItems: OBJECT_MOST.command,
      }),
    ),
    env: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: "object",
        description: "Environment variables, value by name. Numbers need quotes.",
        maxProperties: OBJECT_MOST.env,
        propertyNames: {
          type: "string",
          maxLength: OBJECT_MOST.keyBytes,
          pattern: "^[^=\\u0000]+$",
          [EXPECTED]: "the name of an environment variable, without '='",
        },
        additionalProperties: processText("The value."),
      }),
    ),
    workingDir: Type.Optional(
      processText("The folder the process starts in. Left out: a folder of the replica's own."),
    ),
    user: Type.Optional(
      processText("The user the process runs as. Left out: the user that runs the agent."),
    ),
    ports: Type.Optional(
      Type.Array(portName("The name of a port."), {
        description:
          "Names of the ports the process wants. The agent picks free numbers and passes them in the environment.",
        uniqueItems: true,
        maxItems: OBJECT_MOST.ports,
      }),
    ),
  },
  { image: "not supported: Berth runs processes, not container images. Use command." },
);

const readyProbe = fields("Exactly one of http, tcp and exec.", {
  http: Type.Optional(
    fields("Ready when a GET is answered with a status from 200 to 399.", {
      port: portName("The name of the port, one of run.ports."),
      path: Type.Optional(
        Type.String({
          description: "The path to ask for.",
          default: "/",
          pattern: "^/",
          [EXPECTED]: "a path that begins with '/'",
        }),
      ),
    }),
  ),
  tcp: Type.Optional(
    fields("Ready when a connection is accepted.", {
      port: portName("The name of the port, one of run.ports."),
    }),
  ),
  exec: Type.Optional(
    fields("Ready when a command ends with exit code 0.", {
      command: Type.Array(processText("A word of the command."), {
        description: "The program and the words after it.",
        minItems: 1,
        maxItems: OBJECT_MOST.command,
      }),
    }),
  ),
  timeout: Type.Optional(
    duration(
      "How long one look may take, such as 500ms or 2s.",
      WITHIN_A_DAY,
      DEFAULT_PROBE_TIMEOUT,
    ),
  ),
});

const probes = fields(
  "How the agent finds out how a process is doing.",
  { ready: Type.Optional(readyProbe) },
  {
    live: "not supported yet: a process that exits is replaced; one that hangs is not noticed.",
    liveness: "not supported yet: a process that exits is replaced; one that hangs is not noticed.",
    readiness: 'called "ready" here.',
  },
);

const metrics = fields(
  "Where a replica tells how many requests it has answered, in Prometheus' text format. The agent asks it, for an autoscaler with the target requests.",
  {
    port: Type.Optional(
      portName("The name of the port, one of run.ports. Left out: the only one there is."),
    ),
    path: Type.Optional(
      Type.String({
        description: "The path to ask for.",
        default: DEFAULT_METRICS_PATH,
        pattern: "^/[!-~]*$",
        maxLength: 1024,
        [EXPECTED]: "a path that begins with '/', without spaces",
      }),
    ),
    requests: Type.Optional(
      Type.String({
        description: "The name of the counter of requests; all of its series count together.",
        default: DEFAULT_REQUESTS_COUNTER,
        pattern: "^[a-zA-Z_:][a-zA-Z0-9_:]*$",
        maxLength: 253,
        [EXPECTED]: "the name of a counter, of letters, digits, '_' and ':', without labels",
      }),
    ),
  },
);

/** In the order in which a person reads them. */
export const templateFields = {
  priorityClass: Type.Optional(
    name("The PriorityClass of the replicas. Left out: none, which yields to every other."),
  ),
  resources,
  placement: Type.Optional(placementSchema),
  run,
  probes: Type.Optional(probes),
  metrics: Type.Optional(metrics),
  stopGrace: Type.Optional(
    duration(
      "Time between asking a process to stop and killing it.",
      AT_ONCE_OR_WITHIN_A_DAY,
      DEFAULT_STOP_GRACE,
    ),
  ),
  onDisconnect: Type.Optional(
    choice(
      "What happens to a replica whose node cannot reach the control plane: stop it, so that it can be replaced, or keep it.",
      ["stop", "keep"],
      "stop",
    ),
  ),
  replaceAfter: Type.Optional(
    duration(
      "How long the node of a replica may be silent before the replica is replaced, up to 24h. With keep, the replaced one may still run; left out, it is replaced only on a person's word or when its node is back without it. With stop, left out means as soon as it is certain that the replica has stopped; with it, a replica whose node is back in time begins anew where it was.",
      WITHIN_A_DAY,
    ),
  ),
  reconcile: Type.Optional(
    choice(
      "Who stays when a replica that was kept and replaced is back: the one that serves and, when both do, the original; always the original; or always the replacement.",
      RECONCILES,
      "best",
    ),
  ),
} as const;

const templateSchema = Type.Object(templateFields);
export type TemplateText = Type.Static<typeof templateSchema>;
export type ProbeText = Type.Static<typeof readyProbe>;
export type MetricsText = Type.Static<typeof metrics>;
export type RunText = Type.Static<typeof run>;
