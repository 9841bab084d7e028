/** The Kubernetes JavaScript client's informer: it must see everything once, also across a restart of the plane. */
import {
  CustomObjectsApi,
  KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  makeInformer,
} from "@kubernetes/client-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PlaneUser, until } from "../host/a-running-plane.ts";
import { ServedPlane } from "./served-plane.ts";

const served = new ServedPlane();
beforeAll(() => served.start());
afterAll(() => served.remove());

const GROUP = { group: "berth.dev", version: "v1", namespace: "shop" };

function configFor(url: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions({
    // The client refuses plain HTTP unless it is told that there is no certificate to check.
    clusters: [{ name: "berth", server: url, skipTLSVerify: true }],
    users: [{ name: "me" }],
    contexts: [{ name: "berth", cluster: "berth", user: "me" }],
    currentContext: "berth",
  });
  return config;
}

test("an informer sees every change once, and goes on after the plane was restarted", async () => {
  const config = configFor(served.url);
  const objects = config.makeApiClient(CustomObjectsApi);
  const list = async (): Promise<KubernetesListObject<KubernetesObject>> =>
    (await objects.listNamespacedCustomObject({
      ...GROUP,
      plural: "replicas",
    })) as KubernetesListObject<KubernetesObject>;
  const informer = makeInformer(config, "/apis/berth.dev/v1/namespaces/shop/replicas", list);
  const added: string[] = [];
  const deleted: string[] = [];
  informer.on("add", (object) => added.push(object.metadata?.name ?? ""));
  informer.on("delete", (object) => deleted.push(object.metadata?.name ?? ""));
  // The client gives up after an error other than 410; whoever uses it starts it again.
  informer.on("error", () => setTimeout(() => void informer.start(), 100));

  const user = new PlaneUser(() => served.running);
  await user.furnish();
  await user.putDesired(2);
  await informer.start();
  await until("two replicas", () => (added.length === 2 ? true : undefined));

  const before = served.running.revision;
  await served.stop();
  await served.start();
  await until("the new leadership to be durable", () =>
    served.running.revision > before ? true : undefined,
  );
  await user.putDesired(4);
  await until("four replicas", () => (added.length >= 4 ? true : undefined));
  await user.putDesired(0);
  await until("none again", () => (deleted.length === 4 ? true : undefined));
  await informer.stop();

  const names = ["api.1.0", "api.1.1", "api.1.2", "api.1.3"];
  expect(added.toSorted()).toEqual(names);
  expect(deleted.toSorted()).toEqual(names);
});
