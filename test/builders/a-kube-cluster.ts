/** Objects of a small Kubernetes cluster, as its API would answer them. */
export const aKubeNode = (name: string, zone: string, parts: object = {}) => ({
  kind: "Node",
  metadata: {
    name,
    labels: {
      "topology.kubernetes.io/region": "eu",
      "topology.kubernetes.io/zone": zone,
      "kubernetes.io/hostname": name,
    },
  },
  spec: {},
  status: {
    allocatable: { cpu: "16", memory: "64Gi", pods: "110" },
    nodeInfo: { kubeletVersion: "v1.36.4" },
  },
  ...parts,
});

/** `count` nodes named "zone-0", "zone-1" and so on. */
export const kubeNodes = (zone: string, count: number) =>
  Array.from({ length: count }, (_, at) => aKubeNode(`${zone}-${at}`, zone));

interface OwnedParts {
  readonly kind?: string;
  readonly spec?: object;
  readonly podSpec?: object;
  readonly namespace?: string;
}

/** A controller, and one running pod of it on each of these nodes. */
export function owned(name: string, nodes: readonly string[], parts: OwnedParts = {}) {
  const { kind = "ReplicaSet", spec = {}, podSpec = {}, namespace = "shop" } = parts;
  const uid = `uid-${name}`;
  const owner = {
    kind,
    metadata: { name, namespace, uid },
    spec: { replicas: nodes.length, ...spec },
  };
  const pods = nodes.map((node, at) => ({
    kind: "Pod",
    metadata: {
      name: `${name}-${at}`,
      namespace,
      uid: `${uid}-${at}`,
      labels: { app: name },
      ownerReferences: [{ kind, name, uid, controller: true }],
    },
    spec: {
      containers: [{ resources: { requests: { cpu: "1", memory: "1Gi" } } }],
      tolerations: tolerating(300),
      nodeName: node,
      ...podSpec,
    },
    status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
  }));
  return [owner, ...pods];
}

export const tolerating = (seconds: number) => [
  {
    key: "node.kubernetes.io/unreachable",
    operator: "Exists",
    effect: "NoExecute",
    tolerationSeconds: seconds,
  },
];
