import { afterEach, describe, expect, it } from "vitest";
import { parseFleet } from "../../src/fleet/fleet-file.ts";
import { bind } from "./a-bound-replica.ts";
import { anApi, anApiWithTenant, type Api } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

describe("GET /fleet", () => {
  it("[AP126] a user gets all objects in the core's form, as of one revision", async () => {
    api = await anApiWithTenant();
    await bind(api);
    const { status, text } = await api.get("/fleet");
    expect(status).toBe(200);
    const { source, revision, objects } = parseFleet(text, "/fleet");
    expect(revision).toBe(api.plane.revision);
    expect(source).toBe(`1 node and 1 replica of a plane at revision ${api.plane.revision}`);
    expect(objects.map(({ kind }) => kind)).toContain("Replica");
    for (const object of objects) {
      // JSON leaves out what is undefined.
      expect(object).toEqual(JSON.parse(JSON.stringify(api.plane.objects.get(object.key))));
    }
    expect(objects).toHaveLength(api.plane.objects.size);
  });

  it("[AP126] no agent and no controller may read it", async () => {
    api = await anApi({
      auth: {
        tokens: [
          { token: "secret-of-a-1", kind: "agent", name: "a-1" },
          { token: "secret-of-scaler", kind: "controller", name: "scaler" },
        ],
      },
    });
    for (const token of ["secret-of-a-1", "secret-of-scaler"]) {
      const { status } = await api.get("/fleet", { authorization: `Bearer ${token}` });
      expect(status).toBe(403);
    }
  });
});
