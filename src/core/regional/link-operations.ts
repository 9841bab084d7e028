/**
 * Operation ids of the exchange. Reports and terms carry their own order, so their ids only tell
 * attempts apart for people.
 */
import { type OperationId, operationId } from "../model/ids.ts";
import type { PlaneRole } from "../model/regional/plane.ts";
import type { RegionReport, RegionTerms } from "../protocol/region-exchange.ts";

export const incarnateOperation = (plane: PlaneRole, incarnation: number): OperationId =>
  operationId(
    `incarnate/${plane.role === "global" ? "global" : `regional/${plane.region}`}/${incarnation}`,
  );

export const hearOperation = (report: RegionReport): OperationId => {
  const { region, incarnation, epoch, revision, askedMs } = report;
  return operationId(`hear/${region}/${incarnation}/${epoch}.${revision}/${askedMs}`);
};

export const takeTermsOperation = ({
  region,
  incarnation,
  global,
  heard,
  asked,
  objectsTo,
}: RegionTerms): OperationId =>
  operationId(
    `take-terms/${region}/${incarnation}/${global}/${heard.epoch}.${heard.revision}/${asked.epoch}.${asked.ms}/${objectsTo}`,
  );
