/**
 * Who has what of a world with several planes: a region with a plane of its own has its nodes and
 * the workloads that ask for that region alone, with what people do to them; the global plane has
 * all else.
 */
import type { UserAction, World, WorldRegion, WorldWorkload } from "../world/world.ts";

export interface RegionOfWorld {
  readonly name: string;
  readonly termMs: number;
  readonly world: World;
}

export interface SplitWorld {
  readonly global: World;
  readonly regions: readonly RegionOfWorld[];
}

export const hasRegionalPlanes = ({ regions }: World): boolean =>
  regions.some(({ plane }) => plane !== undefined);

export function splitWorld(world: World): SplitWorld {
  const planned = world.regions.filter(isPlanned);
  const homeOf = homesIn(world, new Set(planned.map(({ name }) => name)));
  const { regional: _, ...rest } = world;
  const part = (home: string | undefined): Pick<World, "nodes" | "workloads" | "timeline"> => ({
    nodes: world.nodes.filter(({ name }) => homeOf.node(name) === home),
    workloads: world.workloads.filter((each) => homeOf.workload(each.tenant, each.name) === home),
    timeline: world.timeline.filter(({ action }) => homeOf.action(action) === home),
  });
  const { priorityClasses: _c, policyRevisions: _r, policies: _p, ...bare } = rest;
  return {
    global: { ...rest, ...part(undefined), role: "global" },
    regions: planned.map(({ name, plane: { termMs } }) => ({
      name,
      termMs,
      // Regions and tenants come from the global plane.
      world: { ...bare, ...part(name), name, regions: [], tenants: [], role: "regional" },
    })),
  };
}

const isPlanned = (
  region: WorldRegion,
): region is WorldRegion & Required<Pick<WorldRegion, "plane">> => region.plane !== undefined;

interface Homes {
  node(name: string): string | undefined;
  workload(tenant: string, name: string): string | undefined;
  action(action: UserAction): string | undefined;
}

function homesIn(world: World, planned: ReadonlySet<string>): Homes {
  const nodes = new Map<string, string>();
  const workloads = new Map<string, string>();
  const put = ({ tenant, name, spec }: WorldWorkload): void => {
    const [region, ...others] = spec.template.ask.regions;
    if (region === undefined || others.length > 0 || !planned.has(region)) return;
    workloads.set(`${tenant}/${name}`, region);
  };
  const added = world.timeline.flatMap(({ action }) =>
    action.do === "add-node" ? action.node : [],
  );
  for (const { name, spec } of [...world.nodes, ...added]) {
    if (planned.has(spec.region)) nodes.set(name, spec.region);
  }
  for (const workload of world.workloads) put(workload);
  for (const { action } of world.timeline) if (action.do === "put-workload") put(action.workload);
  const ofWorkload = (tenant: string, name: string) => workloads.get(`${tenant}/${name}`);
  return {
    node: (name) => nodes.get(name),
    workload: ofWorkload,
    action: (action) => {
      if ("node" in action) {
        return nodes.get(typeof action.node === "string" ? action.node : action.node.name);
      }
      if (!("workload" in action)) return undefined;
      const { workload } = action;
      if (typeof workload !== "string") return ofWorkload(workload.tenant, workload.name);
      return "tenant" in action ? ofWorkload(action.tenant, workload) : undefined;
    },
  };
}
