/** The capabilities of the JavaScript client, each as its users write it. */
import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import {
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  Log,
  PatchStrategy,
  setHeaderOptions,
  V1MicroTime,
  VersionApi,
  Watch,
} from "@kubernetes/client-node";
import { type Capability, type Check, type Outcomes, runChecks, type Stage } from "./capability.ts";

interface Shown extends KubernetesObject {
  readonly spec: { replicas: number };
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

interface Clients extends Stage {
  readonly config: KubeConfig;
  readonly core: CoreV1Api;
  readonly custom: CustomObjectsApi;
  readonly objects: KubernetesObjectApi;
  /** The parameters that every request about workloads has. */
  readonly all: { group: string; version: string; namespace: string; plural: string };
}

export async function runClientNode(stage: Stage): Promise<Outcomes> {
  const config = new KubeConfig();
  config.loadFromFile(stage.kubeconfig);
  const { namespace } = stage;
  const clients: Clients = {
    ...stage,
    config,
    core: config.makeApiClient(CoreV1Api),
    custom: config.makeApiClient(CustomObjectsApi),
    objects: KubernetesObjectApi.makeApiClient(config),
    all: { group: "berth.dev", version: "v1", namespace, plural: "workloads" },
  };
  return runChecks({
    ...readingChecks(clients),
    ...writingChecks(clients),
    ...endingChecks(clients),
  });
}

function workload(namespace: string, name: string): Shown {
  return {
    apiVersion: "berth.dev/v1",
    kind: "Workload",
    metadata: { name, namespace, labels: { app: name } },
    spec: {
      replicas: 0,
      resources: { cpu: "10m", memory: "16Mi" },
      run: { command: ["sleep", "1000"] },
    } as Shown["spec"],
  };
}

async function refused(code: number, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error: { readonly code?: number }) => error.code === code);
}

/** The plane counts replicas in the object, so it may change between a read and a write. */
async function untilNoConflict(act: () => Promise<void>): Promise<void> {
  for (;;) {
    const error = await act().then(
      () => undefined,
      (reason: { readonly code?: number }) => reason,
    );
    if (error === undefined) return;
    if (error.code !== 409) throw error;
  }
}

function readingChecks(clients: Clients): Partial<Record<Capability, Check>> {
  const { config, core, custom, objects, all, namespace, replica } = clients;
  return {
    discovery: async () => {
      const { gitVersion } = await config.makeApiClient(VersionApi).getCode();
      assert.match(gitVersion, /^v1\./);
      const apps = await config
        .makeApiClient(AppsV1Api)
        .getAPIResources()
        .catch(() => undefined);
      assert.equal(apps, undefined, "there is no apps/v1");
      assert.equal((await objects.list("berth.dev/v1", "Workload", namespace)).items.length, 1);
    },
    list: async () => {
      const list = (await custom.listNamespacedCustomObject(all)) as { items: Shown[] };
      assert.equal(list.items[0]?.metadata?.name, "hello");
      const first = await core.listNamespace({ limit: 1 });
      assert.equal(first.items.length, 1);
      assert.ok((first.metadata?.remainingItemCount ?? 0) > 0);
    },
    selectors: async () => {
      const selected = await custom.listNamespacedCustomObject({
        ...all,
        labelSelector: "app in (hello)",
      });
      assert.equal((selected as { items: Shown[] }).items.length, 1);
      const none = await custom.listNamespacedCustomObject({
        ...all,
        fieldSelector: "metadata.name=other",
      });
      assert.equal((none as { items: Shown[] }).items.length, 0);
    },
    watch: async () => {
      const watch = new Watch(config);
      const path = `/apis/berth.dev/v1/namespaces/${namespace}/workloads`;
      const type = await new Promise<string>((resolve, reject) => {
        const controller = watch.watch(path, {}, resolve, (error: unknown) => reject(error));
        void controller.then((each) => setTimeout(() => each.abort(), 20_000).unref());
      });
      assert.equal(type, "ADDED");
    },
    pods: async () => {
      const pod = await core.readNamespacedPod({ name: replica, namespace });
      assert.equal(pod.status?.phase, "Running");
      assert.ok(pod.status.startTime instanceof Date);
    },
    logs: async () => {
      const text = await core.readNamespacedPodLog({ name: replica, namespace, tailLines: 5 });
      assert.match(text, /hello/);
      const stream = new PassThrough();
      const abort = await new Log(config).log(namespace, replica, "hello", stream, {
        follow: true,
      });
      const [line] = await new Promise<Buffer[]>((resolve) =>
        stream.once("data", (data: Buffer) => resolve([data])),
      );
      assert.match(String(line), /hello/);
      abort.abort();
    },
    events: async () => {
      const { items } = await core.listNamespacedEvent({ namespace });
      assert.ok(items.some(({ reason }) => reason === "Admitted"));
    },
  };
}

