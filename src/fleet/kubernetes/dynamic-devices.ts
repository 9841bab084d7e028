/**
 * Dynamic resource allocation, as far as it is like counting devices: slices of one node's devices,
 * classes that select a driver, and claims for a number of them. All else is noted and not counted.
 */
import type { DeviceAsk, DevicePool } from "../../core/model/objects.ts";
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import { groupBy } from "./group-by.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { DeviceRequest, Pod, ResourceClaim, ResourceSlice } from "./kube-objects.ts";

const WHOLE_MILLIS = 1000;
const NOT_COUNTED = "the claimed devices are not counted";

export class DynamicDevices {
  private readonly slices: ReadonlyMap<string, readonly ResourceSlice[]>;
  private readonly driverOfClass = new Map<string, string>();
  private readonly claims = new Map<string, ResourceClaim>();
  private readonly usedBy = new Map<string, string>();
  private readonly notes: ImportNotes;

  constructor(dump: KubeDump, notes: ImportNotes) {
    this.notes = notes;
    const simple = dump.all("ResourceSlice").filter((slice) => {
      if (isSimple(slice)) return true;
      const effect =
        "not counted: their devices are shared, partitioned, tainted or of no one node";
      notes.add("resource slices with more than devices of one node", effect, nameOf(slice));
      return false;
    });
    this.slices = groupBy(newest(simple), ({ spec }) => spec?.nodeName ?? "");
    for (const one of dump.all("DeviceClass")) {
      const driver = driverIn(one.spec?.selectors ?? []);
      if (driver !== undefined) this.driverOfClass.set(one.metadata.name ?? "", driver);
      else {
        const effect =
          "claims for them are not counted: Berth selects devices by their driver only";
        notes.add("device classes that select more than a driver", effect, nameOf(one));
      }
    }
    for (const claim of dump.all("ResourceClaim")) this.claims.set(nameOf(claim), claim);
  }

  poolsOf(node: string): readonly DevicePool[] {
    const byDriver = groupBy(this.slices.get(node) ?? [], ({ spec }) => spec?.driver ?? "");
    return [...byDriver].map(([driver, slices]) => ({
      class: driver,
      model: "",
      ids: slices.flatMap(({ spec }) =>
        (spec?.devices ?? []).map(({ name }) => `${spec?.pool?.name ?? ""}/${name}`),
      ),
    }));
  }

  /** The devices that a pod claims; undefined: none that are counted. */
  claimedBy(pod: Pod): DeviceAsk | undefined {
    const wanted = pod.spec?.resourceClaims ?? [];
    if (wanted.length === 0) return undefined;
    const counts = new Map<string, number>();
    for (const entry of wanted) {
      const counted = this.countsOf(this.claimFor(entry, pod), pod);
      if (counted === undefined) return undefined;
      for (const [driver, count] of counted) counts.set(driver, (counts.get(driver) ?? 0) + count);
    }
    const [first, ...others] = [...counts];
    if (others.length > 0) return this.leaveOut("of several drivers", pod);
    if (first === undefined) return undefined;
    const [driver, count] = first;
    return { class: driver, models: [], count, shareMillis: WHOLE_MILLIS };
  }

  private claimFor(
    { name, resourceClaimName }: { readonly name: string; readonly resourceClaimName?: string },
    { metadata, status }: Pod,
  ): ResourceClaim | undefined {
    const made = status?.resourceClaimStatuses?.find((each) => each.name === name);
    const claim = resourceClaimName ?? made?.resourceClaimName;
    return claim === undefined
      ? undefined
      : this.claims.get(`${metadata.namespace ?? ""}/${claim}`);
  }

  private countsOf(claim: ResourceClaim | undefined, pod: Pod) {
    if (claim === undefined) return this.leaveOut("that are not in the dump", pod);
    const user = this.usedBy.get(nameOf(claim)) ?? nameOf(pod);
    this.usedBy.set(nameOf(claim), user);
    if (user !== nameOf(pod)) return this.leaveOut("that several pods share", pod);
    const { requests = [], constraints = [] } = claim.spec?.devices ?? {};
    if (constraints.length > 0) return this.leaveOut("with constraints between devices", pod);
    const counts = new Map<string, number>();
    for (const request of requests) {
      const driver = this.driverFor(request);
      if (driver === undefined) return this.leaveOut("with more than a number of devices", pod);
      const { count = 1 } = request.exactly ?? request;
      counts.set(driver, (counts.get(driver) ?? 0) + count);
    }
    return counts;
  }

  private driverFor(request: DeviceRequest): string | undefined {
    const { deviceClassName = "", ...rest } = request.exactly ?? request;
    const isCounted = (rest.allocationMode ?? "ExactCount") === "ExactCount";
    const isPlain = (rest.selectors ?? []).length === 0 && rest.capacity === undefined;
    const isOwn = rest.adminAccess !== true && request.firstAvailable === undefined;
    return isCounted && isPlain && isOwn ? this.driverOfClass.get(deviceClassName) : undefined;
  }

  private leaveOut(why: string, pod: Pod): undefined {
    this.notes.add(`pods with resource claims ${why}`, NOT_COUNTED, nameOf(pod));
    return undefined;
  }
}

function isSimple({ spec }: ResourceSlice): boolean {
  const devices = spec?.devices ?? [];
  const isOfOneNode = spec?.nodeName !== undefined && spec.perDeviceNodeSelection !== true;
  const isWhole = (spec?.sharedCounters ?? []).length === 0;
  return (
    isOfOneNode &&
    isWhole &&
    devices.every(
      ({ consumesCounters = [], taints = [], allowMultipleAllocations = false }) =>
        consumesCounters.length + taints.length === 0 && !allowMultipleAllocations,
    )
  );
}

const poolOf = ({ spec }: ResourceSlice): string => `${spec?.driver}/${spec?.pool?.name ?? ""}`;

/** Slices of an older generation of their pool are obsolete. */
function newest(slices: readonly ResourceSlice[]): readonly ResourceSlice[] {
  const generations = new Map<string, number>();
  for (const slice of slices) {
    const generation = slice.spec?.pool?.generation ?? 0;
    const known = generations.get(poolOf(slice)) ?? 0;
    generations.set(poolOf(slice), Math.max(known, generation));
  }
  return slices.filter(
    (slice) => (slice.spec?.pool?.generation ?? 0) === generations.get(poolOf(slice)),
  );
}

/** e.g. `device.driver == "gpu.example.com"` and nothing else. */
function driverIn(
  selectors: readonly { readonly cel?: { readonly expression?: string } }[],
): string | undefined {
  const [only, ...others] = selectors.map(({ cel }) => cel?.expression ?? "");
  const match = /^\s*device\.driver\s*==\s*(?:"([^"]+)"|'([^']+)')\s*$/.exec(only ?? "");
  return others.length > 0 ? undefined : (match?.[1] ?? match?.[2]);
}
