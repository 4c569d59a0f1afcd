import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { Config } from './config.ts'
import { PRIVACY_PATH } from './domain/accounts/person.ts'
import { isLoopback } from './domain/callbacks/host.ts'
import { defined } from './domain/defined.ts'
import { lazy } from './domain/lazy.ts'
import { Revocations } from './domain/revocation/revocations.ts'
import type { CommittedEvents } from './domain/stores/stores.ts'
import { AgreedClock } from './domain/time.ts'
import { AccessTokenReader } from './domain/tokens/access-token-reader.ts'
import { IdTokens } from './domain/tokens/id-token.ts'
import type { Keyring } from './domain/tokens/keyring.ts'
import type { HandledRequest, HttpDependencies } from './http/dependencies.ts'
import { fastPaths } from './http/edge/fast-path/fast-path.ts'
import { webhookBodies } from './http/event-views.ts'
import { healthChecks } from './http/health.ts'
import { Metrics } from './http/metrics/metrics.ts'
import {
  type FailRequest,
  failCurrentRequest,
  failedRequestHandler,
} from './http/server/failed-request.ts'
import { inProcessFetch } from './http/server/in-process-fetch.ts'
import { type DevProviderMount, type HttpServer, httpServer } from './http/server/server.ts'
import { closeSlowReaders, ignoreDestroyedSockets } from './http/server/slow-readers.ts'
import { StallDetector } from './http/server/stall-detector.ts'
import { clientDocuments } from './identity/client-metadata-documents.ts'
import { domainProbe } from './identity/domain-probe.ts'
import type { TestNetwork } from './identity/public-https.ts'
import { webhookSender } from './identity/webhook-sender.ts'
import { identityFor, providerOrigins } from './identity-for.ts'
import { openKeyring } from './keys.ts'
import type { ServiceLog } from './log.ts'
import type { Context } from './operations/context.ts'
import { SigningKeys } from './operations/issuer/signing-keys.ts'
import { InvalidRequestLimit } from './operations/limits/limit-requests.ts'
import { SHARES, TenantQueues } from './operations/limits/tenant-queues.ts'
import { OperationCounts } from './operations/operation-counts.ts'
import { ProviderDirectory } from './operations/providers/provider-directory.ts'
import { SharedClientFaults } from './operations/providers/shared-client-faults.ts'
import { failoverRecovery } from './operations/sessions/recover-from-failover.ts'
import { Signals } from './operations/signals.ts'
import { sweep } from './operations/sweep.ts'
import { RequestLog } from './operations/tenants/observability.ts'
import { TenantDirectory } from './operations/tenants/tenant-directory.ts'
import { Deliverer } from './operations/webhooks/deliverer.ts'
import { KeyUses, RefusalLog } from './operations/write-behind.ts'
import { locateDatabase } from './storage/database-location.ts'
import { profileOf } from './storage/engine.ts'
import { openStorage, type Storage } from './storage/open.ts'
import type { StorageTiming } from './storage/timing.ts'

/** Readiness fails when the revocation feed is older than this, or than half of VERIFY_STALE_SECONDS, before verify fails. */
const NOT_READY_STALE_MS = 15_000
/** Readiness fails when the clock differs from the database's by more than this. */
const NOT_READY_SKEW_MS = 30_000
const LOST_WRITE =
  'fsync failed: exiting, because the database file must be reopened to see what was written'

interface AppOptions {
  readonly config: Config
  readonly log: ServiceLog
  readonly now?: () => number
  readonly random?: (bytes: number) => Uint8Array
  /** Called when an fsync fails, or a file of the program can't be read. The process must exit without another response. */
  readonly mustExit?: (reason: string, error: unknown) => void
  /** Tests connect public names to local servers. */
  readonly network?: TestNetwork
  /** Deadlines of the storage; tests on a busy machine use longer ones. */
  readonly timing?: Partial<StorageTiming>
  /** The number of this worker process. */
  readonly worker?: string
  /** Runs when a stop has closed the port of this worker. Resolves when the other workers have closed it, too. */
  readonly workersClosed?: () => Promise<void>
}

