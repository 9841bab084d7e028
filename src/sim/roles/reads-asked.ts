/** Reads that people ask for: each kind of right is asked for in some of them. */
import type { AccessRequest, ResourceRequest, Verb } from "../../core/model/access.ts";

const OWN = "berth.dev";
const TENANTS = ["t1", "t2", undefined] as const;

const of = (verb: Verb, group: string, resource: string): readonly ResourceRequest[] =>
  TENANTS.map((namespace) => ({
    verb,
    group,
    resource,
    ...(namespace === undefined ? {} : { namespace }),
  }));

const named = (requests: readonly ResourceRequest[], name: string): readonly ResourceRequest[] =>
  requests.map((request) => ({ ...request, name }));

const parts = (
  requests: readonly ResourceRequest[],
  subresource: string,
): readonly ResourceRequest[] => requests.map((request) => ({ ...request, subresource }));

export const READS: readonly AccessRequest[] = [
  ...of("list", OWN, "workloads"),
  ...named(of("get", OWN, "workloads"), "of-people-one"),
  ...of("watch", OWN, "replicas"),
  ...named(of("get", "", "pods"), "one"),
  ...parts(named(of("get", "", "pods"), "one"), "log"),
  ...parts(named(of("create", "", "pods"), "two"), "exec"),
  ...of("env", OWN, "replicas"),
  ...of("list", "", "secrets"),
  ...named(of("get", OWN, "secrets"), "two"),
  ...of("list", "rbac.authorization.k8s.io", "rolebindings"),
  { verb: "get", group: "", resource: "namespaces", name: "t1" },
  { verb: "get", group: OWN, resource: "tenants", name: "t2" },
  { verb: "list", group: OWN, resource: "nodes" },
  { verb: "use", group: OWN, resource: "priorityclasses", name: "one" },
  { verb: "backup", group: OWN, resource: "nodes" },
  { verb: "get", path: "/metrics" },
  { verb: "get", path: "/metrics/deep" },
  { verb: "get", path: "/backup" },
  { verb: "get", path: "/healthz" },
];
