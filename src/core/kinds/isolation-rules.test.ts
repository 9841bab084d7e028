import { expect, test } from "vitest";
import { isolatedProcess, portsWithoutNetwork, writableNothing } from "./isolation-rules.ts";
import { driverOf } from "./fields/driver-field.ts";
import { readTemplate, type WrittenTemplate, writeTemplate } from "./fields/template-fields.ts";

const written = (
  run: Partial<WrittenTemplate["run"]>,
  more: Partial<WrittenTemplate> = {},
): WrittenTemplate => ({
  priorityClass: "",
  onDisconnect: "stop",
  resources: { amounts: { cpuMillis: 1, memoryMiB: 1, deviceMillis: 0 } },
  placement: { regions: [], zones: [], nodeSelector: {}, tolerations: [], spread: [] },
  run: { command: ["server"], ...run },
  ...more,
});

test("a template that asks for a network, a disk or an image asks for a driver that has them [OB5]", () => {
  expect(driverOf(undefined, {})).toEqual({});
  expect(driverOf(undefined, { network: "none" })).toEqual({ driver: "sandbox" });
  expect(driverOf(undefined, { disk: "1Gi" })).toEqual({ driver: "sandbox" });
  expect(driverOf(undefined, { disk: "1Gi", image: "x" })).toEqual({ driver: "image" });
});

test("a plain process has neither a network nor a disk of its own [OB5]", () => {
  const rule = isolatedProcess(written({ disk: "1Gi" }, { driver: "process" }));
  expect(rule?.expected).toBe("sandbox or image beside run.disk");
  expect(isolatedProcess(written({}, { driver: "process" }))).toBeUndefined();
  expect(isolatedProcess(written({ network: "none" }, { driver: "image" }))).toBeUndefined();
});

test("a replica that takes no connections has no ports [OB5]", () => {
  expect(portsWithoutNetwork(written({ network: "outbound", ports: ["http"] }))?.field).toBe(
    "run.network",
  );
  expect(portsWithoutNetwork(written({ network: "none", fixedPorts: { http: 80 } }))).toBeDefined();
  expect(portsWithoutNetwork(written({ network: "none" }))).toBeUndefined();
  expect(portsWithoutNetwork(written({ ports: ["http"] }))).toBeUndefined();
});

test("only the files of an image can be made writable [OB5]", () => {
  expect(writableNothing(written({ writable: true }))?.field).toBe("run.writable");
  expect(writableNothing(written({ writable: true, image: "x" }))).toBeUndefined();
});

test("what a template asks of its driver is read back as it was written", () => {
  const run = { image: "x", writable: true, network: "none", disk: "2Gi" } as const;
  const { ask, run: options } = readTemplate(written(run));
  expect(ask).toMatchObject({ driver: "image", disk: "2Gi" });
  expect(options).toMatchObject({ image: "x", writable: true, network: "none" });
  expect(writeTemplate(readTemplate(written(run))).run).toMatchObject(run);
});
