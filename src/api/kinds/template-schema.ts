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
/** The usual name of such a page, and the counter on it. */
export const DEFAULT_METRICS_PATH = "/metrics";
export const DEFAULT_REQUESTS_COUNTER = "http_requests_total";

const resources = fields("The resources that each replica requests.", {
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
  "The process of each replica.",
  {
    command: Type.Array(processText("A word of the command."), {
      description: "The program and its arguments. It is not passed through a shell.",
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
      processText("The working directory of the process. Default: a directory of the replica."),
    ),
    user: Type.Optional(
      processText("The user that the process runs as. Default: the user of the agent."),
    ),
    ports: Type.Optional(
      Type.Array(portName("The name of a port."), {
        description:
          "Names of the ports of the process. The agent picks free numbers and passes them in the environment.",
        uniqueItems: true,
        maxItems: OBJECT_MOST.ports,
      }),
    ),
  },
  { image: "not supported: Berth runs processes, not container images. Use command." },
);

const readyProbe = fields("Exactly one of http, tcp and exec.", {
  http: Type.Optional(
    fields("Ready if a GET returns a status from 200 to 399.", {
      port: portName("The name of the port, one of run.ports."),
      path: Type.Optional(
        Type.String({
          description: "The path of the request.",
          default: "/",
          pattern: "^/",
          [EXPECTED]: "a path that begins with '/'",
        }),
      ),
    }),
  ),
  tcp: Type.Optional(
    fields("Ready if a connection is accepted.", {
      port: portName("The name of the port, one of run.ports."),
    }),
  ),
  exec: Type.Optional(
    fields("Ready if the command exits with code 0.", {
      command: Type.Array(processText("A word of the command."), {
        description: "The program and its arguments.",
        minItems: 1,
        maxItems: OBJECT_MOST.command,
      }),
    }),
  ),
  timeout: Type.Optional(
    duration("The timeout of one probe, such as 500ms or 2s.", WITHIN_A_DAY, DEFAULT_PROBE_TIMEOUT),
  ),
});

const probes = fields(
  "How the agent checks a process.",
  { ready: Type.Optional(readyProbe) },
  {
    live: "not supported yet: a process that exits is replaced; one that hangs is not noticed.",
    liveness: "not supported yet: a process that exits is replaced; one that hangs is not noticed.",
    readiness: 'called "ready" here.',
  },
);

const metrics = fields(
  "Where a replica exposes its request count, in the Prometheus text format. The agent scrapes it for an autoscaler with the target requests.",
  {
    port: Type.Optional(
      portName("The name of the port, one of run.ports. Default: the only port."),
    ),
    path: Type.Optional(
      Type.String({
        description: "The path of the request.",
        default: DEFAULT_METRICS_PATH,
        pattern: "^/[!-~]*$",
        maxLength: 1024,
        [EXPECTED]: "a path that begins with '/', without spaces",
      }),
    ),
    requests: Type.Optional(
      Type.String({
        description: "The name of the request counter; all its series are summed.",
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
    name("The PriorityClass of the replicas. Default: none, which has the lowest priority."),
  ),
  resources,
  placement: Type.Optional(placementSchema),
  run,
  probes: Type.Optional(probes),
  metrics: Type.Optional(metrics),
  stopGrace: Type.Optional(
    duration(
      "Time between the stop signal and killing the process.",
      AT_ONCE_OR_WITHIN_A_DAY,
      DEFAULT_STOP_GRACE,
    ),
  ),
  onDisconnect: Type.Optional(
    choice(
      "What happens to a replica whose node is disconnected from the control plane: stop it, so that it can be replaced, or keep it.",
      ["stop", "keep"],
      "stop",
    ),
  ),
  replaceAfter: Type.Optional(
    duration(
      "How long a node may be silent before its replicas are replaced, up to 24h. With keep, the replaced replica may still run; by default it is replaced only if an operator confirms that the node is gone or the node returns without it. With stop, the default is as soon as the replica must have stopped; with a value, a replica whose node returns in time restarts there.",
      WITHIN_A_DAY,
    ),
  ),
  reconcile: Type.Optional(
    choice(
      "Which replica stays when a replaced one returns: the serving one and, if both serve, the original; always the original; or always the replacement.",
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
