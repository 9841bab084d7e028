import { describe, expect, test } from "vitest";
import { mebibytesDown, mebibytesUp, milliOf } from "./kube-quantity.ts";
import { podRequest } from "./pod-request.ts";

const cpu = (text: string) => ({ resources: { requests: { cpu: text } } });
const cpuOf = (spec: Parameters<typeof podRequest>[0]) => podRequest(spec).get("cpu");

describe("quantities", () => {
  test.each([
    ["100m", 100n],
    ["1", 1_000n],
    ["1k", 1_000_000n],
    ["0.5", 500n],
    [".5", 500n],
    ["129e6", 129_000_000_000n],
    ["1Ki", 1_024_000n],
    ["100u", 1n],
    ["0", 0n],
  ])("%s is %s thousandths", (text, milli) => {
    expect(milliOf(text)).toBe(milli);
  });

  test.each(["", "Gi", "1x", "-1", "1 Gi", "1e400"])("%j is no quantity", (text) => {
    expect(milliOf(text)).toBeUndefined();
  });

  test("memory that is offered is rounded down, and memory that is requested up", () => {
    const milli = milliOf("64M") ?? 0n;
    expect([mebibytesDown(milli), mebibytesUp(milli)]).toEqual([61, 62]);
  });
});

describe("what a pod requests", () => {
  test("is the sum of its containers; a limit without a request counts", () => {
    expect(cpuOf({ containers: [cpu("100m"), { resources: { limits: { cpu: "1" } } }] })).toBe(
      1_100n,
    );
  });

  test("is the largest init container where that is more, beside the sidecars before it", () => {
    const sidecar = { ...cpu("200m"), restartPolicy: "Always" };
    expect(cpuOf({ containers: [cpu("100m")], initContainers: [cpu("500m")] })).toBe(500n);
    const initContainers = [cpu("500m"), sidecar, cpu("400m")];
    expect(cpuOf({ containers: [cpu("100m")], initContainers })).toBe(600n);
    expect(cpuOf({ containers: [cpu("900m")], initContainers })).toBe(1_100n);
  });

  test("is what the pod as a whole states, with the overhead of its runtime on top", () => {
    const whole = { resources: { requests: { cpu: "2" } }, overhead: { cpu: "250m" } };
    expect(cpuOf({ containers: [cpu("100m")], ...whole })).toBe(2_250n);
  });
});
