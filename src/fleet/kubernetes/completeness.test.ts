import { describe, expect, test } from "vitest";
import { aKubeNode, owned } from "../../../test/builders/a-kube-cluster.ts";
import { indexOf } from "../fleet.ts";
import { fleetText } from "../fleet-file.ts";
import { KubeDump } from "./dump.ts";
import { importKubernetes } from "./import-kubernetes.ts";
import { CONTAINER_FIELDS, POD_FIELDS, VOLUME_FIELDS } from "./pod-fields.ts";

function imported(...objects: readonly unknown[]) {
  const dump = new KubeDump();
  dump.add({ kind: "List", items: objects.flat() }, "test");
  const made = importKubernetes(dump);
  return { ...made, index: indexOf(made.fleet), what: made.notes.map(({ what }) => what) };
}

const NODE = aKubeNode("a-0", "a");
const podWith = (podSpec: object) => owned("web", ["a-0"], { podSpec });

/** Of Kubernetes v1.36. */
const FIELDS = {
  pod: `volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds
    activeDeadlineSeconds dnsPolicy nodeSelector serviceAccountName serviceAccount
    automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace
    securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations hostAliases
    priorityClassName priority dnsConfig readinessGates runtimeClassName enableServiceLinks
    preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers schedulingGates
    resourceClaims resources hostnameOverride workloadRef schedulingGroup`,
  container: `name image command args workingDir ports envFrom env resources resizePolicy restartPolicy
    restartPolicyRules volumeMounts volumeDevices livenessProbe readinessProbe startupProbe lifecycle
    terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin stdinOnce tty`,
  volume: `name hostPath emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi
    glusterfs persistentVolumeClaim rbd flexVolume cinder cephfs flocker downwardAPI fc azureFile
    configMap vsphereVolume quobyte azureDisk photonPersistentDisk projected portworxVolume scaleIO
    storageos csi ephemeral image`,
};

describe("every field of a pod", () => {
  test.each([
    { of: "a pod", fields: FIELDS.pod, known: POD_FIELDS },
    { of: "a container", fields: FIELDS.container, known: CONTAINER_FIELDS },
    { of: "a volume", fields: FIELDS.volume, known: VOLUME_FIELDS },
  ])("of $of in Kubernetes 1.36 is known to the import", ({ fields, known }) => {
    expect(fields.split(/\s+/).filter((field) => !known.has(field))).toEqual([]);
  });

  test.each([
    { where: "", podSpec: { nodeDistance: 3 }, what: "pods with nodeDistance" },
    {
      where: "of a container ",
      podSpec: { containers: [{ cores: "exclusive" }] },
      what: "pods with containers.cores",
    },
    {
      where: "of a volume ",
      podSpec: { volumes: [{ name: "v", lunarDisk: {} }] },
      what: "pods with volumes.lunarDisk",
    },
    {
      where: "of a spread ",
      podSpec: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", perRack: 1 }] },
      what: "pods with topologySpreadConstraints.perRack",
    },
    {
      where: "of an affinity ",
      podSpec: { affinity: { rackAffinity: {} } },
      what: "pods with affinity.rackAffinity",
    },
    {
      where: "of a toleration ",
      podSpec: { tolerations: [{ operator: "Lt", key: "x", value: "3" }] },
      what: "pods with a toleration of operator Lt",
    },
  ])("a field $where that the import does not know is noted", ({ podSpec, what }) => {
    const note = imported(NODE, podWith(podSpec)).notes.find((each) => each.what === what);
    expect(note?.examples).toEqual(["shop/web-0"]);
  });

  test("fields that constrain and have no equal are noted with what that means", () => {
    const { notes } = imported(
      NODE,
      podWith({ os: { name: "windows" }, workloadRef: {}, volumes: [{ name: "d", hostPath: {} }] }),
    );
    expect(notes.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        "pods with os",
        "pods with workloadRef",
        "pods with volumes.hostPath",
      ]),
    );
  });
});

