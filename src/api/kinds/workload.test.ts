import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { FieldMistake } from "../api-kind.ts";
import { checkObject } from "../schema/check-object.ts";
import { workloadKind } from "./workload.ts";

const WRITTEN = `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: risk-api, namespace: payments }
spec:
  type: service
  replicas: 4
  priorityClass: critical
  resources: { cpu: 500m, memory: 256Mi, devices: { class: gpu, count: 1 } }
  placement:
    regions: [eu-west, eu-central]
    nodeSelector: { disk: ssd }
    tolerations: [{ key: spot }]
    spread: [{ by: zone }]
  run: { command: [node], args: [server.js], ports: [http], env: { LOG: info } }
  probes: { ready: { http: { port: http, path: /healthz } } }
  stopGrace: 1m30s
  onDisconnect: keep
`;

const least = { resources: { cpu: 1, memory: "1Gi" }, run: { command: ["serve"] } };

const mistakesIn = (spec: object): readonly FieldMistake[] => {
  const desired = workloadKind.toDesired({ ...least, ...spec });
  return Array.isArray(desired) ? (desired as FieldMistake[]) : [];
};

describe("what a user writes", () => {
  test("the example of the design becomes whole numbers", () => {
    const written = parse(WRITTEN) as { spec: unknown };
    expect(checkObject(workloadKind, written)).toEqual({ unknownFields: [], mistakes: [] });
    expect(workloadKind.toDesired(written.spec)).toEqual({
      kind: "Workload",
      spec: {
        type: "service",
        replicas: 4,
        template: {
          ask: {
            amounts: { cpuMillis: 500, memoryMiB: 256, deviceMillis: 1000 },
            device: { class: "gpu", models: [], count: 1, shareMillis: 1000 },
            regions: ["eu-west", "eu-central"],
            zones: [],
            nodeSelector: { disk: "ssd" },
            tolerations: [{ key: "spot", value: "" }],
          },
          spread: [{ by: "zone", maxSkew: 1 }],
          priorityClass: "critical",
          onDisconnect: "keep",
          command: ["node", "server.js"],
          run: {
            env: { LOG: "info" },
            workingDir: "",
            user: "",
            ports: ["http"],
            stopGraceMs: 90_000,
            argCount: 1,
          },
          probe: { action: { kind: "http", port: "http", path: "/healthz" }, timeoutMs: 1000 },
        },
      },
    });
  });

  test("what is left out is one replica of a service, anywhere, without options", () => {
    expect(workloadKind.toDesired(least)).toEqual({
      kind: "Workload",
      spec: {
        type: "service",
        replicas: 1,
        template: {
          ask: {
            amounts: { cpuMillis: 1000, memoryMiB: 1024, deviceMillis: 0 },
            regions: [],
            zones: [],
            nodeSelector: {},
            tolerations: [],
          },
          spread: [],
          priorityClass: "",
          onDisconnect: "stop",
          command: ["serve"],
        },
      },
    });
  });

  test("fields that Berth does not act on yet are refused by name, with what happens instead", () => {
    const written = parse(WRITTEN) as { spec: object };
    const spec = { ...written.spec, template: { within: "5m" } };
    const { unknownFields, mistakes } = checkObject(workloadKind, { ...written, spec });
    expect(mistakes).toEqual([]);
    expect(unknownFields.map(({ field, message }) => [field, message.split(":")[0]])).toEqual([
      ["spec.template", 'field "spec.template" is not used in Berth'],
    ]);
  });
});

