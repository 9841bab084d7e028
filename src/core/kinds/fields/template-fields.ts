/**
 * The template of a workload, which each of its replicas has. The core holds what decisions look at
 * in an ask; people write it by subject: resources, placement, run, probes, metrics.
 */
import type { Amounts } from "../../model/amounts.ts";
import { RECONCILES, REPLACE_AFTER_MAX_MS } from "../../model/disconnect.ts";
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import type { Ask, DeviceAsk, Template } from "../../model/objects.ts";
import type {
  Driven,
  MetricsPage,
  Probe,
  ProbeAction,
  RunOptions,
} from "../../model/run-options.ts";
import { disk, driver, driverOf, ISOLATION } from "./driver-field.ts";
import { type DeviceText, readDevice, writeDevice, WRITTEN_DEVICE } from "./device-ask.ts";
import {
  amounts,
  choice,
  count,
  duration,
  type FieldsOf,
  filled,
  hidden,
  list,
  map,
  name,
  object,
  oneOf,
  optional,
  orEmpty,
  patterned,
  share,
  text,
  usually,
  writtenName,
} from "./field.ts";
import { METRICS, METRICS_ABOUT } from "./metrics-fields.ts";
import { readRunOptions, STOP_GRACE_MS, type WrittenRun, writeRun } from "./run-fields.ts";
import { identity } from "./identity-field.ts";
import { FROM_SECRETS } from "./secret-fields.ts";
import { PLACEMENT, type Together, TOGETHER, WHERE, type Where } from "./placement-fields.ts";

/** A day: no process takes longer to stop or to answer. */
const DAY_MS = 86_400_000;
const PROBE_TIMEOUT_MS = 1_000;

export interface WrittenProbe {
  readonly http?: Omit<Extract<ProbeAction, { kind: "http" }>, "kind">;
  readonly tcp?: Omit<Extract<ProbeAction, { kind: "tcp" }>, "kind">;
  readonly exec?: Omit<Extract<ProbeAction, { kind: "exec" }>, "kind">;
  readonly timeoutMs: number;
}

/** As people write it. */
export interface WrittenTemplate
  extends
    Pick<
      Template,
      "priorityClass" | "onDisconnect" | "replaceAfterMs" | "reconcile" | "restartedAt"
    >,
    Driven {
  readonly resources: { readonly amounts: Amounts; readonly devices?: DeviceText };
  readonly placement: Where & Together;
  readonly run: WrittenRun;
  readonly probes?: { readonly ready?: WrittenProbe };
  readonly metrics?: Omit<MetricsPage, "port"> & Partial<Pick<MetricsPage, "port">>;
  readonly stopGraceMs?: number;
}

/** The operating system ends a text at the first NUL. */
const processText = (about: string) =>
  patterned(about, { pattern: "^[^\\u0000]*$", expected: "text, without NUL characters" });

const PORT_NAME = {
  most: 63,
  pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$",
  expected: "the name of a port, of lower-case letters, digits and '-', such as http",
};
const portName = (about: string) => patterned(about, PORT_NAME);

const command = (about: string) =>
  list(about, processText("A word of the command."), { least: 1, most: OBJECT_MOST.command });

const env = map(
  "Environment variables, value by name; $(NAME) in a value is the value of another one. Numbers need quotes.",
  processText("The value."),
  {
    most: OBJECT_MOST.env,
    keys: {
      most: OBJECT_MOST.keyBytes,
      pattern: "^[^=\\u0000]+$",
      expected: "the name of an environment variable, without '='",
    },
  },
);
const workingDir = processText(
  "The working directory of the process. Default: a directory of the replica.",
);
const user = processText("The user that the process runs as. Default: the user of the agent.");
const ports = list(
  "Names of the ports of the process. The agent picks free numbers and passes them in the environment: PORT_HTTP for http, and PORT if it is the only one.",
  portName("The name of a port."),
  { repeated: "refused", most: OBJECT_MOST.ports },
);
const fixedPorts = map(
  "Numbers of ports that the agent must not pick, by their names in run.ports. At most one replica on a node has a number, whatever its workload and tenant.",
  count("The number of the port.", { least: 1, most: 65_535 }),
  { most: OBJECT_MOST.ports, keys: PORT_NAME },
);
const stopGraceMs = duration("Time between the stop signal and killing the process.", {
  least: 0,
  most: DAY_MS,
});

const http = {
  port: portName("The name of the port, one of run.ports."),
  path: filled(
    patterned("The path of the request.", {
      pattern: "^/",
      expected: "a path that begins with '/'",
    }),
    "/",
  ),
};
const tcp = { port: http.port };
const exec = { command: command("The program and its arguments.") };
const timeoutMs = filled(
  duration("The timeout of one probe, such as 500ms or 2s.", { least: 1, most: DAY_MS }),
  PROBE_TIMEOUT_MS,
);

