/** The processes of one measurement, which end together. */
import { PartProcess } from "./part-process.ts";
import type { PartRole } from "./part-role.ts";

export class PartCrew {
  private readonly parts: PartProcess[] = [];

  start(role: PartRole): PartProcess {
    const part = PartProcess.start(role);
    this.parts.push(part);
    return part;
  }

  async stop(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.stop()));
  }
}
