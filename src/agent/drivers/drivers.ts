/** The drivers of one node: those it allows, which of them it can run, and why not the rest. */
import type { DriverName, NodeDriver } from "../../core/model/node/driver-name.ts";
import type { ProcessRecord } from "../process/process-folder.ts";
import type { ReplicaDisks } from "./disk/replica-disks.ts";
import { ReplicaFiles } from "../replica-files.ts";
import type { Driver } from "./driver.ts";
import { ProcessDriver } from "./process-driver.ts";

export class Drivers {
  private readonly byName: ReadonlyMap<DriverName, Driver>;
  /** The first that can run anything is that of templates which name none. */
  private readonly allowed: readonly DriverName[];
  private readonly unused: readonly string[];
  /** Nothing runs any more: what the machine was given for replicas goes. */
  readonly close: () => void;
  /** Removes what agents left that were killed, of all processes but these. */
  readonly sweep: (kept: ReadonlySet<string>) => void;
  private readonly lacksDisk: string | undefined;

  constructor(of: {
    readonly drivers: readonly Driver[];
    readonly allowed: readonly DriverName[];
    readonly onClose?: () => void;
    readonly files: ReplicaFiles;
    readonly disks?: ReplicaDisks;
    /** Why drivers that would be better are not used, in sentences. */
    readonly unused?: readonly string[];
  }) {
    this.unused = of.unused ?? [];
    this.byName = new Map(of.drivers.map((driver) => [driver.name, driver]));
    this.allowed = of.allowed;
    this.close = of.onClose ?? (() => undefined);
    this.sweep = (kept) => {
      of.files.sweep(kept);
      of.disks?.sweep(kept);
    };
    this.lacksDisk = of.disks?.lacking;
  }

  /** Those that the node allows and can run, the usual one first. */
  get usable(): readonly DriverName[] {
    return this.allowed.filter((name) => this.byName.get(name)?.missing.length === 0);
  }

  /** What the plane is told. */
  get report(): readonly NodeDriver[] {
    return this.allowed.map((name) => {
      const [lacks] = this.byName.get(name)?.missing ?? ["its agent does not have it"];
      if (lacks !== undefined) return { name, lacks };
      const { lacksDisk } = this;
      return lacksDisk === undefined || name === "process" ? { name } : { name, lacksDisk };
    });
  }

  /** Why the node cannot run what it allows, in sentences. */
  get notes(): readonly string[] {
    const lacking = this.allowed.flatMap((name) =>
      (this.byName.get(name)?.missing ?? []).map((why) => `cannot run the driver ${name}: ${why}`),
    );
    const disks =
      this.lacksDisk === undefined ? [] : [`has no disks for replicas: ${this.lacksDisk}`];
    return [...this.unused, ...lacking, ...disks];
  }

  /** The one that a template asks for; throws why this node cannot run it. */
  asked(name: DriverName | undefined = this.usable[0]): Driver {
    const driver = name === undefined ? undefined : this.byName.get(name);
    if (name === undefined) throw new Error(`This node has no driver: ${this.notes.join("; ")}.`);
    if (driver === undefined || !this.allowed.includes(name))
      throw new Error(`This node does not allow the driver ${name}.`);
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
): Drivers => new Drivers({ drivers: [new ProcessDriver(files)], allowed: ["process"], files });
