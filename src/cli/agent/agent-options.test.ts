import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { lineForPeople } from "../line-log.ts";
import {
  agentFolder,
  describeNode,
  readImageSettings,
  readServers,
  readSize,
} from "./agent-options.ts";

const given = { name: "a-1", region: "eu", zone: "eu-a" };

describe("the options of berth agent", () => {
  test("describe the node", () => {
    const options = {
      ...given,
      cpu: "1500m",
      memory: "8Gi",
      deviceClass: "gpu",
      deviceIds: "g-1,g-2",
      label: ["disk=fast", "note=a=b"],
    };
    expect(describeNode(options)).toEqual({
      ...given,
      cpuMillis: 1_500,
      memoryMiB: 8_192,
      deviceClass: "gpu",
      deviceIds: ["g-1", "g-2"],
      labels: { disk: "fast", note: "a=b" },
    });
  });

  test("leave capacity to what the machine has", () => {
    const { cpuMillis, memoryMiB } = describeNode(given);
    expect(cpuMillis).toBeGreaterThan(0);
    expect(memoryMiB).toBeGreaterThan(0);
  });

  test.each([
    { title: "CPUs that are none", options: { cpu: "many" }, says: /--cpu: found "many"/ },
    { title: "memory that is none", options: { memory: "8Q" }, says: /--memory: found "8Q"/ },
    { title: "a label without a value", options: { label: ["x"] }, says: /--label: found "x"/ },
    {
      title: "devices without a class",
      options: { deviceIds: "g-1" },
      says: /must be used together/,
    },
  ])("refuse $title", ({ options, says }) => {
    expect(() => describeNode({ ...given, ...options })).toThrow(says);
  });

  test("say where images come from and how much room they and disks have", () => {
    const options = {
      ...given,
      images: "images",
      registries: "a.example, b:5000",
      imageCache: "2Gi",
    };
    expect(readImageSettings(options)).toEqual({
      sources: resolve("images"),
      authFile: undefined,
      registries: ["a.example", "b:5000"],
      cacheBytes: 2 ** 31,
    });
    expect(readSize(undefined, "--disk")).toBeUndefined();
    expect(readSize("512Mi", "--disk")).toBe(2 ** 29);
    expect(() => readSize("much", "--disk")).toThrow(/--disk: found "much"/);
    const missing = { ...given, registryAuthFile: "/no/such/file" };
    expect(() => readImageSettings(missing)).toThrow(/no such file/);
  });

  test("name one server or several", () => {
    const several = readServers("http://10.0.0.1:6900, https://plane-2:6900,10.0.0.3:6900");
    expect(several.map(({ href }) => href)).toEqual([
      "http://10.0.0.1:6900/",
      "https://plane-2:6900/",
      "http://10.0.0.3:6900/",
    ]);
    expect(() => readServers(undefined)).toThrow(/No plane address: pass --server/);
    expect(() => readServers("ftp://x")).toThrow(/found "ftp:\/\/x"/);
  });

  test("give every node a folder of its own", () => {
    expect(agentFolder({ ...given, data: "/srv/agent" })).toBe("/srv/agent");
    expect(agentFolder(given)).toMatch(/agents\/a-1$/);
  });
});

describe("a log line for people", () => {
  test("is short, and leaves out what only machines want", () => {
    const line = { level: 30, time: 0, pid: 1, hostname: "x", node: "a-1", msg: "agent started" };
    expect(lineForPeople(JSON.stringify(line))).toMatch(
      /^\d\d:\d\d:\d\d info {2}agent started node=a-1\n$/,
    );
  });
});
