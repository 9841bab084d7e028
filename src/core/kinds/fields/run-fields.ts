/** How a process is run: between what people write and what the core keeps. */
import type { Ask } from "../../model/objects.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { fromSecrets } from "./secret-fields.ts";

export const STOP_GRACE_MS = 10_000;

export interface WrittenRun extends Partial<Omit<RunOptions, "stopGraceMs" | "argCount">> {
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly fixedPorts?: Ask["fixedPorts"];
  readonly disk?: Ask["disk"];
}

/** Unset options are left to the agent; one that was written brings the defaults of the rest. */
export function readRunOptions(run: WrittenRun, grace: number | undefined): RunOptions | undefined {
  const secrets = fromSecrets(run);
  const { args, env, workingDir, user, ports, image, writable, network, identity } = run;
  const own = [args, env, workingDir, user, ports, image, writable, network, identity, grace];
  if (Object.keys(secrets).length === 0 && own.every((each) => each === undefined))
    return undefined;
  return {
    env: run.env ?? {},
    ...secrets,
    ...(run.identity === undefined ? {} : { identity: run.identity }),
    workingDir: run.workingDir ?? "",
    user: run.user ?? "",
    ports: run.ports ?? [],
    ...isolation(run),
    stopGraceMs: grace ?? STOP_GRACE_MS,
    ...(run.args === undefined ? {} : { argCount: run.args.length }),
  };
}

export function writeRun(all: readonly string[], run: RunOptions | undefined): WrittenRun {
  if (run === undefined) return { command: all };
  const split = all.length - (run.argCount ?? 0);
  return {
    command: all.slice(0, split),
    ...(run.argCount === undefined ? {} : { args: all.slice(split) }),
    ...(Object.keys(run.env).length === 0 ? {} : { env: run.env }),
    ...fromSecrets(run),
    ...(run.identity === undefined ? {} : { identity: run.identity }),
    ...(run.workingDir === "" ? {} : { workingDir: run.workingDir }),
    ...(run.user === "" ? {} : { user: run.user }),
    ...(run.ports.length === 0 ? {} : { ports: run.ports }),
    ...isolation(run),
  };
}

const isolation = ({
  image,
  writable,
  network,
}: Partial<RunOptions>): Pick<RunOptions, "image" | "writable" | "network"> => ({
  ...(image === undefined ? {} : { image }),
  ...(writable === undefined ? {} : { writable }),
  ...(network === undefined ? {} : { network }),
});
