/** Asks a process whether it is ready, in the way its template says. No answer in time is a no. */
import { request } from "node:http";
import { connect } from "node:net";
import type { Address } from "../../core/model/objects.ts";
import type { Probe } from "../../core/model/run-options.ts";
import { lateText, type ProbeAnswer } from "./probe-answer.ts";
import { type InsideReplica, probeByCommand } from "./probe-by-command.ts";

export interface Probed {
  readonly probe: Probe;
  readonly address: Address | undefined;
  readonly inside: InsideReplica;
  /** Ends the probe with its replica. */
  readonly signal: AbortSignal;
}

export function probeProcess(probed: Probed): Promise<ProbeAnswer> {
  const { probe, address, inside, signal } = probed;
  const { action, timeoutMs } = probe;
  // It may have ended while the probe waited for its turn.
  if (signal.aborted) return Promise.resolve({ ready: false, said: "its process has ended" });
  if (action.kind === "exec") {
    return probeByCommand({ command: action.command, inside, timeoutMs, signal });
  }
  const port = address?.ports[action.port];
  if (address === undefined || port === undefined) {
    return Promise.resolve({ ready: false, said: `it has no port ${action.port}` });
  }
  const at = { host: address.host, port, timeoutMs };
  return action.kind === "tcp" ? tcp(at) : http({ ...at, path: action.path });
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

function http({ host, port, path, timeoutMs }: Endpoint & { path: string }): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const what = `GET ${path} at ${host}:${port}`;
    // A connection of its own: one kept alive would show that the process once accepted
    // connections.
    const asked = request({ host, port, path, signal, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      resolve({ ready: statusCode >= 200 && statusCode < 400, said: `${what} is ${statusCode}` });
      response.destroy();
    });
    asked.on("error", (error) => {
      const why = signal.aborted ? lateText(timeoutMs) : `failed: ${error.message}`;
      resolve({ ready: false, said: `${what} ${why}` });
    });
    asked.end();
  });
}

function tcp({ host, port, timeoutMs }: Endpoint): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const answer = (ready: boolean, how: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ ready, said: `a connection to ${host}:${port} ${how}` });
    };
    const timer = setTimeout(() => answer(false, lateText(timeoutMs)), timeoutMs);
    socket.once("connect", () => answer(true, "was accepted"));
    socket.once("error", (error) => answer(false, `failed: ${error.message}`));
  });
}
