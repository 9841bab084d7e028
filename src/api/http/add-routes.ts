/** The routes of a server, and what each needs beside the context that all share. */
import type { FastifyInstance } from "fastify";
import { addWorkloadIdentityRoutes } from "../identity/routes-workload-identity.ts";
import { addAuditChainRoutes } from "../routes/routes-audit-chain.ts";
import { addAccessRoutes } from "../access/routes-access.ts";
import { addAuditRoutes } from "../routes/routes-audit.ts";
import { addBackupRoutes } from "../routes/routes-backup.ts";
import { addCapacityRoutes } from "../routes/routes-capacity.ts";
import { addExchangeRoutes } from "../regions/routes-exchange.ts";
import { addCommandRoutes } from "../routes/routes-commands.ts";
import { addDecisionRoutes } from "../routes/routes-decisions.ts";
import { addExplainRoutes } from "../routes/routes-explain.ts";
import { addNodeCertificateRoutes } from "../identity/routes-node-certificates.ts";
import { addPastRoutes } from "../routes/routes-past.ts";
import { addMaintenanceRoutes } from "../routes/routes-maintenance.ts";
import { addDiscoveryRoutes } from "../routes/routes-discovery.ts";
import { addEventRoutes } from "../routes/routes-events.ts";
import { addHeartbeatRoutes } from "../routes/routes-heartbeats.ts";
import { addFleetRoutes } from "../routes/routes-fleet.ts";
import { addHealthRoutes } from "../routes/routes-health.ts";
import { addLogRoutes } from "../routes/routes-logs.ts";
import { addSessionRoutes } from "../routes/routes-sessions.ts";
import { addObjectRoutes } from "../routes/routes-objects.ts";
import { addRecordingRoutes } from "../routes/routes-recordings.ts";
import { addIncidentRoutes } from "../routes/routes-incidents.ts";
import { addPromiseRoutes } from "../routes/routes-promises.ts";
import { addProblemRoutes } from "../routes/routes-problems.ts";
import { addReserveRoutes } from "../routes/routes-reserve.ts";
import { addSampleRoutes } from "../routes/routes-samples.ts";
import { addSeriesRoutes } from "../routes/routes-series.ts";
import { addShareRoutes } from "../shares/routes-shares.ts";
import { addStreamRoutes } from "../routes/routes-stream.ts";
import { addWebRoutes } from "../routes/routes-web.ts";
import { addViewRoutes } from "../routes/routes-views.ts";
import { addSecretRoutes } from "../secrets/secret-routes.ts";
import { addSearchRoutes } from "../routes/routes-search.ts";
import type { KeptAudit } from "../audit/keep-audit.ts";
import type { DecisionHistory } from "../explain/decision-history.ts";
import type { NodeSigner } from "../identity/node-signer.ts";
import type { WorkloadIdentities } from "../identity/workload-identities.ts";
import type { SampleWindow } from "../../host/scale/sample-window.ts";
import type { PlaneTelemetry } from "../../host/telemetry/plane-telemetry.ts";
import type { PromiseWatch } from "../../promises/promise-watch.ts";
import { OBJECT_KINDS, SERVED_KINDS } from "../list/served-kinds.ts";
import type { ApiContext } from "./api-context.ts";
import type { ApiMetrics } from "./metrics.ts";

export interface RouteOptions {
  readonly signer?: NodeSigner | undefined;
  readonly identities?: WorkloadIdentities | undefined;
  readonly recordings?: string;
  readonly webFolder?: string;
}

export interface Served {
  readonly options: RouteOptions;
  readonly audit: KeptAudit | undefined;
  readonly metrics: ApiMetrics;
  readonly history: DecisionHistory;
  readonly window: SampleWindow;
  readonly telemetry: PlaneTelemetry;
  readonly promises: PromiseWatch;
}

export function addRoutes(app: FastifyInstance, context: ApiContext, served: Served): void {
  const { options, audit, metrics, history, window, telemetry, promises } = served;
  addHealthRoutes(app, context, metrics);
  addCapacityRoutes(app, context);
  addProblemRoutes(app, context);
  addPromiseRoutes(app, context, promises);
  addSeriesRoutes(app, telemetry.series);
  addHeartbeatRoutes(app, context);
  addIncidentRoutes(app, context, telemetry.breaches);
  addReserveRoutes(app, context);
  addShareRoutes(app, context);
  addDecisionRoutes(app, context);
  addExplainRoutes(app, context, history);
  addPastRoutes(app, context);
  addAuditRoutes(app, context, audit);
  addAuditChainRoutes(app, context);
  addViewRoutes(app, context, history);
  addSearchRoutes(app, context);
  addMaintenanceRoutes(app, context);
  addAccessRoutes(app, context);
  addDiscoveryRoutes(app, SERVED_KINDS);
  addObjectRoutes(app, context, OBJECT_KINDS);
  addEventRoutes(app, context, promises);
  addCommandRoutes(app, context);
  addExchangeRoutes(app, context);
  addNodeCertificateRoutes(app, context, options.signer);
  addWorkloadIdentityRoutes(app, context, options.identities);
  addSecretRoutes(app, context);
  addSampleRoutes(app, context, window);
  addStreamRoutes(app, context);
  addLogRoutes(app, context);
  addSessionRoutes(app, context);
  addBackupRoutes(app, context);
  addFleetRoutes(app, context);
  addRecordingRoutes(app, context, options.recordings);
  addWebRoutes(app, options.webFolder);
}
