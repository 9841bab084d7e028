/** The drivers of one node: those it allows, which of them it can run, and why not the rest. */
import type { DriverName } from "../../core/model/node/driver-name.ts";
import type { ProcessRecord } from "../process/process-folder.ts";
import { ReplicaFiles } from "../replica-files.ts";
import type { Driver } from "./driver.ts";
import { ProcessDriver } from "./process-driver.ts";

export class Drivers {
  private readonly byName: ReadonlyMap<DriverName, Driver>;
  /** Of templates that name none. */
  private readonly usual: DriverName;

  constructor(of: { readonly drivers: readonly Driver[]; readonly usual: DriverName }) {
    this.byName = new Map(of.drivers.map((driver) => [driver.name, driver]));
    this.usual = of.usual;
  }

  /** The one that a template asks for; throws why this node cannot run it. */
  asked(name: DriverName = this.usual): Driver {
    const driver = this.byName.get(name);
    if (driver === undefined) throw new Error(`This node does not allow the driver ${name}.`);
    const [lacks] = driver.missing;
    if (lacks !== undefined) throw new Error(`This node cannot run the driver ${name}: ${lacks}.`);
    return driver;
  }

  /** The one that a process was started with, allowed or not: it runs, and must be ended. */
  of({ driver = "process" }: Pick<ProcessRecord, "driver">): Driver {
    const found = this.byName.get(driver);
    if (found === undefined) throw new Error(`This agent has no driver ${driver}.`);
    return found;
  }
}

/** Of a node that runs plain processes and nothing else. */
export const plainDrivers = (
  agentFolder: string,
  files: ReplicaFiles = new ReplicaFiles(agentFolder),
): Drivers => new Drivers({ drivers: [new ProcessDriver(files)], usual: "process" });
