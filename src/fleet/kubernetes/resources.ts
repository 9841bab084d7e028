/**
 * Extended resources as devices. Kubernetes only adds them up; Berth gives out single devices. A
 * resource that counts thousandths of a device (its name ends in "milli") becomes shares.
 */
import type { Amounts } from "../../core/model/amounts.ts";
import type { DeviceAsk, DevicePool } from "../../core/model/objects.ts";
import type { ImportNotes } from "./import-notes.ts";
import { mebibytesDown, mebibytesUp, wholeOf } from "./kube-quantity.ts";
import type { Request } from "./pod-request.ts";

const WHOLE_MILLIS = 1000;

/** A node with more of something than this counts units, not devices. */
const MOST_DEVICES = 1024;

/** What every node has and Berth does not decide by. */
const UNCOUNTED = /^(?:ephemeral-storage$|hugepages-|attachable-volumes-|pods$)/;

const isDevice = (name: string): boolean =>
  name !== "cpu" && name !== "memory" && !UNCOUNTED.test(name);

/** "gpu.example.com/milli" counts thousandths. */
const isShared = (name: string): boolean => /(?:^|[/.-])milli$/.test(name);

/** In thousandths of a device. */
const deviceMillis = (name: string, milli: bigint): number =>
  isShared(name) ? wholeOf(milli) : wholeOf(milli) * WHOLE_MILLIS;

export function poolsOf(
  allocatable: Request,
  { node, notes }: { readonly node: string; readonly notes: ImportNotes },
): readonly DevicePool[] {
  const pools: DevicePool[] = [];
  for (const [name, milli] of allocatable) {
    if (!isDevice(name) || milli === 0n) continue;
    const count = Math.floor(deviceMillis(name, milli) / WHOLE_MILLIS);
    if (count > MOST_DEVICES) {
      const effect = `not counted: a node has more than ${MOST_DEVICES} of it, so they are no devices`;
      notes.add(`nodes with the resource ${name}`, effect, node);
      continue;
    }
    const ids = Array.from({ length: count }, (_, at) => `${name}-${at}`);
    if (count > 0) pools.push({ class: name, model: "", ids });
  }
  return pools;
}

export const capacityOf = (allocatable: Request, pools: readonly DevicePool[]): Amounts => ({
  cpuMillis: Number(allocatable.get("cpu") ?? 0n),
  memoryMiB: mebibytesDown(allocatable.get("memory") ?? 0n),
  deviceMillis: pools.reduce((sum, { ids }) => sum + ids.length * WHOLE_MILLIS, 0),
});

export interface RequestedAmounts {
  readonly amounts: Amounts;
  readonly device?: DeviceAsk;
}

export function requestedOf(
  request: Request,
  {
    pod,
    claimed,
    notes,
  }: {
    readonly pod: string;
    /** By dynamic resource allocation. */
    readonly claimed?: DeviceAsk | undefined;
    readonly notes: ImportNotes;
  },
): RequestedAmounts {
  for (const [name, milli] of request) {
    if (!UNCOUNTED.test(name) || milli === 0n) continue;
    notes.add(`pods that request ${name}`, "the request is not counted", pod);
  }
  const [first, ...others] = [...request].filter(([name, milli]) => isDevice(name) && milli > 0n);
  for (const [name] of others) {
    const effect = "only the first of several extended resources is counted";
    notes.add(`pods that request ${name} beside another extended resource`, effect, pod);
  }
  const device = (first && deviceOf(...first, { pod, notes })) ?? claimed;
  if (first !== undefined && claimed !== undefined) {
    const effect = "the claimed devices are not counted";
    notes.add("pods with a resource claim beside an extended resource", effect, pod);
  }
  return {
    amounts: {
      cpuMillis: Number(request.get("cpu") ?? 0n),
      memoryMiB: mebibytesUp(request.get("memory") ?? 0n),
      deviceMillis: device === undefined ? 0 : device.count * device.shareMillis,
    },
    ...(device === undefined ? {} : { device }),
  };
}

function deviceOf(
  name: string,
  milli: bigint,
  { pod, notes }: { readonly pod: string; readonly notes: ImportNotes },
): DeviceAsk {
  const millis = deviceMillis(name, milli);
  if (isShared(name)) {
    const effect = "taken for shares of single devices; Kubernetes only adds them up per node";
    notes.add(`pods that request ${name}`, effect, pod);
  }
  if (millis < WHOLE_MILLIS) return { class: name, models: [], count: 1, shareMillis: millis };
  const count = Math.ceil(millis / WHOLE_MILLIS);
  if (count * WHOLE_MILLIS !== millis) {
    const effect = "rounded up to whole devices: Berth gives out whole devices or one share";
    notes.add(`pods that request more than one device of ${name}, and a part`, effect, pod);
  }
  return { class: name, models: [], count, shareMillis: WHOLE_MILLIS };
}