function writingChecks(clients: Clients): Partial<Record<Capability, Check>> {
  const { config, core, custom, objects, all, namespace } = clients;
  const made = { ...all, name: "made" };
  const merge = setHeaderOptions("Content-Type", PatchStrategy.MergePatch);
  return {
    create: async () => {
      const body = workload(namespace, "made");
      assert.ok((await objects.create(body)).metadata?.uid);
      await refused(409, () => objects.create(body));
      await core.createNamespace({ body: { metadata: { name: `${namespace}-new` } } });
    },
    "server-side apply": async () => {
      const body = workload(namespace, "applied");
      await objects.patch(body, undefined, undefined, "node", true, PatchStrategy.ServerSideApply);
    },
    patch: async () => {
      const body = { spec: { replicas: 1 } };
      const merged = (await custom.patchNamespacedCustomObject({ ...made, body }, merge)) as Shown;
      assert.equal(merged.spec.replicas, 1);
      const operations = [{ op: "replace", path: "/spec/replicas", value: 0 }];
      const changed = (await custom.patchNamespacedCustomObject({
        ...made,
        body: operations,
      })) as Shown;
      assert.equal(changed.spec.replicas, 0);
      const labels = { metadata: { labels: { tier: "low" } } };
      const strategic = setHeaderOptions("Content-Type", PatchStrategy.StrategicMergePatch);
      await core.patchNamespace({ name: namespace, body: labels }, strategic);
    },
    "update with a resourceVersion": async () => {
      const old = await custom.getNamespacedCustomObject(made);
      await custom.patchNamespacedCustomObject({ ...made, body: { spec: { replicas: 2 } } }, merge);
      await refused(409, () => custom.replaceNamespacedCustomObject({ ...made, body: old }));
      await untilNoConflict(async () => {
        const body = (await custom.getNamespacedCustomObject(made)) as Shown;
        body.spec.replicas = 0;
        await custom.replaceNamespacedCustomObject({ ...made, body });
      });
    },
    status: async () => {
      const condition = { type: "Reviewed", status: "True", reason: "Fine", message: "Fine." };
      const body = { status: { conditions: [condition] } };
      const shown = await custom.patchNamespacedCustomObjectStatus({ ...made, body }, merge);
      assert.ok((shown as Shown).status?.conditions?.some(({ type }) => type === "Reviewed"));
    },
    scale: async () => {
      await custom.patchNamespacedCustomObjectScale(
        { ...made, body: { spec: { replicas: 1 } } },
        merge,
      );
      const scale = (await custom.getNamespacedCustomObjectScale(made)) as Shown;
      assert.equal(scale.spec.replicas, 1);
    },
    leases: async () => {
      const leases = config.makeApiClient(CoordinationV1Api);
      const name = { name: "elected", namespace };
      const spec = {
        holderIdentity: "one",
        leaseDurationSeconds: 15,
        renewTime: new V1MicroTime(),
      };
      const held = await leases.createNamespacedLease({
        namespace,
        body: { metadata: name, spec },
      });
      held.spec!.holderIdentity = "two";
      await leases.replaceNamespacedLease({ ...name, body: held });
      await refused(409, () => leases.replaceNamespacedLease({ ...name, body: held }));
      const { items } = await leases.listNamespacedLease({ namespace });
      assert.equal(items[0]?.spec?.holderIdentity, "two");
      await leases.deleteNamespacedLease(name);
    },
    "dry run": async () => {
      await custom.createNamespacedCustomObject({
        ...all,
        body: workload(namespace, "tried"),
        dryRun: "All",
      });
      await refused(404, () => custom.getNamespacedCustomObject({ ...all, name: "tried" }));
    },
  };
}

function endingChecks({
  core,
  custom,
  all,
  namespace,
}: Clients): Partial<Record<Capability, Check>> {
  return {
    finalizers: async () => {
      const body = workload(namespace, "held");
      body.metadata!.finalizers = ["x.dev/hold"];
      const held = { ...all, name: "held" };
      await custom.createNamespacedCustomObject({ ...all, body });
      await custom.deleteNamespacedCustomObject(held);
      await untilNoConflict(async () => {
        const shown = (await custom.getNamespacedCustomObject(held)) as Shown;
        assert.ok(shown.metadata?.deletionTimestamp);
        const kept = shown.metadata.finalizers?.filter((each) => each !== "x.dev/hold") ?? [];
        shown.metadata.finalizers = kept;
        await custom.replaceNamespacedCustomObject({ ...held, body: shown });
      });
    },
    delete: async () => {
      await custom.deleteNamespacedCustomObject({
        ...all,
        name: "applied",
        propagationPolicy: "Foreground",
      });
      await core.deleteNamespace({ name: `${namespace}-new` });
    },
    "delete a collection": async () => {
      await custom.deleteCollectionNamespacedCustomObject({ ...all, labelSelector: "app=made" });
    },
  };
}
