/** The fields of a workload that make its template, and that each of its replicas shows too. */
import { Type } from "typebox";
import {
  choice,
  duration,
  fields,
  labelMap,
  EXPECTED,
  name,
  processText,
  quantity,
  text,
  wholeNumber,
  word,
} from "../schema/shapes.ts";

/** Each device of a node is named one by one; no machine has more of them than this. */
export const MOST_DEVICES = 1024;

/** Beyond the number of replicas a workload can have, a skew means nothing. */
const MOST_SKEW = 100_000;

export const DEFAULT_STOP_GRACE = "10s";
export const DEFAULT_PROBE_TIMEOUT = "1s";

const resources = fields("What each replica needs of a node.", {
  cpu: quantity("CPUs, such as 2, 1.5 or 500m (thousandths)."),
  memory: quantity("Memory, such as 256Mi or 4Gi; a plain number counts bytes."),
  devices: Type.Optional(
    fields("Exclusive devices, such as GPUs. Each belongs to one replica at a time.", {
      class: word("The class of device, as the nodes name it."),
      count: wholeNumber("How many of them each replica gets.", { from: 0, to: MOST_DEVICES }),
    }),
  ),
});

const toleration = fields("Lets replicas run on nodes with this taint.", {
  key: word("The key of the taint."),
  value: Type.Optional(text("The value of the taint; left out or empty for any value.")),
});

const spread = fields("Keeps replicas apart.", {
  by: choice("What to spread over.", ["zone", "region", "node"]),
  maxSkew: Type.Optional(
    wholeNumber("How many more replicas the fullest may have than the emptiest.", {
      from: 1,
      to: MOST_SKEW,
      byDefault: 1,
    }),
  ),
});

const placement = fields(
  "Where replicas may run, and how they spread.",
  {
    regions: Type.Optional(
      Type.Array(name("The name of a region."), {
        description: "Regions that replicas may run in. Left out or empty: every region.",
      }),
    ),
    zones: Type.Optional(
      Type.Array(name("The name of a zone."), {
        description: "Zones that replicas may run in. Left out or empty: every zone.",
      }),
    ),
    nodeSelector: Type.Optional(labelMap("Labels a node must have.")),
    tolerations: Type.Optional(
      Type.Array(toleration, { description: "Taints of nodes that do not keep replicas away." }),
    ),
    spread: Type.Optional(Type.Array(spread, { description: "How replicas are kept apart." })),
  },
  {
    affinity: "not supported: use nodeSelector, regions, zones and spread.",
    topologySpreadConstraints: "not supported: use spread.",
  },
);

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
    }),
    args: Type.Optional(
      Type.Array(processText("An argument."), {
        description: "Arguments that follow the words of the command.",
      }),
    ),
    env: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: "object",
        description: "Environment variables, value by name. Numbers need quotes.",
        propertyNames: {
          type: "string",
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
      }),
    }),
  ),
  timeout: Type.Optional(
    duration("How long one look may take, such as 500ms or 2s.", DEFAULT_PROBE_TIMEOUT),
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

/** In the order in which a person reads them. */
export const templateFields = {
  priorityClass: Type.Optional(
    name("The PriorityClass of the replicas. Left out: none, which yields to every other."),
  ),
  resources,
  placement: Type.Optional(placement),
  run,
  probes: Type.Optional(probes),
  stopGrace: Type.Optional(
    duration("Time between asking a process to stop and killing it.", DEFAULT_STOP_GRACE),
  ),
  onDisconnect: Type.Optional(
    choice(
      "What happens to a replica whose node cannot reach the control plane: stop it, so that it can be replaced, or keep it.",
      ["stop", "keep"],
      "stop",
    ),
  ),
} as const;

const templateSchema = Type.Object(templateFields);
export type TemplateText = Type.Static<typeof templateSchema>;
export type ProbeText = Type.Static<typeof readyProbe>;
export type RunText = Type.Static<typeof run>;