describe("quantities and durations", () => {
  test("a negative quantity is named with its field, value and what is expected", () => {
    expect(mistakesIn({ resources: { cpu: "-500m", memory: "1Gi" } })).toEqual([
      {
        field: "spec.resources.cpu",
        message: 'found "-500m", which is negative; expected CPUs such as 2, 1.5 or 500m.',
      },
    ]);
  });

  test("a quantity finer than what is counted is not rounded", () => {
    const resources = { cpu: 0.0005, memory: "1.5Ki" };
    expect(mistakesIn({ resources }).map(({ field, message }) => [field, message])).toEqual([
      [
        "spec.resources.cpu",
        'found "0.0005", which is not a multiple of 1m, a thousandth of a CPU; expected CPUs such as 2, 1.5 or 500m.',
      ],
      [
        "spec.resources.memory",
        'found "1.5Ki", which is not a multiple of 1Mi; expected memory such as 256Mi, 4Gi or 64M.',
      ],
    ]);
  });

  test("a quantity that would not add up exactly is too large", () => {
    const resources = { cpu: "9007199254740993", memory: "4194304Pi" };
    expect(mistakesIn({ resources }).map(({ message }) => message)).toEqual([
      'found "9007199254740993", which is more than 1099511627776m; expected CPUs such as 2, 1.5 or 500m.',
      'found "4194304Pi", which is more than 1099511627776Mi; expected memory such as 256Mi, 4Gi or 64M.',
    ]);
  });

  test("text that is no quantity says so, and every mistake is told at once", () => {
    const resources = { cpu: "two", memory: "256MB" };
    const mistakes = mistakesIn({ resources, stopGrace: "-5s" });
    expect(mistakes.map(({ field }) => field)).toEqual([
      "spec.resources.cpu",
      "spec.resources.memory",
      "spec.stopGrace",
    ]);
    expect(mistakes[0]!.message).toBe(
      'found "two", which is not a quantity; expected CPUs such as 2, 1.5 or 500m.',
    );
  });

  test("a grace of more than a day is refused", () => {
    expect(mistakesIn({ stopGrace: "25h" })).toEqual([
      {
        field: "spec.stopGrace",
        message:
          'found "25h"; expected a duration such as 250ms, 90s, 1m30s or 2h, from 0s to 24h.',
      },
    ]);
  });
});

describe("gangs", () => {
  test("say how long they may hold quota while they wait for room", () => {
    const written = parse(WRITTEN) as { spec: object };
    const desired = workloadKind.toDesired({ ...written.spec, gang: { deadline: "10m" } });
    expect(desired).toMatchObject({ spec: { gang: { deadlineMs: 600_000 } } });
  });

  test("have a deadline of some time and at most a day", () => {
    for (const deadline of ["0s", "-1s", "25h", "soon"]) {
      expect(mistakesIn({ gang: { deadline } })[0]!.field).toBe("spec.gang.deadline");
    }
  });

  test("are no larger than what can start in one step", () => {
    expect(mistakesIn({ replicas: 1_025, gang: { deadline: "1m" } })).toEqual([
      {
        field: "spec.replicas",
        message: "found 1025; expected at most 1024 replicas in a gang, which starts in one step.",
      },
    ]);
  });
});

describe("probes", () => {
  const run = { command: ["serve"], ports: ["http", "admin"] };

  test("a probe is exactly one of its kinds", () => {
    const both = { ready: { http: { port: "http" }, tcp: { port: "http" } } };
    expect(mistakesIn({ run, probes: both })[0]!.message).toBe(
      "found http and tcp; expected exactly one of http, tcp and exec.",
    );
    expect(mistakesIn({ run, probes: { ready: {} } })[0]!.message).toBe(
      "found none; expected exactly one of http, tcp and exec.",
    );
  });

  test("a probe asks a port that the process has", () => {
    expect(mistakesIn({ run, probes: { ready: { tcp: { port: "htp" } } } })).toEqual([
      {
        field: "spec.probes.ready.tcp.port",
        message:
          'found "htp"; expected a name from spec.run.ports, but it has http, admin. Did you mean "http"?',
      },
    ]);
  });

  test("a probe may not take no time at all", () => {
    const probes = { ready: { exec: { command: ["true"] }, timeout: "0s" } };
    expect(mistakesIn({ probes })[0]!.field).toBe("spec.probes.ready.timeout");
  });
});

const templateOf = (spec: object): unknown => {
  const desired = workloadKind.toDesired({ ...least, ...spec });
  return "kind" in desired && desired.kind === "Workload" ? desired.spec.template : desired;
};