export interface App {
  readonly server: Server
  readonly ctx: Context
  readonly storage: Storage
  /**
   * Handles a request without a socket, on the same routes, the development Google's included. The request has no client
   * address (`http/server/in-process-fetch.ts`), and `close` does not wait for it.
   */
  fetch(request: Request): Promise<Response>
  /** Deletes expired rows and finishes interrupted deletions, once. */
  sweep(): Promise<void>
  /** Logs and counts an exception that reached no error handler, and responds 500 to its request. Keeps serving. */
  uncaught(error: unknown): void
  /** Delivers webhooks in the background, until `close`. */
  startDelivering(): void
  /** Delivers every webhook that is due, once. */
  deliver(): Promise<void>
  /** Writes queued request records to the database now. */
  flush(): Promise<void>
  /**
   * Fails readiness, serves for another STOP_AFTER_MS, then closes the port, ends long polls, drains running requests, and
   * closes the database.
   */
  close(): Promise<void>
}

/** The composition root: the only file that imports from every folder. The returned server is not listening yet. */
export async function openApp(options: AppOptions): Promise<App> {
  const clock = new AgreedClock(Date.now)
  const { config, log, now = clock.now, mustExit = () => {} } = options
  const memory: Memory = {
    revocations: new Revocations(),
    signals: new Signals(),
    deliverer: null,
    // Before the first request there is nothing in memory to compare with the database.
    recover: () => {},
  }
  const storage = await openStorage({
    database: locateDatabase(config),
    now,
    clockMeasured: (skewMs) => adjustClock(clock, skewMs, log),
    publish: (events) => applyEvents(memory, events),
    warn: log.warn,
    databaseReplaced: () => memory.recover(),
    lostWrite: (error) => mustExit(LOST_WRITE, error),
    ...defined({ timing: options.timing }),
  })
  try {
    const keyring = await openKeyring(config, storage.keyChecks)
    // Before the first request: without the revocations from before the restart, verify would accept revoked tokens.
    await storage.follow()
    return startApp(options, { storage, keyring, memory, now })
  } catch (error) {
    await storage.close()
    throw error
  }
}

/** What this process knows from the database, and changes with the events of every commit. */
interface Memory {
  readonly revocations: Revocations
  readonly signals: Signals
  deliverer: Deliverer | null
  /** Called when the database was replaced. */
  recover: () => void
}

function applyEvents(memory: Memory, events: CommittedEvents): void {
  for (const revocation of events.revocations) {
    memory.revocations.apply(revocation)
  }
  for (const tenantId of events.changedTenants) {
    memory.signals.wake(tenantId)
  }
  for (const { tenantId, kinds } of events.deliverable) {
    memory.deliverer?.wake(tenantId, kinds)
  }
}

function adjustClock(clock: AgreedClock, skewMs: number, log: ServiceLog): void {
  if (!clock.adjust(skewMs)) {
    return
  }
  const seconds = (skewMs / 1_000).toFixed(1)
  log.warn(
    `this machine's clock is ${seconds} s away from the database's; using the database's time`,
  )
}

interface Opened {
  readonly storage: Storage
  readonly keyring: Keyring
  readonly memory: Memory
  readonly now: () => number
}

function startApp(options: AppOptions, opened: Opened): App {
  const { storage, memory } = opened
  const { ctx, devProvider } = createContext(options, opened)

  const closed = new AbortController()
  memory.recover = failoverRecovery(ctx, closed.signal)

  const deliverer = new Deliverer(ctx)
  memory.deliverer = deliverer

  const running: Running = {
    options,
    storage,
    memory,
    ctx,
    devProvider,
    deliverer,
    stallDetector: new StallDetector(() => storage.catchUp()),
    requestLog: new RequestLog(storage.stores.requestRecords, options.log),
    metrics: createMetrics(options, { storage, memory, ctx, deliverer }),
    closing: false,
    closed,
  }
  const { server, fetch, fail, drain } = serveHttp(running)

  return {
    server,
    ctx,
    storage,
    fetch,
    sweep: singleSweep(running),
    uncaught: (error) => reportUncaught(running, fail, error),
    startDelivering: () => deliverer.start(),
    deliver: () => deliverer.settle(),
    flush: () => flush(running),
    close: () => close(running, drain),
  }
}

/** What the parts of a running app share. */
interface Running {
  readonly options: AppOptions
  readonly storage: Storage
  readonly memory: Memory
  readonly ctx: Context
  readonly devProvider: DevProviderMount | null
  readonly deliverer: Deliverer
  readonly stallDetector: StallDetector
  readonly requestLog: RequestLog
  readonly metrics: Metrics
  /** True once `close` was called. */
  closing: boolean
  /** Aborted when nothing of this app may run any more. */
  readonly closed: AbortController
}

