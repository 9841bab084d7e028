/** The API group and version of Berth's own kinds, and Kubernetes' group of leases. */
export const GROUP = "berth.dev";
export const VERSION = "v1";
export const API_VERSION = `${GROUP}/${VERSION}`;
export const COORDINATION_GROUP = "coordination.k8s.io";
