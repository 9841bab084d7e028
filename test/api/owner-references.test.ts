/** `ownerReferences`, by which other people's controllers leave the deletion of what they made to the plane. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { aWorkloadObject, anApiWithTenant, type Api, BERTH, textAt, WORKLOADS } from "./an-api.ts";
import { createControllers } from "../../src/host/controllers.ts";
import { APPLY_PATCH } from "../../src/api/write/patch.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant({ controllers: () => createControllers({ schedulers: 1 }) });
});
afterEach(() => api.close());

const aClass = (name: string, metadata: object = {}) => ({
  apiVersion: "berth.dev/v1",
  kind: "PriorityClass",
  metadata: { name, ...metadata },
  spec: { value: 1 },
});

const PRIORITY_CLASSES = `${BERTH}/priorityclasses`;

async function anOwner(): Promise<object> {
  const { json } = await api.post(PRIORITY_CLASSES, aClass("owner"));
  return {
    apiVersion: "berth.dev/v1",
    kind: "PriorityClass",
    name: "owner",
    uid: textAt(json, "metadata", "uid"),
    controller: true,
    blockOwnerDeletion: true,
  };
}

const statusOf = async (name: string): Promise<number> =>
  (await api.get(`${PRIORITY_CLASSES}/${name}`)).status;

describe("an object with owners", () => {
  it("[OB10] is shown with them as they were written, through updates and patches", async () => {
    const ownerReferences = [await anOwner()];
    const made = await api.post(PRIORITY_CLASSES, aClass("owned", { ownerReferences }));
    expect(made.status).toBe(201);
    expect(made.json["metadata"]).toMatchObject({ ownerReferences });
    const patched = await api.patch(
      `${PRIORITY_CLASSES}/owned`,
      { spec: { value: 2 } },
      "application/merge-patch+json",
    );
    expect(patched.json["metadata"]).toMatchObject({ ownerReferences });
    const freed = await api.put(`${PRIORITY_CLASSES}/owned`, aClass("owned"));
    expect(freed.status).toBe(200);
    expect(freed.json["metadata"]).not.toHaveProperty("ownerReferences");
  });

  it("[OB10] keeps them in a server-side apply that does not name them, and has those of one that does", async () => {
    const ownerReferences = [await anOwner()];
    await api.post(PRIORITY_CLASSES, aClass("owned", { ownerReferences }));
    const url = `${PRIORITY_CLASSES}/owned?fieldManager=other&force=true`;
    const kept = await api.patch(url, aClass("owned"), APPLY_PATCH);
    expect(kept.json["metadata"]).toMatchObject({ ownerReferences });
    await api.post(PRIORITY_CLASSES, aClass("late"));
    const late = `${PRIORITY_CLASSES}/late?fieldManager=other&force=true`;
    const owned = await api.patch(late, aClass("late", { ownerReferences }), APPLY_PATCH);
    expect(owned.json["metadata"]).toMatchObject({ ownerReferences });
  });

  it("[OB11] is deleted by the plane when the last of them is gone, and not before", async () => {
    const owner = await anOwner();
    const { json } = await api.post(PRIORITY_CLASSES, aClass("second"));
    const second = {
      ...owner,
      name: "second",
      uid: textAt(json, "metadata", "uid"),
      controller: false,
    };
    await api.post(PRIORITY_CLASSES, aClass("owned", { ownerReferences: [owner, second] }));
    await api.post(PRIORITY_CLASSES, aClass("free"));
    await api.post(PRIORITY_CLASSES, aClass("of-one", { ownerReferences: [owner] }));
    await api.delete(`${PRIORITY_CLASSES}/owner`);
    await expect.poll(() => statusOf("of-one")).toBe(404);
    expect(await statusOf("owned")).toBe(200);
    await api.delete(`${PRIORITY_CLASSES}/second`);
    await expect.poll(() => statusOf("owned")).toBe(404);
    expect(await statusOf("free")).toBe(200);
  });
});

describe("a reference that Berth cannot honour", () => {
  it("[OB10] is 422 if it names another kind than those of Berth, with what to do instead", async () => {
    const pod = { apiVersion: "v1", kind: "Pod", name: "api", uid: "u1" };
    const { status, json } = await api.post(
      WORKLOADS,
      aWorkloadObject("api", { metadata: { ownerReferences: [pod] } }),
    );
    expect(status).toBe(422);
    expect(json["message"]).toContain(
      'metadata.ownerReferences[0]: Berth has no kind "Pod" of v1, so it cannot know when its objects are gone.',
    );
    expect(json["message"]).toContain("put a finalizer on the owner");
  });

  it("[OB10] is rejected if no object has its uid", async () => {
    const owner = { ...(await anOwner()), uid: "u0" };
    const { status, json } = await api.post(
      PRIORITY_CLASSES,
      aClass("owned", { ownerReferences: [owner] }),
    );
    expect(status).toBe(422);
    expect(json["message"]).toMatch(/metadata\.ownerReferences\.uid.*the uid of .*owner.*u0/);
  });
});
