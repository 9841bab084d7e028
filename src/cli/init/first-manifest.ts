/**
 * The manifest that `berth init` writes: a tenant, a quota that has room for a rollout, and the
 * workload, each with a line that says what it is for.
 */
import { formatCpu, formatMemory, parseCpu, parseMemory } from "../../quantity/quantity.ts";
import { UserError } from "../../shell/errors.ts";
import { yamlText } from "../../text/yaml-text.ts";

export interface FirstWorkload {
  readonly name: string;
  readonly namespace: string;
  readonly command: readonly string[];
  readonly workingDir: string;
  /** Empty: it listens on no port. */
  readonly port: string;
  /** Of a request that is answered when it is ready; empty: it accepts connections then. */
  readonly path: string;
  readonly replicas: number;
  readonly cpu: string;
  readonly memory: string;
}

const API = "berth.dev/v1";

export function firstManifest(of: FirstWorkload): string {
  const { name, namespace, replicas } = of;
  const cpu = quantity("--cpu", of.cpu, parseCpu);
  const memory = quantity("--memory", of.memory, parseMemory);
  // A rollout starts one replica before it stops another.
  const most = replicas + 1;
  const limit = { cpu: formatCpu(cpu * most), memory: formatMemory(memory * most) };
  return [
    "# Written by berth init. Apply it with `berth apply -f FILE`.",
    part("The owner of the workload.", {
      apiVersion: API,
      kind: "Tenant",
      metadata: { name: namespace },
    }),
    part("What the tenant may use: room for one replica more, which a rollout needs.", {
      apiVersion: API,
      kind: "Quota",
      metadata: { name: "default", namespace },
      spec: { limit },
    }),
    part("The program. Change a field and apply the file again.", {
      apiVersion: API,
      kind: "Workload",
      metadata: { name, namespace },
      spec: {
        replicas,
        resources: { cpu: formatCpu(cpu), memory: formatMemory(memory) },
        run: runOf(of),
        ...probesOf(of),
      },
    }),
  ].join("\n");
}

const part = (about: string, object: unknown): string =>
  `---\n# ${about}\n${yamlText(object)}`.trimEnd();

const runOf = ({ command, workingDir, port }: FirstWorkload) => ({
  command,
  workingDir,
  // The agent picks a free number and passes it as PORT.
  ...(port === "" ? {} : { ports: [port] }),
});

function probesOf({ port, path }: FirstWorkload) {
  if (port === "") return {};
  return { probes: { ready: path === "" ? { tcp: { port } } : { http: { port, path } } } };
}

function quantity(
  option: string,
  text: string,
  parse: (text: string) => number | undefined,
): number {
  const value = parse(text);
  if (value !== undefined && value > 0) return value;
  throw new UserError("bad-usage", `${option}: found "${text}", expected a quantity above 0.`);
}
