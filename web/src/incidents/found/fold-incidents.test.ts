import { expect, it } from "vitest";
import type { ShownIncident } from "../../../../src/api/incidents/shown-incident.ts";
import { foldIncidents } from "./fold-incidents.ts";

const moment = (revision: number) => ({ revision, time: new Date(revision).toISOString() });

const loop = (began: number, ended?: number, about = "workload/shop/api"): ShownIncident => ({
  id: `${about} ${began}`,
  kind: "CrashLoop",
  about,
  replica: `api.1.${began}`,
  message: `api.1.${began} has failed`,
  began: moment(began),
  ...(ended === undefined ? {} : { ended: moment(ended) }),
});

const lasted = (incidents: readonly ShownIncident[]) =>
  foldIncidents(incidents).map(({ began, ended, replicas }) => [
    began.revision,
    ended?.revision,
    replicas,
  ]);

it("joins crash loops of one workload that lasted at the same time", () => {
  expect(lasted([loop(30, 50), loop(20, 60), loop(10, 25)])).toEqual([[10, 60, 3]]);
  expect(lasted([loop(30), loop(20, 60)])).toEqual([[20, undefined, 2]]);
});

it("leaves apart loops that ended before the next began, and those of other workloads", () => {
  expect(lasted([loop(30, 50), loop(20, 25)])).toEqual([
    [30, 50, 1],
    [20, 25, 1],
  ]);
  expect(lasted([loop(30), loop(20, undefined, "workload/shop/web")])).toHaveLength(2);
});

it("joins nothing but crash loops", () => {
  const fenced: ShownIncident = { ...loop(10), kind: "NodeFenced", about: "node/n1" };
  expect(lasted([{ ...fenced, began: moment(20) }, fenced])).toHaveLength(2);
});