/** The HTTP server with its routes, health checks and fast paths. It does not listen yet. */
function serveHttp(running: Running) {
  const { options, devProvider, metrics } = running
  const { config, log, mustExit = () => {} } = options
  const { baseUrl } = config

  const deps = httpDependencies(running)
  const readiness = (): Promise<string[]> => reasonsNotReady(running)
  const record = (request: HandledRequest): void => recordRequest(running, request)

  const countedFailure = failedRequestHandler(baseUrl, log, record)
  const fail: FailRequest = (req, res, error, route) => {
    metrics.observeUncaught()
    countedFailure(req, res, error, route)
  }

  // With the first request that needs them: routes and framework are a fifth of a start and a tenth of its memory.
  const routes = lazy(async () => {
    const { router, listenerOf } = await importRouter(mustExit)
    const app = router(deps, { readiness, record, metrics: () => metrics.text() })
    return { fetch: app.fetch, listener: listenerOf(app) }
  })

  const { server, serve, drain } = httpServer({ keepAliveMs: config.keepAliveSeconds * 1_000 })
  closeSlowReaders(server)

  const hostRule = { baseUrl, exposed: config.exposedDevelopmentSignIn }
  serve({
    routes,
    health: healthChecks(baseUrl, readiness, { record, fail }),
    hostRule,
    devProvider,
    fastPaths: [ignoreDestroyedSockets, ...fastPaths(deps, record, fail)],
    fail,
  })
  return { server, drain, fail, fetch: inProcessFetch(routes, devProvider, hostRule) }
}

function httpDependencies({ options, ctx, stallDetector }: Running): HttpDependencies {
  const { config } = options
  return {
    ctx,
    stallDetector,
    invalidRequests: new InvalidRequestLimit(ctx.now),
    trustedProxies: config.trustedProxies,
    development: config.google === null,
    exposedDevelopmentSignIn: config.exposedDevelopmentSignIn,
    providerOrigins: providerOrigins(config),
    operator: { ...config.operator, privacyUrl: config.operator.privacyUrl ?? PRIVACY_PATH },
  }
}

/** Logs and counts a request that was handled; the owner of a tenant also sees it in the console. */
function recordRequest(
  { options, storage, ctx, metrics, requestLog }: Running,
  request: HandledRequest,
): void {
  options.log.request(request)
  metrics.observe(request)
  if (request.status === 503) {
    storage.requestFailed()
  }

  const { ownedTenantId: tenantId, method, route, status, ms, requestId } = request
  if (tenantId !== undefined) {
    requestLog.add({ tenantId, at: ctx.now(), method, route, status, ms, requestId })
  }
}

/** One sweep at a time: one with a backlog takes longer than the minute until the next. */
function singleSweep({ ctx, storage }: Running): App['sweep'] {
  let sweeping: Promise<void> | undefined

  return async () => {
    // One of the two clocks is wrong; sweeping by the wrong one would delete rows that have not expired.
    if (clocksDiffer(storage)) {
      return
    }

    sweeping ??= sweep(ctx).finally(() => {
      sweeping = undefined
    })
    await sweeping
  }
}

function reportUncaught({ options, metrics }: Running, fail: FailRequest, error: unknown): void {
  if (failCurrentRequest(fail, error)) {
    return
  }

  metrics.observeUncaught()
  options.log.error('uncaught error outside of any request', error)
}

async function flush({ ctx, requestLog }: Running): Promise<void> {
  await requestLog.flush()
  await ctx.refusals.flush()
  await ctx.keyUses.flush()
}

async function close(running: Running, drain: HttpServer['drain']): Promise<void> {
  const { options, storage, memory, ctx, deliverer, requestLog } = running
  const { config, workersClosed = async () => {} } = options
  running.closing = true

  const portClosed = (): void => {
    // Not before: the clients of a long poll that ends would send the next one to this instance.
    memory.signals.close()
  }
  await Promise.all([
    drain({ afterMs: config.stopAfterMs, workersClosed, portClosed }),
    deliverer.close(),
  ])

  running.metrics.close()
  running.stallDetector.close()
  await requestLog.close()
  await ctx.refusals.close()
  await ctx.keyUses.close()
  running.closed.abort()
  await storage.close()
}

