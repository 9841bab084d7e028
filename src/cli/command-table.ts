/**
 * Every command, in the order in which help lists them. A command line loads only the command that
 * it names: all of them together take longer to load than most take to run.
 */
import type { Register } from "./main.ts";

interface Listed {
  readonly name: string;
  readonly load: () => Promise<Register>;
}

const COMMANDS: readonly Listed[] = [
  { name: "up", load: async () => (await import("./commands/up.ts")).registerUp },
  { name: "plane", load: async () => (await import("./commands/plane.ts")).registerPlane },
  { name: "agent", load: async () => (await import("./commands/agent.ts")).registerAgent },
  { name: "apply", load: async () => (await import("./commands/apply.ts")).registerApply },
  { name: "get", load: async () => (await import("./commands/get.ts")).registerGet },
  { name: "top", load: async () => (await import("./commands/top.ts")).registerTop },
  { name: "describe", load: async () => (await import("./commands/describe.ts")).registerDescribe },
  { name: "explain", load: async () => (await import("./commands/explain.ts")).registerExplain },
  { name: "diff", load: async () => (await import("./commands/diff.ts")).registerDiff },
  { name: "audit", load: async () => (await import("./commands/audit.ts")).registerAudit },
  { name: "capacity", load: async () => (await import("./commands/capacity.ts")).registerCapacity },
  { name: "wait", load: async () => (await import("./commands/wait.ts")).registerWait },
  { name: "scale", load: async () => (await import("./commands/scale.ts")).registerScale },
  { name: "rollout", load: async () => (await import("./commands/rollout.ts")).registerRollout },
  { name: "policy", load: async () => (await import("./commands/policy.ts")).registerPolicy },
  { name: "delete", load: async () => (await import("./commands/delete.ts")).registerDelete },
  { name: "logs", load: async () => (await import("./commands/logs.ts")).registerLogs },
  { name: "cordon", load: async () => (await import("./commands/cordon.ts")).registerCordon },
  { name: "uncordon", load: async () => (await import("./commands/cordon.ts")).registerUncordon },
  { name: "node", load: async () => (await import("./commands/node.ts")).registerNode },
  { name: "drain", load: async () => (await import("./commands/drain.ts")).registerDrain },
  { name: "undrain", load: async () => (await import("./commands/drain.ts")).registerUndrain },
  {
    name: "confirm-gone",
    load: async () => (await import("./commands/confirm-gone.ts")).registerConfirmGone,
  },
  { name: "override", load: async () => (await import("./commands/override.ts")).registerOverride },
  {
    name: "budget",
    load: async () => (await import("./commands/budget.ts")).registerRecoveryBudget,
  },
  { name: "backup", load: async () => (await import("./commands/backup.ts")).registerBackup },
  { name: "restore", load: async () => (await import("./commands/restore.ts")).registerRestore },
  { name: "store", load: async () => (await import("./commands/store.ts")).registerStore },
  { name: "simulate", load: async () => (await import("./commands/simulate.ts")).registerSimulate },
  { name: "replay", load: async () => (await import("./commands/replay.ts")).registerReplay },
  { name: "bench", load: async () => (await import("./commands/bench.ts")).registerBench },
  {
    name: "kubeconfig",
    load: async () => (await import("./commands/kubeconfig.ts")).registerKubeconfig,
  },
  {
    name: "completion",
    load: async () => (await import("./commands/completion.ts")).registerCompletion,
  },
  {
    name: "version",
    load: async () => (await import("./commands/version-command.ts")).registerVersion,
  },
];

/** Completion describes all others. */
const NEEDS_ALL = "completion";

/** What is registered for this command line: one command, or all for help and for mistakes. */
export function commandsFor(args: readonly string[]): Promise<readonly Register[]> {
  const [first] = args;
  if (first === "--version" || first === "-V") return Promise.resolve([]);
  const named = COMMANDS.filter(({ name }) => name === first && name !== NEEDS_ALL);
  return Promise.all((named.length > 0 ? named : COMMANDS).map(({ load }) => load()));
}
