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
      description: "The scaled workload.",
      cell: (autoscaler) => autoscaler.spec.workload,
    },
    {
      name: "Load",
      type: "string",
      description: "The load of a replica in the last sample, and its target.",
      cell: loadText,
    },
    {
      name: "Min",
      type: "integer",
      description: "The minimum number of replicas.",
      cell: (autoscaler) => autoscaler.spec.min,
    },
    {
      name: "Max",
      type: "integer",
      description: "The maximum number of replicas.",
      cell: (autoscaler) => autoscaler.spec.max,
    },
    {
      name: "Replicas",
      type: "string",
      description:
        "The desired number of replicas, and the number that the load needs if it differs.",
      cell: (autoscaler, objects) => {
        const { replicas = 0, desired = replicas } = writeAutoscalerStatus(autoscaler, objects);
        return replicas === desired ? `${replicas}` : `${replicas}→${desired}`;
      },
    },
    {
      name: "State",
      type: "string",
      description: "Its state, or why it does not scale, in one word.",
      cell: wordText,
    },
  ],
});
