/**
 * A dump of a made cluster, as large as `kubectl get -o json` would print it: Deployments with
 * their ReplicaSets and pods, with all the fields that a real control plane writes into a pod.
 */
import { closeSync, openSync, writeSync } from "node:fs";

export interface DumpTask {
  readonly pods: number;
  readonly podsPerNode: number;
}

const PER_DEPLOYMENT = 20;
const ZONES = 3;
const NAMESPACES = 50;
const MADE = "2026-01-01T00:00:00Z";

/** Writes one list; the number of its nodes. */
export function writeDump(file: string, { pods, podsPerNode }: DumpTask): number {
  const nodes = Math.ceil(pods / podsPerNode);
  const out = openSync(file, "w");
  let isFirst = true;
  const write = (object: object): void => {
    const text = JSON.stringify(object, undefined, 4);
    writeSync(out, `${isFirst ? "" : ","}\n${text}`);
    isFirst = false;
  };
  writeSync(out, '{\n"apiVersion": "v1",\n"kind": "List",\n"items": [');
  for (let at = 0; at < NAMESPACES; at += 1) write(namespaceOf(at));
  for (let at = 0; at < nodes; at += 1) write(nodeOf(at));
  for (let at = 0; at * PER_DEPLOYMENT < pods; at += 1) {
    const first = at * PER_DEPLOYMENT;
    const count = Math.min(PER_DEPLOYMENT, pods - first);
    for (const owner of ownersOf(at, count)) write(owner);
    for (let index = 0; index < count; index += 1) write(podOf(at, (first + index) % nodes, index));
  }
  writeSync(out, "\n]\n}\n");
  closeSync(out);
  return nodes;
}

const namespace = (at: number): string => `team-${at % NAMESPACES}`;
const service = (at: number): string => `service-${at}`;
const replicaSet = (at: number): string => `${service(at)}-7f9c5d4b8`;
const nodeName = (at: number): string => `node-${at}`;
const zoneOf = (at: number): string => `eu-${"abc".charAt(at % ZONES)}`;

const namespaceOf = (at: number) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: namespace(at), uid: `namespace-${at}`, creationTimestamp: MADE },
  status: { phase: "Active" },
});

const nodeOf = (at: number) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: nodeName(at),
    uid: `node-${at}`,
    creationTimestamp: MADE,
    labels: {
      "kubernetes.io/hostname": nodeName(at),
      "kubernetes.io/os": "linux",
      "node.kubernetes.io/instance-type": "m-16",
      "topology.kubernetes.io/region": "eu",
      "topology.kubernetes.io/zone": zoneOf(at),
    },
  },
  spec: {},
  status: {
    allocatable: { cpu: "15", memory: "60Gi", pods: "110", "ephemeral-storage": "100Gi" },
    capacity: { cpu: "16", memory: "64Gi", pods: "110", "ephemeral-storage": "100Gi" },
    conditions: [{ type: "Ready", status: "True", lastHeartbeatTime: MADE }],
    nodeInfo: { kubeletVersion: "v1.36.4", operatingSystem: "linux", architecture: "amd64" },
  },
});

function ownersOf(at: number, replicas: number): readonly object[] {
  const metadata = { namespace: namespace(at), labels: { app: service(at) } };
  const selector = { matchLabels: { app: service(at) } };
  const template = { metadata: { labels: { app: service(at) } }, spec: specOf(at) };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { ...metadata, name: service(at), uid: `deployment-${at}` },
      spec: { replicas, selector, template },
    },
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        ...metadata,
        name: replicaSet(at),
        uid: `set-${at}`,
        ownerReferences: [
          { kind: "Deployment", name: service(at), uid: `deployment-${at}`, controller: true },
        ],
      },
      spec: { replicas, selector, template },
    },
  ];
}

const podOf = (at: number, node: number, index: number) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: `${replicaSet(at)}-${index}`,
    namespace: namespace(at),
    uid: `pod-${at}-${index}`,
    creationTimestamp: MADE,
    generateName: `${replicaSet(at)}-`,
    labels: { app: service(at), "pod-template-hash": "7f9c5d4b8" },
    ownerReferences: [
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        name: replicaSet(at),
        uid: `set-${at}`,
        controller: true,
        blockOwnerDeletion: true,
      },
    ],
  },
  spec: { ...specOf(at), nodeName: nodeName(node) },
  status: {
    phase: "Running",
    qosClass: "Burstable",
    podIP: "10.0.0.1",
    podIPs: [{ ip: "10.0.0.1" }],
    hostIP: "10.1.0.1",
    startTime: MADE,
    conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
      type,
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: MADE,
    })),
    containerStatuses: ["main", "proxy"].map((name) => ({
      name,
      ready: true,
      started: true,
      restartCount: 0,
      image: `example/${name}:1`,
      imageID: `example/${name}@sha256:${"0".repeat(64)}`,
      containerID: `containerd://${"0".repeat(64)}`,
      state: { running: { startedAt: MADE } },
      lastState: {},
    })),
  },
});

const specOf = (at: number) => ({
  containers: ["main", "proxy"].map((name) => ({
    name,
    image: `example/${name}:1`,
    imagePullPolicy: "IfNotPresent",
    args: ["--config", "/etc/config", "--listen", ":8080"],
    env: Array.from({ length: 12 }, (_, index) => ({ name: `SETTING_${index}`, value: "x" })),
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    resources: { requests: { cpu: "100m", memory: "256Mi" }, limits: { memory: "512Mi" } },
    readinessProbe: {
      httpGet: { path: "/ready", port: 8080, scheme: "HTTP" },
      periodSeconds: 10,
      timeoutSeconds: 1,
      successThreshold: 1,
      failureThreshold: 3,
    },
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    volumeMounts: [
      { name: "token", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
      { name: "config", mountPath: "/etc/config" },
    ],
  })),
  dnsPolicy: "ClusterFirst",
  enableServiceLinks: true,
  preemptionPolicy: "PreemptLowerPriority",
  priority: 0,
  restartPolicy: "Always",
  schedulerName: "default-scheduler",
  securityContext: { runAsNonRoot: true },
  serviceAccount: "default",
  serviceAccountName: "default",
  terminationGracePeriodSeconds: 30,
  tolerations: ["not-ready", "unreachable"].map((state) => ({
    key: `node.kubernetes.io/${state}`,
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: 300,
  })),
  topologySpreadConstraints: [
    {
      maxSkew: 5,
      topologyKey: "topology.kubernetes.io/zone",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels: { app: service(at) } },
    },
  ],
  volumes: [
    {
      name: "token",
      projected: {
        defaultMode: 420,
        sources: [
          { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
          { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        ],
      },
    },
    { name: "config", configMap: { name: "config", defaultMode: 420 } },
  ],
});
