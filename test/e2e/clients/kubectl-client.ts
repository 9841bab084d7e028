/** The capabilities of a kubectl, as people type them. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { type Capability, type Check, type Outcomes, runChecks, type Stage } from "./capability.ts";
import { expectText, type Ran, runProgram } from "./ran-program.ts";

interface Kubectl extends Stage {
  readonly program: string;
  /** 1.24 has `--subresource`; earlier ones print no predicted object in `diff` either. */
  readonly isOld: boolean;
}

export async function runKubectl(stage: Stage, program: string, isOld: boolean): Promise<Outcomes> {
  return runChecks(checksOf({ ...stage, program, isOld }));
}

const workload = (namespace: string, name: string, replicas: number): string => `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: ${namespace}, labels: { app: ${name} } }
spec:
  replicas: ${replicas}
  resources: { cpu: 10m, memory: 16Mi }
  run: { command: [sleep, "1000"] }
`;

function checksOf(kubectl: Kubectl): Partial<Record<Capability, Check>> {
  return { ...readingChecks(kubectl), ...writingChecks(kubectl), ...endingChecks(kubectl) };
}

function say(
  { program, kubeconfig, folder, namespace }: Kubectl,
  args: readonly string[],
  input = "",
): Promise<Ran> {
  const cache = `--cache-dir=${path.join(folder, "cache")}`;
  return runProgram(program, [`--kubeconfig=${kubeconfig}`, cache, "-n", namespace, ...args], {
    input,
  });
}

