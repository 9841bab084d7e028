/** Asks a process whether it is ready, in the way its template says. No answer in time is a no. */
import { spawn } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import type { Address } from "../core/model/objects.ts";
import type { Probe } from "../core/model/run-options.ts";
import { becoming, type RunAs } from "./run-as.ts";
import { IN_ENVIRONMENT } from "./shim-scripts.ts";

export interface Probed {
  readonly probe: Probe;
  readonly address: Address | undefined;
  /** The script that makes the replica's surroundings. */
  readonly environment: string;
  readonly runAs: RunAs | undefined;
}

export interface ProbeAnswer {
  readonly ready: boolean;
  /** What was asked and what came back, for people: it is kept as evidence. */
  readonly said: string;
}

export function probeProcess(probed: Probed): Promise<ProbeAnswer> {
  const { probe, address, environment, runAs } = probed;
  const { action, timeoutMs } = probe;
  if (action.kind === "exec") {
    const inside = ["/bin/sh", "-c", IN_ENVIRONMENT, environment, ...action.command];
    return exec([...becoming(runAs), ...inside], timeoutMs);
  }
  const port = address?.ports[action.port];
  if (address === undefined || port === undefined) {
    return Promise.resolve({ ready: false, said: `it has no port ${action.port}` });
  }
  const at = { host: address.host, port, timeoutMs };
  return action.kind === "tcp" ? tcp(at) : http({ ...at, path: action.path });
}

const lateText = (timeoutMs: number): string => `did not answer within ${timeoutMs} ms`;

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

function http({ host, port, path, timeoutMs }: Endpoint & { path: string }): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const what = `GET ${path} at ${host}:${port}`;
    // A connection of its own: one kept alive would show that the process once accepted connections.
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
    socket.once("connect", () => answer(true, "was taken"));
    socket.once("error", (error) => answer(false, `failed: ${error.message}`));
  });
}

function exec([program = "", ...args]: readonly string[], timeoutMs: number): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    // In a group of its own, so that a probe that hangs goes with everything it has started.
    const child = spawn(program, args, { detached: true, stdio: "ignore" });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, timeoutMs);
    const answer = (ready: boolean, how: string): void => {
      clearTimeout(timer);
      resolve({ ready, said: `its command ${isLate ? lateText(timeoutMs) : how}` });
    };
    child.once("error", (error) => answer(false, `failed: ${error.message}`));
    child.once("exit", (code, signal) => answer(code === 0, `ended with ${code ?? signal ?? "?"}`));
  });
}
