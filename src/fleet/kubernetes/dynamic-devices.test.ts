import { expect, test } from "vitest";
import { aKubeNode, owned } from "../../../test/builders/a-kube-cluster.ts";
import { indexOf } from "../fleet.ts";
import { KubeDump } from "./dump.ts";
import { importKubernetes } from "./import-kubernetes.ts";

function imported(...objects: readonly unknown[]) {
  const dump = new KubeDump();
  dump.add({ kind: "List", items: [aKubeNode("a-0", "a"), ...objects.flat()] }, "test");
  const { fleet, notes } = importKubernetes(dump);
  const [replica] = [...indexOf(fleet).all("Replica").values()];
  return { replica, notes, what: notes.map(({ what }) => what) };
}

const slice = (spec: object = {}) => ({
  kind: "ResourceSlice",
  metadata: { name: "a-0-gpus" },
  spec: {
    driver: "gpu.example.com",
    pool: { name: "a-0", generation: 1 },
    nodeName: "a-0",
    devices: [{ name: "g0" }, { name: "g1" }],
    ...spec,
  },
});

const deviceClass = (expression = `device.driver == "gpu.example.com"`) => ({
  kind: "DeviceClass",
  metadata: { name: "gpu" },
  spec: { selectors: [{ cel: { expression } }] },
});

const claim = (request: object) => ({
  kind: "ResourceClaim",
  metadata: { name: "one", namespace: "shop" },
  spec: { devices: { requests: [{ name: "r", ...request }] } },
});

const CLAIMS = { resourceClaims: [{ name: "gpu", resourceClaimName: "one" }] };
const pods = owned("web", ["a-0"], { podSpec: CLAIMS });
const TWO = { exactly: { deviceClassName: "gpu", allocationMode: "ExactCount", count: 2 } };

test("a claim for a number of devices of a driver is a request for devices of the node", () => {
  const { replica, notes } = imported(slice(), deviceClass(), claim(TWO), pods);
  expect(replica?.spec.template.ask.device).toEqual({
    class: "gpu.example.com",
    models: [],
    count: 2,
    shareMillis: 1000,
  });
  expect(replica?.status.deviceIds).toEqual(["a-0/g0", "a-0/g1"]);
  expect(notes).toEqual([]);
});

test("a request of the form before v1 means the same", () => {
  const old = { deviceClassName: "gpu", allocationMode: "ExactCount", count: 1 };
  const { replica } = imported(slice(), deviceClass(), claim(old), pods);
  expect(replica?.status.deviceIds).toEqual(["a-0/g0"]);
});

test("a slice of an older generation of its pool is obsolete", () => {
  const pool = { name: "a-0", generation: 2 };
  const newer = { ...slice({ pool, devices: [{ name: "g7" }] }), metadata: { name: "newer" } };
  const one = { exactly: { deviceClassName: "gpu", count: 1 } };
  const { replica } = imported(slice(), newer, deviceClass(), claim(one), pods);
  expect(replica?.status.deviceIds).toEqual(["a-0/g7"]);
});

test.each([
  { title: "all devices", request: { exactly: { deviceClassName: "gpu", allocationMode: "All" } } },
  { title: "a list of choices", request: { firstAvailable: [{}] } },
  { title: "a selector", request: { exactly: { deviceClassName: "gpu", selectors: [{}] } } },
  { title: "an amount", request: { exactly: { deviceClassName: "gpu", capacity: {} } } },
])("a claim for $title is noted and not counted", ({ request }) => {
  const { replica, what } = imported(slice(), deviceClass(), claim(request), pods);
  expect(replica?.spec.template.ask.device).toBeUndefined();
  expect(what).toContain("pods with resource claims with more than a number of devices");
});

const NO_NODE = { nodeName: undefined, allNodes: true };

test.each([
  { title: "a shared slice", objects: [slice({ sharedCounters: [{}] })], what: /^resource slices/ },
  { title: "a slice of no one node", objects: [slice(NO_NODE)], what: /^resource slices/ },
  {
    title: "a class with attributes",
    objects: [deviceClass("device.attributes['x'].y == 1")],
    what: /^device classes that select more/,
  },
  { title: "a missing claim", objects: [], what: /claims that are not in the dump/ },
  {
    title: "a claim of several pods",
    objects: [slice(), deviceClass(), claim(TWO), owned("two", ["a-0"], { podSpec: CLAIMS })],
    what: /claims that several pods share/,
  },
  {
    title: "a claim beside an extended resource",
    objects: [
      slice(),
      deviceClass(),
      claim(TWO),
      ...owned("a-first", ["a-0"], {
        podSpec: {
          ...CLAIMS,
          containers: [{ resources: { requests: { "nvidia.com/gpu": "1" } } }],
        },
      }),
    ],
    what: /beside an extended resource/,
  },
])("$title is noted", ({ objects, what }) => {
  const made = imported(objects.flat(), pods);
  expect(made.what.some((each) => what.test(each))).toBe(true);
});