const AMOUNTS = {
  cpu: "CPUs, such as 2, 1.5 or 500m (thousandths).",
  memory: "Memory, such as 256Mi or 4Gi; a plain number counts bytes.",
} as const;

type Same = "priorityClass" | "onDisconnect" | "replaceAfterMs" | "reconcile";
/** What both forms have. */
const { priorityClass, ...DISCONNECT }: FieldsOf<Pick<Template, Same>> = {
  priorityClass: hidden(
    name("The PriorityClass of the replicas. Default: none, which has the lowest priority."),
    "",
  ),
  onDisconnect: filled(
    choice(
      "What happens to a replica whose node is disconnected from the control plane: stop it, so that it can be replaced, or keep it.",
      ["stop", "keep"],
    ),
    "stop",
  ),
  replaceAfterMs: optional(
    duration(
      "How long a node may be silent before its replicas are replaced, up to 24h. With keep, the replaced replica may still run; by default it is replaced only if an operator confirms that the node is gone or the node returns without it. With stop, the default is as soon as the replica must have stopped; with a value, a replica whose node returns in time restarts there.",
      { least: 1, most: REPLACE_AFTER_MAX_MS },
    ),
  ),
  reconcile: usually(
    choice(
      "Which replica stays when a replaced one returns: the serving one and, if both serve, the original; always the original; or always the replacement.",
      RECONCILES,
    ),
    "best",
  ),
};

const restartedAt = optional(
  patterned(
    "When a restart of the replicas was last asked for. Another time is a rollout like that of any other change; only services have it. `berth restart` sets it.",
    {
      most: 40,
      pattern:
        "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$",
      expected: "a time as RFC 3339 writes it, such as 2026-01-31T09:30:00Z",
    },
  ),
);

export const TEMPLATE = object<Template>("The template.", {
  ask: object<Ask>("What one replica asks of a node.", {
    amounts: amounts("", AMOUNTS),
    device: optional(
      object<DeviceAsk>("", {
        class: WRITTEN_DEVICE.class,
        models: list("", text(""), {}),
        count: count("", { least: 1, most: Number.MAX_SAFE_INTEGER }),
        shareMillis: share(""),
      }),
    ),
    ...WHERE,
    fixedPorts: optional(fixedPorts),
    disk: optional(disk),
    driver: optional(driver),
  }),
  ...TOGETHER,
  priorityClass,
  ...DISCONNECT,
  // A world runs no process, and has no command for it.
  command: list("", processText(""), {}),
  run: optional(
    object<RunOptions>("", {
      env,
      ...FROM_SECRETS,
      identity: optional(identity),
      workingDir,
      user,
      ports,
      ...ISOLATION,
      stopGraceMs,
      argCount: optional(count("", { least: 0, most: OBJECT_MOST.command })),
    }),
  ),
  probe: optional(
    object<Probe>("", {
      action: oneOf<ProbeAction>("", {
        http: object<NonNullable<WrittenProbe["http"]>>("", http),
        tcp: object<NonNullable<WrittenProbe["tcp"]>>("", tcp),
        exec: object<NonNullable<WrittenProbe["exec"]>>("", exec),
      }),
      timeoutMs,
    }),
  ),
  metrics: optional(object<MetricsPage>("", { port: http.port, ...METRICS })),
  restartedAt,
});

const probe = object<WrittenProbe>("Exactly one of http, tcp and exec.", {
  http: optional(
    object<NonNullable<WrittenProbe["http"]>>(
      "Ready if a GET returns a status from 200 to 399.",
      http,
    ),
  ),
  tcp: optional(
    object<NonNullable<WrittenProbe["tcp"]>>("Ready if a connection is accepted.", tcp),
  ),
  exec: optional(
    object<NonNullable<WrittenProbe["exec"]>>("Ready if the command exits with code 0.", exec),
  ),
  timeoutMs,
});

const HANGS = "not supported yet: a process that exits is replaced; one that hangs is not noticed.";

