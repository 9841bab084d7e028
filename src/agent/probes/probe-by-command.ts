/**
 * Runs a command that asks a replica whether it is ready, as the replica itself runs: in its
 * environment, as its user, in its working directory, inside its limits. Everything that the
 * command has started ends with it.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { groupsOfProbe, killGroups, removeGroups } from "../cgroups/replica-groups.ts";
import { passedOn } from "../process/passed-on.ts";
import { lateText, type ProbeAnswer } from "./probe-answer.ts";

export interface InsideReplica {
  /** The words that run a command where the replica runs, as its driver says them. */
  readonly enter: (command: readonly string[]) => readonly string[];
  readonly cgroups: readonly string[];
  /** The script that joins the cgroups and becomes the command. */
  readonly script: string;
}

export interface ProbeCommand {
  readonly command: readonly string[];
  readonly inside: InsideReplica;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export function probeByCommand(of: ProbeCommand): Promise<ProbeAnswer> {
  const { inside, timeoutMs, signal } = of;
  const groups = groupsOfProbe(inside.cgroups);
  // An agent that was killed may have left a probe behind.
  killGroups(groups);
  return new Promise((resolve) => {
    const child = spawnCommand(of, groups);
    let isLate = false;
    const kill = (): void => {
      killGroups(groups);
      // Before it has joined its groups it is in none.
      killSession(child);
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    signal.addEventListener("abort", kill);
    const answer = (ready: boolean, how: string): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", kill);
      // Also what it left behind. Its number may be another's by now, so that is the second choice.
      if (groups.length > 0) killGroups(groups);
      else killSession(child);
      removeGroups(groups.slice(0, 1));
      resolve({ ready, said: `its command ${isLate ? lateText(timeoutMs) : how}` });
    };
    child.once("error", (error) => answer(false, `failed: ${error.message}`));
    child.once("exit", (code, by) =>
      answer(code === 0 && !isLate, `ended with ${code ?? by ?? "?"}`),
    );
  });
}

function spawnCommand({ command, inside }: ProbeCommand, groups: readonly string[]): ChildProcess {
  const words = [inside.script, ...groups, "--", ...inside.enter(command)];
  // In a session of its own, so that it can be ended as a whole where there are no cgroups.
  return spawn("/bin/sh", words, { cwd: "/", detached: true, stdio: "ignore", env: passedOn() });
}

function killSession({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing of the session is left.
  }
}
