/**
 * Plays one role of a benchmark until the parent lets go. Roles are loaded only by the process that
 * plays them.
 */
import type { PartRole } from "./part-role.ts";

type Play = () => Promise<void>;

const ROLES: Readonly<Record<PartRole, () => Promise<Play>>> = {
  place: async () => (await import("../place/play-place.ts")).playPlace,
  fleet: async () => (await import("../path/play-fleet.ts")).playFleet,
  create: async () => (await import("../path/play-create.ts")).playCreate,
  watch: async () => (await import("../path/play-watch.ts")).playWatch,
  churn: async () => (await import("../path/play-churn.ts")).playChurn,
  speak: async () => (await import("../cluster/play-speak.ts")).playSpeak,
  write: async () => (await import("../cluster/play-write.ts")).playWrite,
  read: async () => (await import("../cluster/play-read.ts")).playRead,
  flood: async () => (await import("../overload/play-flood.ts")).playFlood,
  victim: async () => (await import("../overload/play-victim.ts")).playVictim,
  dashboard: async () => (await import("../dashboard/play-dashboard.ts")).playDashboard,
};

export async function runPart(role: PartRole): Promise<void> {
  const play = await ROLES[role]();
  await play();
  // What failed halfway may have left a thread or a socket open, and must not keep the benchmark
  // waiting.
  process.exit();
}