/** In the order in which a person reads them. */
export const WRITTEN_TEMPLATE: FieldsOf<WrittenTemplate> = {
  priorityClass,
  resources: object<WrittenTemplate["resources"]>("The resources that each replica requests.", {
    amounts: amounts("", { ...AMOUNTS, isInline: true }),
    devices: optional(
      object<DeviceText>(
        "Devices, such as GPUs: whole ones, exclusive to the replica, or a share of one.",
        WRITTEN_DEVICE,
      ),
    ),
  }),
  placement: orEmpty(PLACEMENT),
  driver: optional(driver),
  run: object<WrittenRun>("The process of each replica.", {
    command: command(
      "The program and its arguments, where $(NAME) is the value of an environment variable. It is not passed through a shell.",
    ),
    args: optional(
      list("Arguments that follow the words of the command.", processText("An argument."), {
        most: OBJECT_MOST.command,
      }),
    ),
    env: optional(env),
    ...FROM_SECRETS,
    identity: optional(identity),
    workingDir: optional(workingDir),
    user: optional(user),
    ports: optional(ports),
    fixedPorts: optional(fixedPorts),
    ...ISOLATION,
    disk: optional(disk),
  }),
  probes: optional(
    object<NonNullable<WrittenTemplate["probes"]>>(
      "How the agent checks a process.",
      { ready: optional(probe) },
      { live: HANGS, liveness: HANGS, readiness: 'called "ready" here.' },
    ),
  ),
  metrics: optional(
    object<NonNullable<WrittenTemplate["metrics"]>>(METRICS_ABOUT, {
      port: optional(portName("The name of the port, one of run.ports. Default: the only port.")),
      ...METRICS,
    }),
  ),
  stopGraceMs: usually(stopGraceMs, STOP_GRACE_MS),
  ...DISCONNECT,
  restartedAt,
};

/** The names of those fields in a manifest. */
export const TEMPLATE_NAMES: readonly string[] = Object.entries(WRITTEN_TEMPLATE).map(
  ([field, of]) => writtenName(field, of),
);

export function readTemplate(written: WrittenTemplate): Template {
  const { resources, placement, run, probes, metrics, stopGraceMs: grace, ...rest } = written;
  const { driver: by, ...same } = rest;
  const { spread, affinity, maxPerNode, policy, ...where } = placement;
  const device = resources.devices && readDevice(resources.devices);
  const deviceMillis = device === undefined ? 0 : device.count * device.shareMillis;
  const options = readRunOptions(run, grace);
  const action = probes?.ready && actionOf(probes.ready);
  return {
    ask: {
      amounts: { ...resources.amounts, deviceMillis },
      ...(device === undefined ? {} : { device }),
      ...where,
      ...(run.fixedPorts === undefined ? {} : { fixedPorts: run.fixedPorts }),
      ...(run.disk === undefined ? {} : { disk: run.disk }),
      ...driverOf(by, run),
    },
    spread,
    ...(affinity === undefined ? {} : { affinity }),
    ...(maxPerNode === undefined ? {} : { maxPerNode }),
    ...(policy === undefined ? {} : { policy }),
    ...same,
    command: [...run.command, ...(run.args ?? [])],
    ...(options === undefined ? {} : { run: options }),
    ...(probes?.ready === undefined || action === undefined
      ? {}
      : { probe: { action, timeoutMs: probes.ready.timeoutMs } }),
    ...(metrics === undefined ? {} : { metrics: { port: run.ports?.[0] ?? "", ...metrics } }),
  };
}

function actionOf(ready: WrittenProbe): ProbeAction | undefined {
  if (ready.http !== undefined) return { kind: "http", ...ready.http };
  if (ready.tcp !== undefined) return { kind: "tcp", ...ready.tcp };
  return ready.exec && { kind: "exec", ...ready.exec };
}

export function writeTemplate(template: Template): WrittenTemplate {
  const { ask, command: all, run, probe: ready, metrics, ...rest } = template;
  const { spread, affinity, maxPerNode, policy, ...same } = rest;
  const { amounts: asked, device, fixedPorts: fixed, disk: room, driver: by, ...where } = ask;
  return {
    ...same,
    ...(by === undefined ? {} : { driver: by }),
    resources: {
      amounts: asked,
      ...(device === undefined ? {} : { devices: writeDevice(device) }),
    },
    placement: {
      ...where,
      spread,
      ...(affinity === undefined ? {} : { affinity }),
      ...(maxPerNode === undefined ? {} : { maxPerNode }),
      ...(policy === undefined ? {} : { policy }),
    },
    run: {
      ...writeRun(all, run),
      ...(fixed === undefined ? {} : { fixedPorts: fixed }),
      ...(room === undefined ? {} : { disk: room }),
    },
    ...(ready === undefined ? {} : { probes: { ready: writeProbe(ready) } }),
    ...(metrics === undefined ? {} : { metrics }),
    // Shown whenever options are set, so that what is read back makes the same template.
    ...(run === undefined ? {} : { stopGraceMs: run.stopGraceMs }),
  };
}

function writeProbe({ action, timeoutMs: afterMs }: Probe): WrittenProbe {
  const { kind, ...rest } = action;
  return { [kind]: rest, timeoutMs: afterMs };
}