function createContext(
  { config, log, random = randomBytes, network }: AppOptions,
  { storage, keyring, memory, now }: Opened,
): { readonly ctx: Context; readonly devProvider: DevProviderMount | null } {
  const identity = identityFor(config, { now, network })
  const loopback = isLoopback(new URL(config.baseUrl))
  const reach = { loopback, network: network ?? {} }
  const warn = (message: string, error?: unknown): void => log.warn(message, error)
  const ctx: Context = {
    stores: storage.stores,
    identity: identity.identity,
    providers: new ProviderDirectory(identity, keyring, now),
    sharedClientFaults: new SharedClientFaults(),
    testProfile: identity.testProfile,
    keyring,
    accessTokens: new AccessTokenReader(keyring, config.baseUrl),
    idTokens: new IdTokens(keyring),
    signingKeys: new SigningKeys({ stores: storage.stores, keyring, random, now }),
    clientDocuments: usesClientDocuments(config)
      ? clientDocuments({ now, warn: log.warn, https: reach.network })
      : null,
    revocations: memory.revocations,
    isRevocationFeedStale: () => isRevocationFeedStale(config, storage),
    isDatabaseSilent: () => storage.staleForMs() > 0,
    signals: memory.signals,
    directory: new TenantDirectory(storage.stores, now),
    now,
    random,
    baseUrl: config.baseUrl,
    profile: profileOf(storage.engine),
    webhooks: { ...webhookBodies, send: webhookSender({ now, ...reach }) },
    probeDomain: domainProbe(reach),
    operatorName: config.operator.name,
    log,
    counts: new OperationCounts(),
    refusals: new RefusalLog(storage.stores.refusals, warn, now),
    keyUses: new KeyUses(storage.stores.tenants, warn),
    queues: new TenantQueues(SHARES),
    accessTokenSeconds: config.accessTokenSeconds,
    unlimited: config.unlimited,
    eventRetentionDays: config.eventRetentionDays,
    agentRefreshGraceMs: config.agentRefreshGraceSeconds * 1_000,
  }
  return { ctx, devProvider: identity.devProvider }
}

/** How old the revocations may be before verify fails: never too old, unless VERIFY_STALE_POLICY is closed. */
const verifyStaleMs = ({ verifyStalePolicy, verifyStaleSeconds }: Config): number =>
  verifyStalePolicy === 'closed' ? verifyStaleSeconds * 1_000 : Number.POSITIVE_INFINITY

/** Verify asks at every call, so the policy that needs no clock is answered first. */
function isRevocationFeedStale(config: Config, storage: Storage): boolean {
  if (config.verifyStalePolicy === 'open') {
    return false
  }
  return Math.max(storage.staleForMs(), storage.unprovenForMs()) > verifyStaleMs(config)
}

async function reasonsNotReady({ options, storage, closing }: Running): Promise<string[]> {
  const { config } = options
  const notReadyMs = Math.min(NOT_READY_STALE_MS, verifyStaleMs(config) / 2)

  const reasons: string[] = []
  if (closing) {
    reasons.push('shutting down')
  }
  if (storage.staleForMs() > notReadyMs) {
    reasons.push('revocations are out of date')
  }
  if (config.verifyStalePolicy === 'closed' && storage.unprovenForMs() > notReadyMs) {
    reasons.push('it is unknown which PostgreSQL server is the primary')
  }
  if (clocksDiffer(storage)) {
    reasons.push('the clock differs from the database')
  }

  const problem = await storage.problem()
  if (problem !== null) {
    reasons.push(problem)
  }
  return reasons
}

const clocksDiffer = (storage: Storage): boolean =>
  Math.abs(storage.clockSkewMs()) > NOT_READY_SKEW_MS

interface Measured {
  readonly storage: Storage
  readonly memory: Memory
  readonly ctx: Context
  readonly deliverer: Deliverer
}

function createMetrics(
  { config, worker = '1' }: AppOptions,
  { storage, memory, ctx, deliverer }: Measured,
): Metrics {
  const measure = () => ({
    revocations: memory.revocations.size,
    staleForMs: storage.staleForMs(),
    clockSkewMs: storage.clockSkewMs(),
    timeline: storage.timeline(),
    primaries: storage.primaries(),
    pool: storage.poolStats(),
    replication: storage.replicationStats(),
    counts: ctx.counts,
    webhooks: deliverer.backlog,
  })
  // A scrape reaches any of the workers on the port, so the label keeps their series apart.
  const labels = config.workers === 1 ? {} : { worker }
  return new Metrics(measure, labels)
}

async function importRouter(mustExit: NonNullable<AppOptions['mustExit']>) {
  try {
    return await import('./http/router.ts')
  } catch (error) {
    mustExit('a file of the program cannot be read: exiting', error)
    throw error
  }
}

/** Client metadata documents are fetched only by a public service; a local one may be offline, and clients register. */
const usesClientDocuments = ({ baseUrl, clientMetadataDocuments }: Config): boolean =>
  clientMetadataDocuments && baseUrl.startsWith('https:') && !isLoopback(new URL(baseUrl))
