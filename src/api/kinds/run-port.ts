/**
 * The name of a port that something asks, which has to be one of those that the process is given.
 */
import type { WorkloadSpec } from "../../core/model/objects.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import type { SpecReader } from "./spec-reader.ts";

export function noteUnknownPorts(
  { template: { ask, run, probe, metrics } }: WorkloadSpec,
  reader: SpecReader,
): void {
  const ports = run?.ports ?? [];
  const check = (field: string, port: string): void => {
    if (ports.includes(port)) return;
    const known = ports.length === 0 ? "it is empty" : `it has ${ports.join(", ")}`;
    const expected = `expected a name from spec.run.ports, but ${known}.`;
    reader.mistake(field, `found "${port}"; ${expected}${didYouMean(port, ports)}`);
  };
  const action = probe?.action;
  if (action !== undefined && action.kind !== "exec") {
    check(`spec.probes.ready.${action.kind}.port`, action.port);
  }
  const named = new Map<number, string>();
  for (const [name, port] of Object.entries(ask.fixedPorts ?? {})) {
    const field = `spec.run.fixedPorts.${name}`;
    check(field, name);
    const other = named.get(port);
    if (other === undefined) named.set(port, name);
    else reader.mistake(field, `found ${port}, which ${other} has; expected another number.`);
  }
  // Without a name there is another mistake already.
  if (metrics !== undefined && metrics.port !== "") check("spec.metrics.port", metrics.port);
}
