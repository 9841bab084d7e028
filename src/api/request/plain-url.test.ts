import { describe, expect, it } from "vitest";
import { plainUrl } from "./plain-url.ts";

const BERTH = "/apis/berth.dev/v1";

describe("plainUrl()", () => {
  it.each([
    ["/api/", "/api"],
    ["/apis/", "/apis"],
    [`${BERTH}/nodes/?limit=5`, `${BERTH}/nodes?limit=5`],
    [`${BERTH}/nodes?`, `${BERTH}/nodes?`],
    ["/ui/", "/ui/"],
    ["/", "/"],
  ])("takes the slash off the end of %s where the API begins", (url, expected) => {
    expect(plainUrl(url)).toBe(expected);
  });

  it.each([
    [`${BERTH}/watch/nodes`, `${BERTH}/nodes?watch=true`],
    [`${BERTH}/watch/nodes/`, `${BERTH}/nodes?watch=true`],
    [
      `${BERTH}/watch/namespaces/shop/workloads?resourceVersion=7`,
      `${BERTH}/namespaces/shop/workloads?resourceVersion=7&watch=true`,
    ],
    ["/api/v1/watch/namespaces", "/api/v1/namespaces?watch=true"],
    [
      "/api/v1/watch/namespaces/shop",
      "/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Dshop",
    ],
    [
      `${BERTH}/watch/namespaces/shop/workloads/api?fieldSelector=a%3Db`,
      `${BERTH}/namespaces/shop/workloads?fieldSelector=a%3Db%2Cmetadata.name%3Dapi&watch=true`,
    ],
  ])("reads the legacy path %s as a watch of a list", (url, expected) => {
    expect(plainUrl(url)).toBe(expected);
  });

  it("leaves a path alone that no watch ever had", () => {
    const url = `${BERTH}/watch/namespaces/shop/workloads/api/status`;
    expect(plainUrl(url)).toBe(url);
  });
});
