/**
 * Runs a command in a replica for a session, as the replica itself runs: in its environment, as its
 * user, in its working directory, inside its limits. Everything that the command has started ends
 * with the session, and the session with the replica.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { groupsIn } from "../cgroups/hierarchy.ts";
import { groupsBeside, killGroups, removeGroups } from "../cgroups/replica-groups.ts";
import type { Drivers } from "../drivers/drivers.ts";
import { passedOn } from "../process/passed-on.ts";
import { cgroupsOf, type ProcessFolder, type ProcessRecord } from "../process/process-folder.ts";
import { isRunning, parseIdentity, startTicksOf } from "../../shell/process-identity.ts";
import { CHANNELS, exitStatus, failureStatus, onChannel } from "../../shell/web-socket/channels.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import type { ExecRequest } from "./session-request.ts";

export interface ExecOf {
  readonly asked: ExecRequest;
  readonly link: WebSocketLink;
  readonly folder: ProcessFolder;
  readonly record: ProcessRecord;
  readonly drivers: Drivers;
  /** The script that joins cgroups and becomes the command. */
  readonly script: string;
}

/** Between two looks whether the replica still runs. */
const LOOK_MS = 500;
/** Shells add the number of the signal that killed a process to this one. */
const BY_SIGNAL = 128;
const SIGKILL = 9;

/** Resolves when nothing of it is left. */
export function runExec(of: ExecOf): Promise<void> {
  const { asked, link, record } = of;
  const groups = groupsBeside(cgroupsOf(record), `exec-${asked.id}`);
  const child = spawnCommand(of, groups);
  const forget = noteCommand(of.folder, asked.id, child);
  const kill = (): void => {
    killGroups(groups);
    // Before it has joined its groups it is in none.
    if (child.exitCode === null && child.signalCode === null) killSession(child);
  };
  const looks = setInterval(() => {
    if (of.folder.state().kind === "ended") kill();
  }, LOOK_MS);
  link.onEnd = kill;
  carryInput(of, child);
  for (const [channel, stream] of [
    [CHANNELS.stdout, child.stdout],
    [CHANNELS.stderr, child.stderr],
  ] as const) {
    stream?.on("data", (bytes: Buffer) => {
      if (!link.send(onChannel(channel, bytes))) pauseOutput(child);
    });
  }
  link.onDrain = () => resumeOutput(child);
  link.begin();
  if (link.isOver) kill();
  return new Promise((resolve) => {
    const end = (status: Buffer): void => {
      clearInterval(looks);
      // What it left behind goes with it.
      killGroups(groups);
      link.send(status);
      link.close(1000);
      removeGroups(groups.slice(0, 1));
      forget();
      resolve();
    };
    child.once("error", (error) => end(failureStatus(`Cannot run the command: ${error.message}`)));
    // Its last output is read before its end is told; a process that it left behind may hold the
    // output open, so that is ended first.
    child.once("exit", () => {
      if (groups.length > 0) killGroups(groups);
      else killSession(child);
    });
    child.once("close", (code, signal) => {
      end(exitStatus(code ?? BY_SIGNAL + (signal === "SIGKILL" ? SIGKILL : 0)));
    });
  });
}

function spawnCommand(of: ExecOf, groups: readonly string[]): ChildProcess {
  const { asked, folder, record, script } = of;
  const within = of.drivers.of(record).inside({ folder, record, command: asked.command });
  const words = [script, ...groups, "--", ...within];
  // In a session of its own, so that it can be ended as a whole where there are no cgroups.
  return spawn("/bin/sh", words, {
    cwd: "/",
    detached: true,
    stdio: [asked.stdin ? "pipe" : "ignore", "pipe", "pipe"],
    env: passedOn(),
  });
}

function carryInput({ link }: ExecOf, child: ChildProcess): void {
  const { stdin } = child;
  // The command may end, or close its input, before all of it is there.
  stdin?.on("error", () => undefined);
  stdin?.on("drain", () => link.resume());
  link.onMessage = (message) => {
    const [channel, which] = message;
    if (channel === CHANNELS.close && which === CHANNELS.stdin) stdin?.end();
    if (channel !== CHANNELS.stdin || message.length === 1 || stdin?.writable !== true) return;
    if (!stdin.write(message.subarray(1))) link.pause();
  };
}

function pauseOutput({ stdout, stderr }: ChildProcess): void {
  stdout?.pause();
  stderr?.pause();
}

function resumeOutput({ stdout, stderr }: ChildProcess): void {
  stdout?.resume();
  stderr?.resume();
}

function killSession({ pid }: ChildProcess): void {
  if (pid !== undefined) killGroup(pid);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the session is left.
  }
}

/** Written down for the next agent, if this one is killed; returns how to forget it. */
function noteCommand(folder: ProcessFolder, id: string, { pid }: ChildProcess): () => void {
  const started = pid === undefined ? undefined : startTicksOf(pid);
  if (started === undefined) return () => undefined;
  const file = folder.file(`exec-${id}`);
  writeFileSync(file, `${pid} ${started}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}

/** Ends the commands of a replica that an agent left which was killed in the middle of sessions. */
export function endLeftCommands(folder: ProcessFolder): void {
  for (const name of readdirSync(folder.path).filter(isOfExec)) {
    const leader = parseIdentity(readFileSync(folder.file(name), "utf8"));
    if (leader !== undefined && isRunning(leader)) killGroup(leader.pid);
    rmSync(folder.file(name), { force: true });
  }
  const record = folder.readRecord();
  const [group] = record === undefined ? [] : cgroupsOf(record);
  if (group === undefined) return;
  for (const left of groupsIn(group).filter((each) => isOfExec(basename(each)))) {
    killGroups([left]);
    removeGroups([left]);
  }
}

const isOfExec = (name: string): boolean => name.startsWith("exec-");
