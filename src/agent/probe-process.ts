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

export function probeProcess({ probe, address, environment, runAs }: Probed): Promise<boolean> {
  const { action, timeoutMs } = probe;
  if (action.kind === "exec") {
    const inside = ["/bin/sh", "-c", IN_ENVIRONMENT, environment, ...action.command];
    return exec([...becoming(runAs), ...inside], timeoutMs);
  }
  const port = address?.ports[action.port];
  if (address === undefined || port === undefined) return Promise.resolve(false);
  const at = { host: address.host, port, timeoutMs };
  return action.kind === "tcp" ? tcp(at) : http({ ...at, path: action.path });
}

interface Endpoint {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

function http({ host, port, path, timeoutMs }: Endpoint & { path: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    // A connection of its own: one kept alive would show that the process once accepted connections.
    const asked = request({ host, port, path, signal, agent: false }, (response) => {
      const { statusCode = 0 } = response;
      resolve(statusCode >= 200 && statusCode < 400);
      response.destroy();
    });
    asked.on("error", () => resolve(false));
    asked.end();
  });
}

function tcp({ host, port, timeoutMs }: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const answer = (ready: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(ready);
    };
    const timer = setTimeout(() => answer(false), timeoutMs);
    socket.once("connect", () => answer(true));
    socket.once("error", () => answer(false));
  });
}

function exec([program = "", ...args]: readonly string[], timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    // In a group of its own, so that a probe that hangs goes with everything it has started.
    const child = spawn(program, args, { detached: true, stdio: "ignore" });
    const timer = setTimeout(() => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, timeoutMs);
    const answer = (ready: boolean): void => {
      clearTimeout(timer);
      resolve(ready);
    };
    child.once("error", () => answer(false));
    child.once("exit", (code) => answer(code === 0));
  });
}
