/** A template between what a user writes and what the core decides on. */
import type { Ask, Template } from "../../../core/model/objects.ts";
import type { Probe, ProbeAction, RunOptions } from "../../../core/model/run-options.ts";
import { formatDuration } from "../../../quantity/duration.ts";
import { formatCpu, formatMemory } from "../../../quantity/quantity.ts";
import { readDeviceAsk, writeDeviceAsk } from "./device-text.ts";
import { readMetrics, writeMetrics } from "./metrics-text.ts";
import { readTogether, readWhere, writePlacement } from "./placement-text.ts";
import { checkRunPort } from "../run-port.ts";
import { AT_ONCE_OR_WITHIN_A_DAY, WITHIN_A_DAY } from "../../schema/shapes.ts";
import type { SpecReader } from "../spec-reader.ts";
import {
  DEFAULT_PROBE_TIMEOUT,
  DEFAULT_STOP_GRACE,
  type ProbeText,
  type RunText,
  type TemplateText,
} from "../template-schema.ts";

export function readTemplate(spec: TemplateText, reader: SpecReader): Template {
  const { placement = {}, run } = spec;
  if (run.command[0] === "") reader.mistake("spec.run.command[0]", "is empty; expected a program.");
  const options = readRunOptions(spec, reader);
  const probe = readProbe(spec, reader);
  const metrics = readMetrics(spec, reader);
  return {
    ask: readAsk(spec, reader),
    ...readTogether(placement),
    priorityClass: spec.priorityClass ?? "",
    onDisconnect: spec.onDisconnect ?? "stop",
    ...readDisconnect(spec, reader),
    command: [...run.command, ...(run.args ?? [])],
    ...(options === undefined ? {} : { run: options }),
    ...(probe === undefined ? {} : { probe }),
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function readDisconnect(
  { replaceAfter, reconcile }: TemplateText,
  reader: SpecReader,
): Pick<Template, "replaceAfterMs" | "reconcile"> {
  const field = "spec.replaceAfter";
  return {
    ...(replaceAfter === undefined
      ? {}
      : { replaceAfterMs: reader.durationMs(field, replaceAfter, WITHIN_A_DAY) }),
    ...(reconcile === undefined ? {} : { reconcile }),
  };
}

function readAsk({ resources, placement = {} }: TemplateText, reader: SpecReader): Ask {
  const device = readDeviceAsk(resources.devices, reader);
  const deviceMillis = device === undefined ? 0 : device.count * device.shareMillis;
  return {
    amounts: reader.amounts("spec.resources", resources, deviceMillis),
    ...(device === undefined ? {} : { device }),
    ...readWhere(placement, reader),
  };
}

/** Unset options are left to the agent; one that was written brings the defaults of the rest. */
function readRunOptions(
  { run, stopGrace }: TemplateText,
  reader: SpecReader,
): RunOptions | undefined {
  const { args, env, workingDir, user, ports } = run;
  const written = [args, env, workingDir, user, ports, stopGrace];
  if (written.every((option) => option === undefined)) return undefined;
  return {
    env: env ?? {},
    workingDir: workingDir ?? "",
    user: user ?? "",
    ports: ports ?? [],
    stopGraceMs: reader.durationMs(
      "spec.stopGrace",
      stopGrace ?? DEFAULT_STOP_GRACE,
      AT_ONCE_OR_WITHIN_A_DAY,
    ),
    ...(args === undefined ? {} : { argCount: args.length }),
  };
}

function readProbe({ probes, run }: TemplateText, reader: SpecReader): Probe | undefined {
  const ready = probes?.ready;
  if (ready === undefined) return undefined;
  const field = "spec.probes.ready";
  const action = readProbeAction(ready, reader);
  if (action !== undefined && action.kind !== "exec") {
    const of = { port: action.port, ports: run.ports ?? [], reader };
    checkRunPort(`${field}.${action.kind}.port`, of);
  }
  const timeoutMs = reader.durationMs(
    `${field}.timeout`,
    ready.timeout ?? DEFAULT_PROBE_TIMEOUT,
    WITHIN_A_DAY,
  );
  return action === undefined ? undefined : { action, timeoutMs };
}

function readProbeAction(ready: ProbeText, reader: SpecReader): ProbeAction | undefined {
  const actions: ProbeAction[] = [];
  const { http, tcp, exec } = ready;
  if (http !== undefined) actions.push({ kind: "http", port: http.port, path: http.path ?? "/" });
  if (tcp !== undefined) actions.push({ kind: "tcp", port: tcp.port });
  if (exec !== undefined) actions.push({ kind: "exec", command: exec.command });
  const [action, ...others] = actions;
  if (action !== undefined && others.length === 0) return action;
  const found = actions.length === 0 ? "none" : actions.map(({ kind }) => kind).join(" and ");
  reader.mistake(
    "spec.probes.ready",
    `found ${found}; expected exactly one of http, tcp and exec.`,
  );
  return undefined;
}

export function writeTemplate(template: Template): TemplateText {
  const { priorityClass, ask, onDisconnect, replaceAfterMs, reconcile } = template;
  const { run, probe, metrics } = template;
  const placement = writePlacement(template);
  return {
    ...(priorityClass === "" ? {} : { priorityClass }),
    resources: {
      cpu: String(formatCpu(ask.amounts.cpuMillis)),
      memory: String(formatMemory(ask.amounts.memoryMiB)),
      ...(ask.device === undefined ? {} : { devices: writeDeviceAsk(ask.device) }),
    },
    ...(Object.keys(placement).length === 0 ? {} : { placement }),
    run: writeRun(template),
    ...(probe === undefined ? {} : { probes: { ready: writeProbe(probe) } }),
    ...(metrics === undefined ? {} : { metrics: writeMetrics(metrics) }),
    // Shown whenever options are set, so that what is read back makes the same template.
    ...(run === undefined ? {} : { stopGrace: formatDuration(run.stopGraceMs) }),
    onDisconnect,
    ...(replaceAfterMs === undefined ? {} : { replaceAfter: formatDuration(replaceAfterMs) }),
    ...(reconcile === undefined ? {} : { reconcile }),
  };
}

function writeRun({ command, run }: Template): RunText {
  if (run === undefined) return { command: [...command] };
  const { env, workingDir, user, ports, argCount } = run;
  const split = command.length - (argCount ?? 0);
  return {
    command: command.slice(0, split),
    ...(argCount === undefined ? {} : { args: command.slice(split) }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(workingDir === "" ? {} : { workingDir }),
    ...(user === "" ? {} : { user }),
    ...(ports.length === 0 ? {} : { ports: [...ports] }),
  };
}

function writeProbe({ action, timeoutMs }: Probe): ProbeText {
  const timeout = formatDuration(timeoutMs);
  switch (action.kind) {
    case "http":
      return { http: { port: action.port, path: action.path }, timeout };
    case "tcp":
      return { tcp: { port: action.port }, timeout };
    case "exec":
      return { exec: { command: [...action.command] }, timeout };
  }
}
