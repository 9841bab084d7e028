/**
 * The name of a port that something asks, which has to be one of those that the process is given.
 */
import { didYouMean } from "../../spelling/nearest.ts";
import type { SpecReader } from "./spec-reader.ts";

export function checkRunPort(
  field: string,
  of: {
    readonly port: string;
    readonly ports: readonly string[];
    readonly reader: SpecReader;
  },
): void {
  const { port, ports, reader } = of;
  if (ports.includes(port)) return;
  const known = ports.length === 0 ? "it is empty" : `it has ${ports.join(", ")}`;
  const expected = `expected a name from spec.run.ports, but ${known}.`;
  reader.mistake(field, `found "${port}"; ${expected}${didYouMean(port, ports)}`);
}
