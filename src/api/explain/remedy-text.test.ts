import { expect, test } from "vitest";
import { amounts } from "../../../test/builders/amounts.ts";
import { obstacleText, remedyText } from "./remedy-text.ts";

const A_NODE = {
  kind: "add-node",
  region: "eu",
  zone: "eu-a",
  amounts: amounts({ cpuMillis: 500, memoryMiB: 256, deviceMillis: 2_000 }),
} as const;

test("a node that would help is told with the devices it needs: which, of what model, how many", () => {
  const device = { class: "gpu", models: ["A100", "V100"], count: 2, shareMillis: 1_000 };
  expect(remedyText({ ...A_NODE, device })).toBe(
    "add a node with at least 500m of CPU, 256Mi of memory, 2 devices gpu A100|V100 in eu/eu-a",
  );
});

test("and a part of one as such", () => {
  const device = { class: "gpu", models: [], count: 1, shareMillis: 250 };
  expect(remedyText({ ...A_NODE, device })).toBe(
    "add a node with at least 500m of CPU, 256Mi of memory, 250m of a device gpu in eu/eu-a",
  );
});

test("a rule about what it is named after is named once", () => {
  const devices = { rule: "devices", what: "devices", expected: "2 free gpu", actual: "1" };
  expect(obstacleText(devices)).toBe("devices: wanted 2 free gpu, found 1");
  const room = { rule: "capacity", what: "cpuMillis", expected: 200, actual: 50 };
  expect(obstacleText(room)).toBe("capacity: cpuMillis: asked 200, free 50");
});
