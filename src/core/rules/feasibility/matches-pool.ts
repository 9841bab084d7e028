/** Whether devices of a node are of the class and of a model that a template asks for. */
import type { DeviceAsk, DevicePool } from "../../model/objects.ts";

export const matchesPool = (pool: DevicePool, device: DeviceAsk): boolean =>
  pool.class === device.class && (device.models.length === 0 || device.models.includes(pool.model));
