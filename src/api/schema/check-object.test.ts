import { describe, expect, test } from "vitest";
import { workloadKind } from "../kinds/workload.ts";
import { checkObject } from "./check-object.ts";

const spec = { resources: { cpu: 1, memory: "1Gi" }, run: { command: ["serve"] } };
const workload = (parts: object = {}, metadata: object = {}) => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name: "api", namespace: "payments", ...metadata },
  spec: { ...spec, ...parts },
});

const mistakesIn = (value: unknown) => checkObject(workloadKind, value).mistakes;
const unknownIn = (value: unknown) =>
  checkObject(workloadKind, value).unknownFields.map(({ message }) => message);

test.each([["25%"], ["0%"], ["150%"], [0], [7]])(
  "%j is a bound of a rollout [RO11]",
  (maxSurge) => {
    expect(mistakesIn(workload({ rollout: { maxSurge } }))).toEqual([]);
  },
);

test.each([["a quarter"], ["25"], ["2.5%"], ["-5%"], ["1000%"], [-1], [1.5]])(
  "%j is none, and it is said what is [RO11]",
  (maxSurge) => {
    const form = "a whole number from 0 to 100000, or a percentage such as 25%";
    expect(mistakesIn(workload({ rollout: { maxSurge } }))).toEqual([
      {
        field: "spec.rollout.maxSurge",
        message: `found ${JSON.stringify(maxSurge)}; expected ${form}.`,
      },
    ]);
  },
);

describe("unknown fields", () => {
  test("an unknown field is named with its path and what was probably meant", () => {
    const { unknownFields, mistakes } = checkObject(
      workloadKind,
      workload({ replcas: 4, placement: { spread: [{ by: "zone", maxskew: 1 }] } }),
    );
    expect(mistakes).toEqual([]);
    expect(unknownFields).toEqual([
      { field: "spec.replcas", message: 'unknown field "spec.replcas". Did you mean "replicas"?' },
      {
        field: "spec.placement.spread[0].maxskew",
        message: 'unknown field "spec.placement.spread[0].maxskew". Did you mean "maxSkew"?',
      },
    ]);
  });

  test("a field that resembles nothing is only unknown", () => {
    expect(unknownIn(workload({ strategy: {} }))).toEqual(['unknown field "spec.strategy".']);
  });

  test("a field that users of Kubernetes expect says what to use instead", () => {
    expect(unknownIn(workload({ probes: { live: { exec: { command: ["a"] } } } }))).toEqual([
      'field "spec.probes.live" is not supported yet: a process that exits is replaced; one that hangs is not noticed.',
    ]);
  });

  test("a field named like something every object has is unknown, not understood", () => {
    expect(unknownIn(workload({ constructor: 1, toString: 1 }))).toEqual([
      'unknown field "spec.constructor".',
      'unknown field "spec.toString".',
    ]);
  });

  test("a status that a client sends back is ignored", () => {
    expect(checkObject(workloadKind, { ...workload(), status: { old: true } })).toEqual({
      unknownFields: [],
      mistakes: [],
    });
  });
});

describe("wrong values", () => {
  test("what is missing is named with what it is for", () => {
    const { resources } = spec;
    expect(mistakesIn({ ...workload(), spec: { resources } })).toEqual([
      { field: "spec.run", message: "required: The process of each replica." },
    ]);
  });

  test("a wrong word is shown with the words there are", () => {
    expect(mistakesIn(workload({ type: "servce" }))).toEqual([
      {
        field: "spec.type",
        message: 'found "servce"; expected one of service, batch. Did you mean "service"?',
      },
    ]);
  });

  test("a number out of range is shown with the range", () => {
    expect(mistakesIn(workload({ replicas: -1 }))).toEqual([
      { field: "spec.replicas", message: "found -1; expected a number from 0 to 100000." },
    ]);
    expect(mistakesIn(workload({ replicas: 1.5 }))).toEqual([
      { field: "spec.replicas", message: "found 1.5; expected a whole number." },
    ]);
  });

  test("a duration without a unit is answered with one that is accepted", () => {
    expect(mistakesIn(workload({ stopGrace: 3 }))).toEqual([
      {
        field: "spec.stopGrace",
        message:
          'found 3; expected a duration such as 250ms, 90s, 1m30s or 2h, from 0s to 24h. Did you mean "3s"?',
      },
    ]);
  });

  test("a bare number where text belongs wants quotes, unless quotes would not help", () => {
    const run = { command: ["serve"], env: { PORT: 8080 }, ports: [8080] };
    expect(mistakesIn(workload({ run }))).toEqual([
      {
        field: "spec.run.env.PORT",
        message: "found 8080; expected text, without NUL characters. Put it in quotes.",
      },
      {
        field: "spec.run.ports[0]",
        message:
          "found 8080; expected the name of a port, of lower-case letters, digits and '-', such as http.",
      },
    ]);
  });

  test("a wrong key of a map is told from a wrong value", () => {
    const labels = { "a b": "c", team: "not a value" };
    expect(mistakesIn(workload({}, { labels }))).toEqual([
      {
        field: "metadata.labels[a b]",
        message: 'found the key "a b"; expected a label key such as team or example.com/team.',
      },
      {
        field: "metadata.labels.team",
        message:
          "found \"not a value\"; expected a label value of at most 63 letters, digits, '-', '_' and '.'.",
      },
    ]);
  });

  test("a name that cannot be part of a key is refused", () => {
    expect(mistakesIn(workload({}, { name: "Risk/api" }))[0]!.field).toBe("metadata.name");
  });

  test("an empty list and a repeated entry are told apart", () => {
    const run = { command: [], ports: ["http", "http"] };
    expect(mistakesIn(workload({ run })).map(({ message }) => message)).toEqual([
      "found []; expected at least one entry.",
      'found ["http","http"]; expected unique entries.',
    ]);
  });

  test("a long value is cut short", () => {
    const [mistake] = mistakesIn(workload({ type: "x".repeat(500) }));
    expect(mistake!.message.length).toBeLessThan(150);
  });

  test("what is no object at all is refused", () => {
    expect(mistakesIn("hello")).toEqual([
      { field: "", message: 'found "hello"; expected an object.' },
    ]);
    expect(mistakesIn([]).map(({ field }) => field)).toEqual([""]);
  });

  test("a time that Go clients leave empty is not a mistake", () => {
    expect(mistakesIn(workload({}, { creationTimestamp: null }))).toEqual([]);
  });
});
