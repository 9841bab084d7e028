import { expect, test } from "vitest";
import { specRows } from "./spec-rows.ts";

test("each field of a spec is a line with its path, and a command reads as one", () => {
  const spec = {
    replicas: 3,
    resources: { cpu: "500m", memory: "256Mi" },
    placement: {
      zones: [],
      spread: [
        { by: "zone", maxSkew: 1 },
        { by: "rack", soft: true },
      ],
    },
    run: { command: ["serve", "--port", "80"], ports: ["http", "admin"], env: { A: "1" } },
    rollout: { paused: false },
  };
  expect(specRows(spec).map(({ path, value }) => `${path} = ${value}`)).toEqual([
    "replicas = 3",
    "resources.cpu = 500m",
    "resources.memory = 256Mi",
    "placement.spread = {by zone, maxSkew 1}, {by rack, soft true}",
    "run.command = serve --port 80",
    "run.ports = http, admin",
    "run.env.A = 1",
    "rollout.paused = false",
  ]);
});
