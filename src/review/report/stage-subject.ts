/** What happens at a stage of a recovery, as the subject of a sentence. */
const STAGE_TEXTS: Readonly<Record<string, string>> = {
  lost: "detecting and fencing the loss",
  queued: "waiting for a place",
  bound: "waiting for the agent",
  starting: "starting the process",
  ready: "becoming ready",
  // Those of Kubernetes.
  detect: "missing the heartbeats of the node",
  taint: "waiting for the taint of the node",
  tolerate: "tolerating the taint",
  replace: "waiting for a new pod",
  place: "waiting for a node",
  start: "starting the pod",
  drain: "the drain",
};

export const stageSubject = (stage: string): string => STAGE_TEXTS[stage] ?? stage;
