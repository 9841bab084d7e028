/**
 * The parts of Kubernetes' objects that an import reads. Everything may be missing: a dump is made
 * by other people's programs. Nothing secret is among them: no environment, no config, no data.
 */
export type Strings = Readonly<Record<string, string>>;

/** By resource name; the API writes text, people also write numbers. */
export type Quantities = Readonly<Record<string, string | number>>;

export interface KubeMeta {
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly labels?: Strings;
  readonly annotations?: Strings;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly ownerReferences?: readonly KubeOwner[];
}

export interface KubeOwner {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface KubeObject<Spec = unknown, Status = unknown> {
  readonly kind: string;
  readonly metadata: KubeMeta;
  readonly spec?: Spec;
  readonly status?: Status;
}

export interface KubeExpression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Strings;
  readonly matchExpressions?: readonly KubeExpression[];
}

export interface NodeTerm {
  readonly matchExpressions?: readonly KubeExpression[];
  readonly matchFields?: readonly KubeExpression[];
}

export interface NodeSelector {
  readonly nodeSelectorTerms?: readonly NodeTerm[];
}

export interface KubeTaint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface KubeToleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface PodTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface WeightedPodTerm {
  readonly weight: number;
  readonly podAffinityTerm: PodTerm;
}

export interface PodTerms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodTerm[];
}

export interface KubeAffinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector;
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight: number;
      readonly preference: NodeTerm;
    }[];
  };
  readonly podAffinity?: PodTerms;
  readonly podAntiAffinity?: PodTerms;
}

export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly matchLabelKeys?: readonly string[];
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
}

export interface Resources {
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}

export interface KubeContainer {
  readonly resources?: Resources;
  readonly restartPolicy?: string;
  readonly ports?: readonly {
    readonly hostPort?: number;
    readonly protocol?: string;
    readonly hostIP?: string;
  }[];
}

export interface KubeVolume {
  readonly persistentVolumeClaim?: { readonly claimName: string };
  readonly ephemeral?: unknown;
  readonly [kind: string]: unknown;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly nodeSelector?: Strings;
  readonly affinity?: KubeAffinity;
  readonly tolerations?: readonly KubeToleration[];
  readonly topologySpreadConstraints?: readonly SpreadConstraint[];
  readonly containers?: readonly KubeContainer[];
  readonly initContainers?: readonly KubeContainer[];
  readonly overhead?: Quantities;
  readonly resources?: Resources;
  readonly resourceClaims?: readonly {
    readonly name: string;
    readonly resourceClaimName?: string;
  }[];
  readonly volumes?: readonly KubeVolume[];
  readonly priorityClassName?: string;
  readonly priority?: number;
  readonly preemptionPolicy?: string;
  readonly schedulerName?: string;
  readonly schedulingGates?: readonly unknown[];
  readonly terminationGracePeriodSeconds?: number;
}

export type Pod = KubeObject<
  PodSpec,
  {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly resourceClaimStatuses?: readonly {
      readonly name: string;
      readonly resourceClaimName?: string;
    }[];
  }
>;

export type KubeNode = KubeObject<
  { readonly unschedulable?: boolean; readonly taints?: readonly KubeTaint[] },
  {
    readonly allocatable?: Quantities;
    readonly capacity?: Quantities;
    readonly nodeInfo?: { readonly kubeletVersion?: string };
  }
>;

/** Deployments, ReplicaSets, StatefulSets, DaemonSets and Jobs, as far as they are alike. */
export type Controller = KubeObject<
  {
    readonly replicas?: number;
    readonly parallelism?: number;
    readonly completions?: number;
    readonly podReplacementPolicy?: string;
    readonly podFailurePolicy?: unknown;
    readonly managedBy?: string;
    readonly suspend?: boolean;
    readonly template?: { readonly metadata?: KubeMeta; readonly spec?: PodSpec };
  },
  { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
>;

export type DisruptionBudget = KubeObject<{
  readonly selector?: LabelSelector;
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}>;

export type KubeQuota = KubeObject<{
  readonly hard?: Quantities;
  readonly scopes?: readonly string[];
  readonly scopeSelector?: unknown;
}>;

export type KubePriorityClass = KubeObject & {
  readonly value?: number;
  readonly preemptionPolicy?: string;
};

export type Claim = KubeObject<{
  readonly volumeName?: string;
  readonly storageClassName?: string;
  readonly accessModes?: readonly string[];
}>;
export type Volume = KubeObject<{
  readonly nodeAffinity?: { readonly required?: NodeSelector };
  readonly csi?: { readonly driver?: string };
}>;

export type StorageClass = KubeObject & {
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly {
      readonly key: string;
      readonly values: readonly string[];
    }[];
  }[];
};

export type CsiNode = KubeObject<{
  readonly drivers?: readonly {
    readonly name: string;
    readonly allocatable?: { readonly count?: number };
  }[];
}>;

export type ResourceSlice = KubeObject<{
  readonly driver?: string;
  readonly pool?: { readonly name?: string; readonly generation?: number };
  readonly nodeName?: string;
  readonly perDeviceNodeSelection?: boolean;
  readonly sharedCounters?: readonly unknown[];
  readonly devices?: readonly {
    readonly name: string;
    readonly consumesCounters?: readonly unknown[];
    readonly taints?: readonly unknown[];
    readonly allowMultipleAllocations?: boolean;
  }[];
}>;

export type DeviceClass = KubeObject<{
  readonly selectors?: readonly { readonly cel?: { readonly expression?: string } }[];
}>;

interface ExactRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
  readonly selectors?: readonly unknown[];
  readonly capacity?: unknown;
  readonly adminAccess?: boolean;
}

/** Before `resource.k8s.io/v1` the fields of `exactly` stood in the request itself. */
export interface DeviceRequest extends ExactRequest {
  readonly exactly?: ExactRequest;
  readonly firstAvailable?: readonly unknown[];
}

export type ResourceClaim = KubeObject<{
  readonly devices?: {
    readonly requests?: readonly DeviceRequest[];
    readonly constraints?: readonly unknown[];
  };
}>;