describe("every object", () => {
  const NAMED =
    `CronJob LimitRange VolumeAttachment RuntimeClass CSIDriver ResourceClaimTemplate Lease Event
    HorizontalPodAutoscaler Secret ConfigMap Service Widget`.split(/\s+/);

  test.each(NAMED)("a %s is counted in a note", (kind) => {
    const { notes } = imported(NODE, podWith({}), { kind, metadata: { name: "one" } });
    const note = notes.find(({ what }) => what === `objects of kind ${kind}`);
    expect(note?.count).toBe(1);
    expect(note?.effect).not.toBe("");
  });

  test("a replication controller replaces its pods, and a static pod stays with its node", () => {
    const { index } = imported(
      NODE,
      owned("old", ["a-0"], { kind: "ReplicationController" }),
      owned("etcd", ["a-0"], { kind: "Node", namespace: "kube-system" }).slice(1),
    );
    const notes = [...index.all("Workload").values()].map(({ meta }) => meta.annotations);
    expect(notes).toEqual([
      { "import.berth.dev/kind": "Node", "import.berth.dev/replaced": "never" },
      { "import.berth.dev/kind": "ReplicationController", "import.berth.dev/replaced": "at-once" },
    ]);
  });

  test("a node that was just cordoned keeps pods away before it has the taint", () => {
    const made = imported(aKubeNode("a-0", "a", { spec: { unschedulable: true } }), podWith({}));
    expect(made.differences).toMatchObject([{ rule: "taints", count: 1 }]);
  });

  test("nothing that may be secret reaches the fleet or the notes", () => {
    const marker = "m4rker-of-a-secret";
    const secret = { data: { password: marker }, stringData: { password: marker } };
    const env = [
      { name: "PASSWORD", value: marker },
      { name: marker, value: "x" },
    ];
    const made = imported(
      { ...NODE, metadata: { ...NODE.metadata, annotations: { note: marker } } },
      podWith({ containers: [{ image: marker, env, args: [marker], command: [marker] }] }),
      { kind: "Secret", metadata: { name: "s", namespace: "shop" }, ...secret },
      { kind: "ConfigMap", metadata: { name: "c", namespace: "shop" }, data: { a: marker } },
    );
    const { counts, differences, notes } = made;
    const all = fleetText(made.fleet) + JSON.stringify({ counts, differences, notes });
    expect(all).not.toContain(marker);
  });

  test("of a secret a dump keeps the name only", () => {
    const dump = new KubeDump();
    const metadata = { name: "s", namespace: "shop", annotations: { last: "m4rker" } };
    dump.add({ kind: "Secret", metadata, data: { password: "m4rker" } }, "test");
    expect(
      JSON.stringify(dump, (_, value) => (value instanceof Map ? [...value] : value)),
    ).not.toContain("m4rker");
    expect(dump.counts().get("Secret")).toBe(1);
  });
});

const claim = (spec: object) => ({
  kind: "PersistentVolumeClaim",
  metadata: { name: "data", namespace: "shop" },
  spec,
});
const uses = podWith({ volumes: [{ name: "d", persistentVolumeClaim: { claimName: "data" } }] });

const volume = (name: string) => ({
  kind: "PersistentVolume",
  metadata: { name },
  spec: { csi: { driver: "disk" } },
});
const limit = (count: number) => ({
  kind: "CSINode",
  metadata: { name: "a-0" },
  spec: { drivers: [{ name: "disk", allocatable: { count } }] },
});

const effectOf = (count: number) =>
  imported(NODE, uses, volume("1"), volume("2"), limit(count)).notes.find(
    ({ what }) => what === "attach limits of disk",
  )?.effect;

describe("volumes", () => {
  test("a volume that is still to be made keeps its pod to the places of its storage class", () => {
    const made = imported(NODE, uses, claim({ storageClassName: "only-b" }), {
      kind: "StorageClass",
      metadata: { name: "only-b" },
      allowedTopologies: [
        { matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["b"] }] },
      ],
    });
    expect(made.differences).toMatchObject([{ rule: "node-expressions", count: 1 }]);
    expect(made.what).toContain("volume claims that are not bound to a volume");
  });

  test("an attach limit is noted with whether it can bind", () => {
    expect(effectOf(2)).toContain("cannot bind: 2 volumes in all");
    expect(effectOf(1)).toBe("not counted: a node may attach only 1 of the 2 volumes");
  });
});
