/**
 * The times and rates of Kubernetes' own controllers, all of them defaults, in milliseconds. Files
 * are those of github.com/kubernetes/kubernetes at v1.36; a cluster may have set other flags.
 */
export interface ControllerTimes {
  /**
   * A kubelet renews its lease four times in its 40 s: `nodeLeaseRenewIntervalFraction` in
   * pkg/kubelet/kubelet.go, the duration in pkg/kubelet/apis/config/v1beta1/defaults.go.
   */
  readonly heartbeatMs: number;
  /**
   * From the end of one look at all nodes to the next: NodeMonitorPeriod in
   * pkg/controller/nodelifecycle/config/v1alpha1/defaults.go.
   */
  readonly monitorPeriodMs: number;
  /** Without a new heartbeat for longer than this a node is Unknown; same file. */
  readonly gracePeriodMs: number;
  /** How often the queues of nodes to taint are tried: NodeEvictionPeriod in NODE_QUEUE. */
  readonly taintTryMs: number;
  /** One node of a zone per this: `--node-eviction-rate` 0.1 in NODE_FLAGS. */
  readonly taintPeriodMs: number;
  /** The same in a large zone that is partly disrupted: `--secondary-node-eviction-rate` 0.01. */
  readonly slowTaintPeriodMs: number;
  /** A zone with more nodes is large: `--large-cluster-size-threshold`. */
  readonly largeZoneNodes: number;
  /** A zone is partly disrupted from this share on: `--unhealthy-zone-threshold`. */
  readonly unhealthyPercent: number;
  /** And from this many on: ComputeZoneState in node_lifecycle_controller.go ("> 2"). */
  readonly unhealthyNodes: number;
  /** Workers that look at nodes: UpdateWorkerSize in NODE_QUEUE. */
  readonly monitorWorkers: number;
  /**
   * Every controller's client sends 20 requests a second, and 30 at once after a rest: QPS and
   * Burst in pkg/controller/apis/config/v1alpha1/defaults.go.
   */
  readonly requestPeriodMs: number;
  readonly requestBurst: number;
  /** More events than this are dropped: maxQueuedEvents in client-go's tools/record/event.go. */
  readonly queuedEvents: number;
  /** Pods of a job are counted once a second: SyncJobBatchPeriod in job/job_controller.go. */
  readonly jobBatchMs: number;
  /**
   * Usage of quotas is counted anew: ResourceQuotaSyncPeriod in
   * pkg/controller/resourcequota/config/v1alpha1/defaults.go.
   */
  readonly quotaSyncMs: number;
  /** A refused pod is made anew after 5 ms, then after twice as long each time: client-go's */
  readonly firstRetryMs: number;
  /** util/workqueue/default_rate_limiters.go; at most this long. */
  readonly longestRetryMs: number;
  /** A pod that fits nowhere waits this long at least: pkg/scheduler/backend/queue, 1 s. */
  readonly schedulerBackoffMs: number;
  /** No settings but measured (v1.36.4, 60 nodes): one call to the API, and one placement. */
  readonly callMs: number;
  readonly placementMs: number;
  /** And how far the cache of a controller is behind what it wrote itself. */
  readonly cacheMs: number;
}

const GRACE_MS = 50_000;
/** Until v1.31, in the same file. */
const OLD_GRACE_MS = 40_000;
const FIRST_MINOR_WITH_LONG_GRACE = 32;

const DEFAULTS: ControllerTimes = {
  heartbeatMs: 10_000,
  monitorPeriodMs: 5_000,
  gracePeriodMs: GRACE_MS,
  taintTryMs: 100,
  taintPeriodMs: 10_000,
  slowTaintPeriodMs: 100_000,
  largeZoneNodes: 50,
  unhealthyPercent: 55,
  unhealthyNodes: 3,
  monitorWorkers: 8,
  requestPeriodMs: 50,
  requestBurst: 30,
  queuedEvents: 1_000,
  jobBatchMs: 1_000,
  quotaSyncMs: 300_000,
  firstRetryMs: 5,
  longestRetryMs: 1_000_000,
  schedulerBackoffMs: 1_000,
  callMs: 10,
  placementMs: 10,
  cacheMs: 20,
};

/** Of a cluster of this minor version; undefined: a current one. */
export function controllerTimes(minor: number | undefined): ControllerTimes {
  const isOld = minor !== undefined && minor < FIRST_MINOR_WITH_LONG_GRACE;
  return isOld ? { ...DEFAULTS, gracePeriodMs: OLD_GRACE_MS } : DEFAULTS;
}
