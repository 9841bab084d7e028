/** The charts, fetched after the page is there: readers come for the problems first. */
import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";

let loaded: FunctionComponent | undefined;

/** Without them the page says as much as before: a failure leaves them out. */
const load = (): Promise<FunctionComponent | undefined> =>
  import("./fleet-charts.tsx").then(
    ({ FleetCharts }) => (loaded = FleetCharts),
    () => undefined,
  );

export function LazyCharts() {
  const isThere = useSignal(loaded !== undefined);
  useEffect(() => {
    if (loaded === undefined) void load().then((found) => (isThere.value = found !== undefined));
  }, []);
  const Charts = loaded;
  return (
    <section class="fleet-charts" aria-label="The last hour">
      {isThere.value && Charts !== undefined && <Charts />}
    </section>
  );
}
