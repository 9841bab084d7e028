/** Joins a plane to the planes of other regions, as its settings and its log say. */
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { GlobalSide } from "../../host/regional/global-side.ts";
import { RegionSide } from "../../host/regional/region-side.ts";
import { askGlobal } from "../../serve/regional/ask-global.ts";
import type { LineLog } from "../line-log.ts";
import type { PlaneSettings } from "./plane-settings.ts";

export function openRegionLinks(
  plane: PlanePort,
  { regional }: PlaneSettings,
  { clock, log }: { readonly clock: HostClock; readonly log: LineLog },
): { close(): void } {
  if (regional === undefined) return new GlobalSide(plane);
  const { region, global } = regional;
  const asking = askGlobal(global);
  const side = new RegionSide({
    plane,
    clock,
    region,
    exchange: asking.exchange,
    onTrouble: (trouble) => {
      if (trouble === undefined) log.info({ region }, "The global plane answers.");
      else {
        const why = asking.refusal();
        log.warn(
          { region, trouble, ...(why === undefined ? {} : { why }) },
          "The global plane does not answer: the region goes on within what it was lent.",
        );
      }
    },
  });
  return {
    close: () => {
      side.close();
      asking.close();
    },
  };
}
