import { afterEach, beforeEach, expect, it } from "vitest";
import { bind } from "./a-bound-replica.ts";
import { anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

it("[AP312] GET /series begins with the plane's process, with a sample of that moment", async () => {
  const { json } = await api.get("/series");
  expect(json).toEqual({
    since: expect.stringMatching(/Z$/),
    everySeconds: 15,
    samples: [
      {
        time: json["since"],
        cpu: { used: 0, reserved: 0, allocatable: 0 },
        memory: { used: 0, reserved: 0, allocatable: 0 },
        queued: 0,
        binds: 0,
        bindP50Ms: null,
        bindP95Ms: null,
      },
    ],
  });
});

it("[AP313] GET /heartbeats says when each node's lease was last renewed, or one node's", async () => {
  await bind(api);
  const { renewedMs } = [...api.plane.objects.all("Lease").values()][0]!.status;
  const heartbeats = [["a-1", renewedMs]];
  expect((await api.get("/heartbeats")).json).toMatchObject({ heartbeats });
  expect((await api.get("/heartbeats?node=a-1")).json["heartbeats"]).toEqual(heartbeats);
  expect((await api.get("/heartbeats?node=b-1")).json["heartbeats"]).toEqual([]);
});
