import { describe, expect, test } from "vitest";
import { replicaKey } from "../../core/model/ids.ts";
import { environmentScript, portVariable, withVariables } from "./process-environment.ts";

const NO_DEVICES = { deviceClass: "", deviceIds: [] };

const script = (
  env: Readonly<Record<string, string>>,
  devices: { readonly deviceClass: string; readonly deviceIds: readonly string[] } = NO_DEVICES,
): string =>
  environmentScript({
    replica: replicaKey({ tenant: "payments", workload: "api", generation: 1, index: 0 }),
    node: "a-1",
    workload: "api",
    index: 0,
    ...devices,
    ports: { http: 20_001 },
    env,
    workingDir: "/var/it's",
  });

describe("the environment script", () => {
  test("quotes everything, so that nothing in a value is a command", () => {
    expect(script({ A: "$(rm -rf /) `x` 'y'\n;" })).toContain(
      `export A='$(rm -rf /) \`x\` '\\''y'\\''\n;'\n`,
    );
    expect(script({})).toContain(`cd '/var/it'\\''s' || exit 126\n`);
  });

  test("leaves names that no shell can export to env(1)", () => {
    expect(script({ "app.mode": "x", UID: "7" })).toContain(
      `set -- env 'app.mode=x' 'UID=7' "$@"\n`,
    );
  });

  test("lets a template say where home is, and not what Berth says", () => {
    expect(script({})).toContain(`export HOME='/var/it'\\''s'\n`);
    expect(script({ HOME: "/srv", BERTH_NODE: "b-9" })).toContain("export HOME='/srv'\n");
    expect(script({ BERTH_NODE: "b-9" })).toContain("export BERTH_NODE='a-1'\n");
  });

  test("names the tenant, the index and the devices, all of them and by class", () => {
    const text = script({}, { deviceClass: "gpu-small", deviceIds: ["g-1", "g-2"] });
    expect(text).toContain("export BERTH_NAMESPACE='payments'\n");
    expect(text).toContain("export BERTH_INDEX='0'\n");
    expect(text).toContain("export BERTH_SLOT='0'\n");
    expect(text).toContain("export BERTH_DEVICES='g-1,g-2'\n");
    expect(text).toContain("export BERTH_DEVICES_GPU_SMALL='g-1,g-2'\n");
    expect(script({})).not.toContain("BERTH_DEVICES_");
  });

  test("sets PORT for a process with one port, unless its template does", () => {
    expect(script({})).toContain("export PORT='20001'\n");
    expect(script({ PORT: "80" })).toContain("export PORT='80'\n");
  });

  test("puts variables into values, as Kubernetes does", () => {
    const text = script({
      URL: "http://$(BERTH_NODE):$(PORT_HTTP)/$(MODE)",
      MODE: "$(fast)",
      RAW: "$$(MODE) $$ $(NONE)",
    });
    expect(text).toContain("export URL='http://a-1:20001/$(fast)'\n");
    expect(text).toContain("export RAW='$(MODE) $$ $(NONE)'\n");
    expect(withVariables("--port=$(PORT)", { PORT: "8080" })).toBe("--port=8080");
  });

  test("names ports in capitals", () => {
    expect(portVariable("admin-ui")).toBe("PORT_ADMIN_UI");
  });
});
