/** The requests of a flood, as text. */
import { API_VERSION } from "../../src/api/group-version.ts";
import { workloadManifest } from "../measure/manifests.ts";
import type { FloodTask } from "./play-flood.ts";

export const FLOOD_TENANT = "flood";
export const WORKLOADS = `/apis/${API_VERSION}/namespaces/${FLOOD_TENANT}/workloads`;

/** The plane is measured, not its scheduler: nothing of it is to run. */
const NOTHING_RUNS = {
  tenant: FLOOD_TENANT,
  replicas: 0,
  resources: { cpu: "100m", memory: "64Mi" },
};

export const madeName = (round: string, number: number): string => `flood-${round}-${number}`;

export function requestOf(
  { shape, token, round }: FloodTask,
  host: string,
  number: number,
): string {
  const head = `Host: ${host}\r\nAuthorization: Bearer ${token}\r\n`;
  const post = (body: string, length = Buffer.byteLength(body)): string =>
    `POST ${WORKLOADS} HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  switch (shape) {
    case "creates":
      return post(JSON.stringify(workloadManifest(madeName(round, number), NOTHING_RUNS)));
    case "lists":
      return `GET ${WORKLOADS} HTTP/1.1\r\n${head}\r\n`;
    case "watches":
      return `GET ${WORKLOADS}?watch=1 HTTP/1.1\r\n${head}\r\n`;
    case "bodies":
      return post("{", 10_000);
    case "refused":
      return post(
        `{"apiVersion":"${API_VERSION}","kind":"Workload","metadata":{"name":"Not A Name"}}`,
      );
  }
}
