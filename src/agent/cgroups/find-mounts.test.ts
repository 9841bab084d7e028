import { describe, expect, test } from "vitest";
import { parseMounts } from "./find-mounts.ts";

const V2 = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate";
const V1 = (root: string, controllers: string, at = `/sys/fs/cgroup/${controllers}`): string =>
  `31 23 0:27 ${root} ${at} rw,nosuid shared:9 - cgroup cgroup rw,${controllers}`;

describe("cgroup hierarchies are found", () => {
  test("of version 2, at the root and in the agent's own group", () => {
    expect(parseMounts(`${V2}\n`, "0::/system.slice/berth-agent.service\n")).toEqual({
      v2: ["/sys/fs/cgroup", "/sys/fs/cgroup/system.slice/berth-agent.service"],
      v1: [],
    });
  });

  test("of version 1, with controllers that share a hierarchy", () => {
    const mounts = [V1("/", "cpu,cpuacct"), V1("/", "memory"), V1("/", "name=systemd")].join("\n");
    const own = "4:memory:/user.slice\n2:cpu,cpuacct:/\n1:name=systemd:/user.slice\n";
    expect(parseMounts(mounts, own).v1).toEqual([
      { controllers: ["cpu", "cpuacct"], parents: ["/sys/fs/cgroup/cpu,cpuacct"] },
      {
        controllers: ["memory"],
        parents: ["/sys/fs/cgroup/memory", "/sys/fs/cgroup/memory/user.slice"],
      },
      {
        controllers: ["name=systemd"],
        parents: ["/sys/fs/cgroup/name=systemd", "/sys/fs/cgroup/name=systemd/user.slice"],
      },
    ]);
  });

  test("in a container, whose own group is the root of the mount", () => {
    const mounts = V1("/docker/3f", "memory");
    expect(parseMounts(mounts, "4:memory:/docker/3f\n").v1[0]?.parents).toEqual([
      "/sys/fs/cgroup/memory",
    ]);
    expect(parseMounts(mounts, "4:memory:/docker/3f/own\n").v1[0]?.parents).toEqual([
      "/sys/fs/cgroup/memory",
      "/sys/fs/cgroup/memory/own",
    ]);
    expect(parseMounts(V2, "0::/../other\n").v2).toEqual(["/sys/fs/cgroup"]);
  });

  test("under names with spaces, and nowhere when nothing is mounted", () => {
    const mounts = V1("/", "memory", "/mnt/my\\040groups");
    expect(parseMounts(mounts, "").v1[0]?.parents).toEqual(["/mnt/my groups"]);
    expect(parseMounts("", "")).toEqual({ v2: [], v1: [] });
  });
});
