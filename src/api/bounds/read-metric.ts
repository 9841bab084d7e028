/** Metrics whose value is read when they are scraped, from where it is kept anyway. */
import { Counter, Gauge, type Registry } from "prom-client";

type AddMetric = (name: string, help: string, read: () => number) => void;

export const gaugesIn =
  (registry: Registry): AddMetric =>
  (name, help, read) => {
    void new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };

export const countersIn =
  (registry: Registry): AddMetric =>
  (name, help, read) => {
    void new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
