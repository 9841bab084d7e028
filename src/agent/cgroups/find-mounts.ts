/**
 * Where cgroup hierarchies are mounted on this machine, and in which groups the agent itself is.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MountedV1 } from "./cgroup-v1.ts";
import { attempt } from "./hierarchy.ts";

export interface CgroupMounts {
  /** Folders of the v2 hierarchy in which a branch may be made, the best first. */
  readonly v2: readonly string[];
  readonly v1: readonly MountedV1[];
}

const read = (file: string): string => attempt(() => readFileSync(file, "utf8")) ?? "";

export function findMounts(): CgroupMounts {
  return parseMounts(read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
}

/**
 * First the root of the mount: replicas outlive the agent, and so they do not belong into the group
 * of its service or its session. Then the agent's own group, which may be all that was delegated to
 * it.
 */
export function parseMounts(mountInfo: string, ownGroups: string): CgroupMounts {
  const v2 = new Set<string>();
  const v1 = new Map<string, MountedV1>();
  for (const line of mountInfo.split("\n")) {
    const [place = "", system = ""] = line.split(" - ");
    const [, , , root = "", at = ""] = place.split(" ");
    const [type, , options = ""] = system.split(" ");
    const point = unescaped(at);
    if (type === "cgroup2") {
      for (const parent of parentsOf(point, root, ownGroup(ownGroups, ""))) v2.add(parent);
    } else if (type === "cgroup") {
      const controllers = options.split(",").filter((word) => word !== "rw" && word !== "ro");
      const own = ownGroup(ownGroups, controllers[0] ?? "");
      const key = controllers.join(",");
      if (!v1.has(key)) v1.set(key, { controllers, parents: parentsOf(point, root, own) });
    }
  }
  return { v2: [...v2], v1: [...v1.values()] };
}

/** The agent's group in the hierarchy of a controller; "" stands for v2. */
function ownGroup(text: string, controller: string): string | undefined {
  for (const line of text.split("\n")) {
    const [, controllers = "", ...path] = line.split(":");
    if (path.length > 0 && controllers.split(",").includes(controller)) return path.join(":");
  }
  return undefined;
}

/** `root` is the group that stands at the mount point: in a container that is often its own. */
function parentsOf(point: string, root: string, own: string | undefined): readonly string[] {
  const above = root === "/" ? "" : unescaped(root);
  const isBelow = own !== undefined && own.startsWith(`${above}/`) && !own.includes("/..");
  const below = isBelow ? join(point, own.slice(above.length)) : point;
  return [...new Set([point, below.replace(/\/$/, "")])];
}

/** The kernel writes a space as \040. */
const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