describe("fixed ports", () => {
  const run = { command: ["serve"], ports: ["http", "admin"], fixedPorts: { http: 8080 } };

  test("are asked of a node, by names from run.ports [BD90]", () => {
    expect(templateOf({ run })).toMatchObject({
      ask: { fixedPorts: { http: 8080 } },
      run: { ports: ["http", "admin"] },
    });
    expect(mistakesIn({ run: { ...run, fixedPorts: { htp: 8080 } } })).toEqual([
      {
        field: "spec.run.fixedPorts.htp",
        message:
          'found "htp"; expected a name from spec.run.ports, but it has http, admin. Did you mean "http"?',
      },
    ]);
  });

  test("have different numbers", () => {
    expect(mistakesIn({ run: { ...run, fixedPorts: { http: 8080, admin: 8080 } } })).toEqual([
      {
        field: "spec.run.fixedPorts.admin",
        message: "found 8080, which http has; expected another number.",
      },
    ]);
  });
});

describe("metrics", () => {
  const one = { command: ["serve"], ports: ["http"] };
  test("[AP223] what is left out is the only port, /metrics and http_requests_total", () => {
    const usual = { port: "http", path: "/metrics", requests: "http_requests_total" };
    expect(templateOf({ run: one, metrics: {} })).toMatchObject({ metrics: usual });
    const other = { port: "admin", path: "/stats", requests: "calls_total" };
    const run = { command: ["serve"], ports: ["http", "admin"] };
    expect(templateOf({ run, metrics: other })).toMatchObject({ metrics: other });
    expect(templateOf({ run })).not.toHaveProperty("metrics");
  });

  test("[AP223] a port is one that the process has, and is named where it has several", () => {
    expect(mistakesIn({ run: one, metrics: { port: "htp" } })).toEqual([
      {
        field: "spec.metrics.port",
        message:
          'found "htp"; expected a name from spec.run.ports, but it has http. Did you mean "http"?',
      },
    ]);
    const several = { command: ["serve"], ports: ["http", "admin"] };
    expect(mistakesIn({ run: several, metrics: {} })[0]!.message).toBe(
      "left out, and spec.run.ports has http, admin; expected the name of one, or a single port in spec.run.ports.",
    );
    expect(mistakesIn({ metrics: {} })[0]!.message).toMatch(/spec\.run\.ports has none/);
  });

  test.each([
    ["path", "metrics", "a path that begins with '/'"],
    ["path", "/a b", "without spaces"],
    ["requests", "calls{code=200}", "without labels"],
  ])("[AP223] a %s such as %s is refused", (field, value, expected) => {
    const spec = { ...least, run: one, metrics: { [field]: value } };
    const metadata = { name: "api", namespace: "payments" };
    const object = { apiVersion: "berth.dev/v1", kind: "Workload", metadata, spec };
    const { mistakes } = checkObject(workloadKind, object);
    expect(mistakes).toEqual([
      { field: `spec.metrics.${field}`, message: expect.stringContaining(expected) as string },
    ]);
  });
});

describe("commands and scale", () => {
  test("an empty program is refused", () => {
    expect(mistakesIn({ run: { command: [""] } })).toEqual([
      { field: "spec.run.command[0]", message: "is empty; expected a program." },
    ]);
  });

  test("arguments are shown where they were written, so that a patch of them replaces them", () => {
    const desired = workloadKind.toDesired({
      ...least,
      run: { command: ["node"], args: ["a", "b"] },
    });
    if (!("kind" in desired) || desired.kind !== "Workload") throw new Error("not a workload");
    const object = { ...aWorkload(), spec: desired.spec };
    expect(workloadKind.toApi(object, new ObjectIndex()).spec).toMatchObject({
      run: { command: ["node"], args: ["a", "b"] },
    });
  });

  test("scaling changes the number of replicas and nothing else", () => {
    const { scale } = workloadKind;
    expect(scale!.replicas(aWorkload({ replicas: 7 }))).toBe(7);
    expect(scale!.withReplicas(least, 3)).toEqual({ ...least, replicas: 3 });
  });
});
