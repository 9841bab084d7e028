/**
 * Every command, in the groups and the order in which help lists them. A command line loads only
 * the command that it names, and help loads none: all of them together take longer to load than
 * most take to run.
 */
import type { Register } from "./main.ts";

export interface Listed {
  readonly name: string;
  /** As the command itself says it; a test keeps the two equal. */
  readonly summary: string;
  /** Command lines that its own help shows. */
  readonly examples?: readonly string[];
  readonly load: () => Promise<Register>;
}

export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly Listed[];
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: "Start",
    commands: [
      {
        name: "up",
        summary: "run a local cluster with examples until Ctrl-C",
        examples: ["berth up", "berth up --agents 5"],
        load: async () => (await import("./commands/up.ts")).registerUp,
      },
      {
        name: "init",
        summary: "write a first manifest for your program",
        examples: [
          "berth init",
          "berth init --command 'node server.js' --port http --path /healthz",
        ],
        load: async () => (await import("./commands/init.ts")).registerInit,
      },
      {
        name: "apply",
        summary: "create or update objects from files",
        examples: [
          "berth apply -f app.yaml",
          "berth apply -f deploy/ -n shop",
          "berth apply --simulate -f app.yaml",
        ],
        load: async () => (await import("./commands/apply.ts")).registerApply,
      },
      {
        name: "diff",
        summary: "show what `berth apply` would change, or what changed between two moments",
        examples: ["berth diff -f app.yaml", "berth diff --from 10m workload"],
        load: async () => (await import("./commands/diff.ts")).registerDiff,
      },
      {
        name: "completion",
        summary: "print a completion script: source <(berth completion bash)",
        examples: [
          "source <(berth completion bash)",
          "berth completion fish > ~/.config/fish/completions/berth.fish",
        ],
        load: async () => (await import("./commands/completion.ts")).registerCompletion,
      },
    ],
  },
  {
    title: "See",
    commands: [
      {
        name: "get",
        summary: "list objects of all tenants or one tenant, or show one",
        examples: [
          "berth get workloads",
          "berth get replicas -n shop -o wide",
          "berth get workload api -o yaml",
        ],
        load: async () => (await import("./commands/get.ts")).registerGet,
      },
      {
        name: "describe",
        summary: "show details of one object: spec, status and events",
        examples: ["berth describe workload shop/api"],
        load: async () => (await import("./commands/describe.ts")).registerDescribe,
      },
      {
        name: "top",
        summary: "show nodes, workloads, queue and events live (? for keys, q to quit)",
        examples: ["berth top", "berth top --api"],
        load: async () => (await import("./commands/top.ts")).registerTop,
      },
      {
        name: "logs",
        summary: "print the logs of a replica, or of all replicas of workload/NAME",
        examples: ["berth logs workload/api -f", "berth logs api.1.0 --previous"],
        load: async () => (await import("./commands/logs.ts")).registerLogs,
      },
      {
        name: "exec",
        summary: "run a command in a replica, or in a replica of workload/NAME",
        examples: ["berth exec workload/api -- env", "berth exec -i api.1.0 -- sh < script.sh"],
        load: async () => (await import("./commands/exec.ts")).registerExec,
      },
      {
        name: "port-forward",
        summary: "forward a local port to a port of a replica: LOCAL:REMOTE",
        examples: ["berth port-forward workload/api 8080:http"],
        load: async () => (await import("./commands/port-forward.ts")).registerPortForward,
      },
      {
        name: "explain",
        summary: "explain the state of a replica, workload, node or decision",
        examples: [
          "berth explain workload shop/api",
          "berth explain replica shop/api.1.0 --what-if",
        ],
        load: async () => (await import("./commands/explain.ts")).registerExplain,
      },
      {
        name: "audit",
        summary: "show who changed what and when, without heartbeats",
        examples: ["berth audit --kind human", "berth audit --watch"],
        load: async () => (await import("./commands/audit.ts")).registerAudit,
      },
      {
        name: "capacity",
        summary: "show hard, reclaimable and soft capacity by region",
        load: async () => (await import("./commands/capacity.ts")).registerCapacity,
      },
      {
        name: "regions",
        summary: "show regions with planes of their own: contact, terms and quota lent",
        load: async () => (await import("./commands/regions.ts")).registerRegions,
      },
      {
        name: "wait",
        summary: "wait for a state or condition of an object",
        examples: ["berth wait workload/api --for serving --timeout 2m"],
        load: async () => (await import("./commands/wait.ts")).registerWait,
      },
    ],
  },
  {
    title: "Change",
    commands: [
      {
        name: "scale",
        summary: "set the number of replicas of a workload",
        examples: ["berth scale workload/api --replicas 5"],
        load: async () => (await import("./commands/scale.ts")).registerScale,
      },
      {
        name: "restart",
        summary: "replace the replicas of a service, as its rollout does",
        examples: ["berth restart workload/api", "berth restart workload/api --wait"],
        load: async () => (await import("./commands/restart.ts")).registerRestart,
      },
      {
        name: "rollout",
        summary: "show, pause, resume or undo the rollout of a service",
        examples: ["berth rollout status workload/api", "berth rollout undo workload/api"],
        load: async () => (await import("./commands/rollout.ts")).registerRollout,
      },
      {
        name: "delete",
        summary: "delete objects by name or from files",
        examples: ["berth delete -f app.yaml", "berth delete workload api"],
        load: async () => (await import("./commands/delete.ts")).registerDelete,
      },
      {
        name: "policy",
        summary: "list, activate, roll back or preview policy revisions",
        examples: ["berth policy preview default -f stricter.yaml"],
        load: async () => (await import("./commands/policy.ts")).registerPolicy,
      },
      {
        name: "override",
        summary: "create, list, extend or release temporary overrides",
        examples: ["berth override create avoid-zone --zone eu-a --reason 'shaky power' --ttl 30m"],
        load: async () => (await import("./commands/override.ts")).registerOverride,
      },
      {
        name: "budget",
        summary: "grant, list, extend or withdraw recovery budgets",
        load: async () => (await import("./commands/budget.ts")).registerRecoveryBudget,
      },
    ],
  },
  {
    title: "Look after nodes",
    commands: [
      {
        name: "cordon",
        summary: "mark a node unschedulable",
        examples: ["berth cordon n1 --reason 'new disk'"],
        load: async () => (await import("./commands/cordon.ts")).registerCordon,
      },
      {
        name: "uncordon",
        summary: "mark a node schedulable by removing your hold",
        load: async () => (await import("./commands/cordon.ts")).registerUncordon,
      },
      {
        name: "drain",
        summary: "evict all replicas from a node and cordon it",
        examples: ["berth drain n1 --wait"],
        load: async () => (await import("./commands/drain.ts")).registerDrain,
      },
      {
        name: "undrain",
        summary: "cancel a drain and make the node schedulable",
        load: async () => (await import("./commands/drain.ts")).registerUndrain,
      },
      {
        name: "node",
        summary: "approve nodes that wait for approval",
        load: async () => (await import("./commands/node.ts")).registerNode,
      },
      {
        name: "confirm-gone",
        summary:
          "declare a node dead and replace its replicas at once, or region/NAME gone for good",
        examples: ["berth confirm-gone n1 --reason 'the machine burnt'"],
        load: async () => (await import("./commands/confirm-gone.ts")).registerConfirmGone,
      },
    ],
  },
  {
    title: "Run a cluster",
    commands: [
      {
        name: "plane",
        summary: "run a control plane: log, controllers and API server",
        examples: ["berth plane --data /var/lib/berth"],
        load: async () => (await import("./commands/plane.ts")).registerPlane,
      },
      {
        name: "agent",
        summary: "run an agent: join this machine to a plane as a node",
        examples: ["berth agent --name n1 --region eu --zone eu-a"],
        load: async () => (await import("./commands/agent.ts")).registerAgent,
      },
      {
        name: "kubeconfig",
        summary: "print a kubeconfig for kubectl, or merge it into yours",
        examples: ["berth kubeconfig > berth.kubeconfig", "berth kubeconfig --merge"],
        load: async () => (await import("./commands/kubeconfig.ts")).registerKubeconfig,
      },
      {
        name: "login",
        summary: "log in at a plane with an OpenID provider",
        examples: [
          "berth login --server https://plane:6900 --issuer https://login.example.com --client-id berth",
        ],
        load: async () => (await import("./identity/login.ts")).registerLogin,
      },
      {
        name: "logout",
        summary: "forget the login at a plane",
        load: async () => (await import("./identity/login.ts")).registerLogout,
      },
      {
        name: "whoami",
        summary: "show the user and groups that the plane knows you by",
        load: async () => (await import("./identity/whoami.ts")).registerWhoami,
      },
      {
        name: "credential",
        summary: "print the token of a login, as kubectl asks for it",
        load: async () => (await import("./identity/credential.ts")).registerCredential,
      },
      {
        name: "auth",
        summary: "ask who may do what, by the roles of a plane",
        examples: [
          "berth auth can-i create workloads -n shop",
          "berth auth who-can delete nodes",
          "berth auth preview -f roles.yaml --since 7d",
        ],
        load: async () => (await import("./access/auth.ts")).registerAuth,
      },
      {
        name: "token",
        summary: "create, list or revoke the tokens that a plane accepts",
        examples: [
          "berth token create ana --group devs --expires 30d > ana.token",
          "berth token list",
          "berth token revoke ana",
        ],
        load: async () => (await import("./identity/token.ts")).registerToken,
      },
      {
        name: "secret",
        summary: "create, list or rotate secrets",
        examples: [
          "berth secret create db --from-file password=password.txt -n payments",
          "berth secret list -n payments",
          "berth secret rotate --add-key secret.key",
        ],
        load: async () => (await import("./secret/secret.ts")).registerSecret,
      },
      {
        name: "backup",
        summary: "back up a plane's log to a file, also while it runs",
        load: async () => (await import("./commands/backup.ts")).registerBackup,
      },
      {
        name: "restore",
        summary: "restore a backup into an empty store",
        load: async () => (await import("./commands/restore.ts")).registerRestore,
      },
      {
        name: "store",
        summary: "check the store of the log",
        load: async () => (await import("./commands/store.ts")).registerStore,
      },
    ],
  },
  {
    title: "Test and measure",
    commands: [
      {
        name: "simulate",
        summary: "simulate the control plane under faults and check invariants",
        examples: ["berth simulate --seeds 1..100"],
        load: async () => (await import("./commands/simulate.ts")).registerSimulate,
      },
      {
        name: "import",
        summary: "read a Kubernetes cluster as a fleet for `berth review`",
        examples: [
          "berth import kubernetes dump/ --out fleet.jsonl",
          "kubectl get nodes,pods,deployments,replicasets -A -o json | berth import kubernetes -",
          "berth import kubernetes --kubeconfig ~/.kube/config --out fleet.jsonl",
        ],
        load: async () => (await import("./commands/import.ts")).registerImport,
      },
      {
        name: "review",
        summary: "check promises against a fleet, with evidence and the reason",
        examples: [
          "berth review promises.yaml --fleet fleet.jsonl",
          "berth review promises.yaml --with change.yaml -o markdown",
          "berth review init > promises.yaml",
          "berth review --fleet fleet.jsonl --lose zone",
        ],
        load: async () => (await import("./commands/review.ts")).registerReview,
      },
      {
        name: "replay",
        summary: "replay a recording, trace or scenario and report divergence",
        load: async () => (await import("./commands/replay.ts")).registerReplay,
      },
      {
        name: "bench",
        summary: "run benchmarks on this machine",
        load: async () => (await import("./commands/bench.ts")).registerBench,
      },
    ],
  },
  {
    title: "Other",
    commands: [
      {
        name: "version",
        summary: "print the versions of berth and of the plane",
        load: async () => (await import("./commands/version-command.ts")).registerVersion,
      },
    ],
  },
];

const COMMANDS: readonly Listed[] = COMMAND_GROUPS.flatMap(({ commands }) => commands);

/** Completion describes all others. */
const NEEDS_ALL = "completion";

/** What is registered for this command line: one command, or all for mistakes and completion. */
export function commandsFor(args: readonly string[]): Promise<readonly Register[]> {
  const [first, second] = args;
  if (first === "--version" || first === "-V") return Promise.resolve([]);
  const wanted = first === "help" ? second : first;
  const named = COMMANDS.filter(({ name }) => name === wanted && name !== NEEDS_ALL);
  return Promise.all((named.length > 0 ? named : COMMANDS).map(loaded));
}

async function loaded({ name, examples = [], load }: Listed): Promise<Register> {
  const register = await load();
  if (examples.length === 0) return register;
  return (program, terminal) => {
    register(program, terminal);
    const text = examples.map((example) => `  ${example}`).join("\n");
    program.commands
      .find((command) => command.name() === name)
      ?.addHelpText("after", `\nExamples:\n${text}`);
  };
}