async function ok(kubectl: Kubectl, args: readonly string[], input = ""): Promise<string> {
  const { code, out, err } = await say(kubectl, args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${err}${out}`);
  return out + err;
}

function readingChecks(kubectl: Kubectl): Partial<Record<Capability, Check>> {
  const { namespace, replica } = kubectl;
  const expectOut = async (wanted: string | RegExp, ...args: string[]): Promise<void> =>
    expectText(await ok(kubectl, args), wanted);
  return {
    discovery: () => expectOut(/workloads\s+wl\s/, "api-resources"),
    schemas: () => expectOut("nodeSelector", "explain", "workloads.spec.placement"),
    list: () => expectOut('"kind": "Workload"', "get", "workloads", "-o", "json"),
    tables: () => expectOut(/NAME\s+READY\s+STAGES/, "get", "wl", "-o", "wide"),
    selectors: async () => {
      await expectOut(
        "workload.berth.dev/hello",
        "get",
        "wl",
        "-l",
        "app in (hello)",
        "-o",
        "name",
      );
      await expectOut("No resources found", "get", "wl", "-l", "app!=hello");
      await expectOut(replica, "get", "replicas", `--field-selector=metadata.name=${replica}`);
    },
    watch: async () => {
      // It ends by itself: the request's own timeout bounds the watch.
      const { out } = await say(kubectl, ["get", "wl", "-w", "-o", "name", "--request-timeout=2"]);
      expectText(out, "workload.berth.dev/hello");
    },
    wait: async () => {
      await expectOut("condition met", "wait", `replica/${replica}`, "--for=condition=Ready");
      await expectOut("condition met", "wait", `pod/${replica}`, "--for=condition=Ready");
    },
    pods: async () => {
      await expectOut(/1\/1\s+Running/, "get", "pods", replica);
      await expectOut(/Status:\s+Running/, "describe", "pod", replica);
    },
    logs: async () => {
      await expectOut("hello", "logs", replica, "--tail=5");
      await expectOut("hello", "logs", "-l", "app=hello");
      const timed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z hello$/m;
      await expectOut(timed, "logs", replica, "--since=1h", "--timestamps");
    },
    events: async () => {
      await expectOut(/LAST SEEN\s+TYPE\s+REASON/, "get", "events");
      await expectOut(/Events:\s+Type/, "describe", "replica", replica);
      await expectOut(namespace, "get", "events", "-A");
    },
  };
}

function writingChecks(kubectl: Kubectl): Partial<Record<Capability, Check>> {
  const { namespace } = kubectl;
  const manifest = (name: string, replicas: number): string => {
    const file = path.join(kubectl.folder, `${name}.yaml`);
    writeFileSync(file, workload(namespace, name, replicas));
    return file;
  };
  const expectOut = async (wanted: string | RegExp, ...args: string[]): Promise<void> =>
    expectText(await ok(kubectl, args), wanted);
  const condition = { type: "Reviewed", status: "True", reason: "Fine", message: "Fine." };
  const status = JSON.stringify({ status: { conditions: [condition] } });
  return {
    create: () => expectOut("created", "create", "-f", manifest("made", 0)),
    apply: async () => {
      await expectOut("created", "apply", "-f", manifest("applied", 0));
      await expectOut("unchanged", "apply", "-f", manifest("applied", 0));
      await expectOut("configured", "apply", "-f", manifest("applied", 1));
    },
    "server-side apply": async () => {
      await expectOut("serverside-applied", "apply", "--server-side", "-f", manifest("applied", 2));
      await expectOut("serverside-applied", "apply", "--server-side", "-f", manifest("other", 0));
    },
    patch: async () => {
      await expectOut(
        "patched",
        "patch",
        "wl/made",
        "--type=merge",
        "-p",
        '{"spec":{"replicas":1}}',
      );
      const replace = '[{"op":"replace","path":"/spec/replicas","value":0}]';
      await expectOut("patched", "patch", "wl/made", "--type=json", "-p", replace);
      await expectOut("labeled", "label", "wl/made", "tier=low");
      await expectOut("annotated", "annotate", "wl/made", "why=test");
      await expectOut("labeled", "label", "namespace", namespace, "tier=low");
    },
    "update with a resourceVersion": async () => {
      const old = await ok(kubectl, ["get", "wl/made", "-o", "json"]);
      await expectOut(
        "patched",
        "patch",
        "wl/made",
        "--type=merge",
        "-p",
        '{"spec":{"replicas":2}}',
      );
      const { err } = await say(kubectl, ["replace", "-f", "-"], old);
      expectText(err, "the object has been modified");
    },
    ...(kubectl.isOld
      ? {}
      : {
          status: () =>
            expectOut(
              "patched",
              "patch",
              "wl/made",
              "--subresource=status",
              "--type=merge",
              "-p",
              status,
            ),
        }),
    leases: async () => {
      const name = { name: "elected", namespace };
      const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: name };
      const text = JSON.stringify({ ...lease, spec: { holderIdentity: "one" } });
      expectText(await ok(kubectl, ["apply", "-f", "-"], text), "created");
      await expectOut(/elected\s+one/, "get", "leases.coordination.k8s.io");
      await expectOut("annotated", "annotate", "leases.coordination.k8s.io/elected", "why=test");
      await expectOut("deleted", "delete", "leases.coordination.k8s.io/elected");
    },
    scale: () => expectOut("scaled", "scale", "wl/made", "--replicas=0"),
    "dry run": () => dryRun(kubectl, manifest("applied", 3)),
    diff: () => diff(kubectl, manifest),
  };
}

/** A manifest with a new namespace and its contents, before anything of it is there. */
async function dryRun(kubectl: Kubectl, changed: string): Promise<void> {
  expectText(await ok(kubectl, ["apply", "--dry-run=server", "-f", changed]), "(server dry run)");
  const fresh = `${kubectl.namespace}-fresh`;
  const namespace = `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${fresh} }\n---`;
  const file = path.join(kubectl.folder, "fresh.yaml");
  writeFileSync(file, `${namespace}${workload(fresh, "first", 1)}`);
  const { code, out, err } = await runProgram(kubectl.program, [
    `--kubeconfig=${kubectl.kubeconfig}`,
    `--cache-dir=${path.join(kubectl.folder, "cache")}`,
    "apply",
    "--dry-run=server",
    "-f",
    file,
  ]);
  if (code !== 0) throw new Error(`dry run of a new namespace: ${err}${out}`);
  expectText(out, "workload.berth.dev/first created (server dry run)");
  expectText(err, `namespace ${JSON.stringify(fresh)} does not exist yet`);
}

/** Only what the write would change: neither a predicted status nor a generation. */
async function diff(
  kubectl: Kubectl,
  manifest: (name: string, replicas: number) => string,
): Promise<void> {
  await ok(kubectl, ["apply", "-f", manifest("compared", 0)]);
  const same = await say(kubectl, ["diff", "-f", manifest("compared", 0)]);
  if (same.code !== 0) throw new Error(`diff of nothing: ${same.out}${same.err}`);
  const { out } = await say(kubectl, ["diff", "-f", manifest("compared", 1)]);
  // Kubectl before 1.21 also compares when each manager wrote.
  const lines = out.split("\n").filter((line) => /^[-+] (?!\s+time: )/.test(line));
  expectText(
    lines.join("\n"),
    /^-\s+generation: 1\n\+\s+generation: 2\n-\s+replicas: 0\n\+\s+replicas: 1$/,
  );
}

/** An older `wait --for=delete` fails if the object is gone already. */
async function untilGone(kubectl: Kubectl, object: string): Promise<void> {
  for (;;) {
    const { code, err } = await say(kubectl, ["get", object]);
    if (code !== 0) return expectText(err, "not found");
  }
}

const merge = (patch: unknown): string[] => ["--type=merge", "-p", JSON.stringify(patch)];

function endingChecks(kubectl: Kubectl): Partial<Record<Capability, Check>> {
  const expectOut = async (wanted: string | RegExp, ...args: string[]): Promise<void> =>
    expectText(await ok(kubectl, args), wanted);
  return {
    finalizers: async () => {
      await ok(kubectl, ["apply", "-f", "-"], workload(kubectl.namespace, "held", 0));
      await ok(kubectl, [
        "patch",
        "wl/held",
        ...merge({ metadata: { finalizers: ["x.dev/hold"] } }),
      ]);
      await expectOut("deleted", "delete", "wl/held", "--wait=false");
      await expectOut("held", "get", "wl/held");
      await expectOut("patched", "patch", "wl/held", ...merge({ metadata: { finalizers: null } }));
      await untilGone(kubectl, "wl/held");
    },
    delete: async () => {
      await expectOut("deleted", "delete", "wl/applied");
      expectText((await say(kubectl, ["get", "wl/applied"])).err, "not found");
      await expectOut("", "delete", "wl/applied", "--ignore-not-found");
    },
    "delete a collection": async () => {
      await expectOut('workload.berth.dev "hello" deleted', "delete", "all", "--all");
      expectText((await say(kubectl, ["get", "wl"])).err, "No resources found");
    },
  };
}
