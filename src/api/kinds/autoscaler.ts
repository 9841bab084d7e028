/** Autoscaler: how many replicas a service has, by what it is asked to do. */
import { showKind } from "./show-kind.ts";
import {
  autoscalerStatus,
  loadText,
  SCALE_CONDITIONS,
  wordText,
  writeAutoscalerStatus,
} from "./status/autoscaler-status.ts";

export const autoscalerKind = showKind({
  kind: "Autoscaler",
  status: autoscalerStatus,
  planeConditions: SCALE_CONDITIONS,
  showStatus: writeAutoscalerStatus,
  columns: [
    {
      name: "Workload",
      type: "string",
      description: "What is scaled.",
      cell: (autoscaler) => autoscaler.spec.workload,
    },
    {
      name: "Load",
      type: "string",
      description: "What a replica had when it was last observed, and what it is to have.",
      cell: loadText,
    },
    {
      name: "Min",
      type: "integer",
      description: "The fewest replicas.",
      cell: (autoscaler) => autoscaler.spec.min,
    },
    {
      name: "Max",
      type: "integer",
      description: "The most replicas.",
      cell: (autoscaler) => autoscaler.spec.max,
    },
    {
      name: "Replicas",
      type: "string",
      description:
        "As many as there are to be, and what the load asks for if that is another number.",
      cell: (autoscaler, objects) => {
        const { replicas = 0, desired = replicas } = writeAutoscalerStatus(autoscaler, objects);
        return replicas === desired ? `${replicas}` : `${replicas}→${desired}`;
      },
    },
    {
      name: "State",
      type: "string",
      description: "What it does, or what keeps it from that, in a word.",
      cell: wordText,
    },
  ],
});
