import {
  DEFAULT_WEBHOOK_KINDS,
  TIER_LIMITS,
  WEBHOOK_TESTS_PER_HOUR,
  type WebhookKind,
} from '@gatehouse-auth/contract'
import { ApiError, invalidRequest } from '../../domain/api-error.ts'
import type { AuthEvent } from '../../domain/events/auth-event.ts'
import type { WebhookId } from '../../domain/ids.ts'
import type { NewWebhook, TransactionStores, WebhookChanges } from '../../domain/stores/stores.ts'
import type { Author } from '../../domain/tenants/audit.ts'
import { requireTenantAccess, type Tenant, tierOf } from '../../domain/tenants/tenant.ts'
import type { Instant } from '../../domain/time.ts'
import { randomBase62 } from '../../domain/tokens/random-text.ts'
import type { SendResult } from '../../domain/webhooks/delivery.ts'
import {
  historyKinds,
  isSameCreation,
  isWebhookId,
  mintWebhookSecret,
  newWebhookId,
  readWebhookUrl,
  SECRET_OVERLAP_MS,
  sealWebhookSecret,
  unsealWebhookSecret,
  type Webhook,
  type WebhookRef,
  type WebhookSettings,
  webhookIdFrom,
} from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import { type HourlyLimit, limitByTenant } from '../limits/limit-requests.ts'
import { recordAction } from '../tenants/audit.ts'
import { withAdvice } from '../unknown-outcome.ts'
import { signDelivery, signingKeys } from './signing.ts'

interface WebhookRequest {
  readonly url: string
  readonly events: readonly WebhookKind[] | undefined
  readonly idempotencyKey: string | null
}

interface CreatedWebhook {
  readonly webhook: DescribedWebhook
  readonly secret: string
}

const CREATE_ADVICE =
  'The webhook may have been added, without its secret in a response. List the webhooks with GET /api/webhooks; delete it if it is there, and add it again.'

/** Adds an endpoint that gets every event after the last one of now. With the same key again, returns the same one. */
export async function createWebhook(
  ctx: Context,
  tenant: Tenant,
  request: WebhookRequest,
  author: Author,
): Promise<CreatedWebhook> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const url = requireWebhookUrl(ctx, request.url)
  const settings = { url, events: [...new Set(request.events ?? DEFAULT_WEBHOOK_KINDS)] }

  const [id = newWebhookId(ctx.random), ...olderIds] = idsFromKey(ctx, tenant, request)
  const ref = { tenantId: tenant.id, id }
  const secret = mintWebhookSecret(ctx.random)
  const sealed = sealWebhookSecret(ctx.keyring, ref, secret, ctx.random)

  const creating = ctx.stores.confirmedTransaction(async (stores): Promise<CreatedWebhook> => {
    // A key that was used before a rotation of the master key has another hash.
    for (const olderId of olderIds) {
      const older = { tenantId: tenant.id, id: olderId }
      if ((await stores.webhooks.find(older)) !== null) {
        return repeatCreation(ctx, stores, older, settings)
      }
    }

    const cursor = await stores.eventCounts.lastEventId(tenant.id)
    const limit = TIER_LIMITS[tierOf(tenant)].webhooks
    const webhook: NewWebhook = {
      tenantId: tenant.id,
      id,
      url,
      events: settings.events,
      sealed,
      cursor,
      createdAt: now,
    }
    const added = await stores.webhooks.add(webhook, limit)
    if (added === 'exists') {
      return repeatCreation(ctx, stores, ref, settings)
    }
    if (added === 'limit') {
      throw tooMany(tenant, limit)
    }

    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'webhook.created',
      target: id,
      at: now,
    })
    return { webhook: await describeWebhook(stores, ref), secret }
  })

  // With a key a retry gets the same endpoint and secret.
  return request.idempotencyKey === null ? withAdvice(CREATE_ADVICE, creating) : creating
}

/** The ids that an endpoint with this idempotency key can have, one for each master key, the current one first. */
function idsFromKey(
  { keyring }: Pick<Context, 'keyring'>,
  tenant: Tenant,
  { idempotencyKey }: WebhookRequest,
): WebhookId[] {
  if (idempotencyKey === null) {
    return []
  }
  const hashes = keyring.hashes('idempotency', `${tenant.id}\0${idempotencyKey}`)
  return hashes.map(webhookIdFrom)
}

/** The response to a creation that was sent again, for example after a lost response. */
async function repeatCreation(
  ctx: Pick<Context, 'keyring' | 'now'>,
  stores: Pick<TransactionStores, 'webhooks'>,
  ref: WebhookRef,
  settings: WebhookSettings,
): Promise<CreatedWebhook> {
  const webhook = await describeWebhook(stores, ref)
  const secret = unsealWebhookSecret(ctx.keyring, ref, webhook.sealed)
  if (secret !== null && isSameCreation(webhook, settings, ctx.now())) {
    return { webhook, secret }
  }

  const problem =
    'It was used for a webhook with another URL or other events, or more than a day ago. Send a new one.'
  throw invalidRequest('This Idempotency-Key was used before.', [
    { path: 'Idempotency-Key', problem },
  ])
}

function requireWebhookUrl({ baseUrl }: Pick<Context, 'baseUrl'>, text: string): string {
  const read = readWebhookUrl(text, baseUrl)
  if (!read.ok) {
    throw new ApiError('webhookUrlRefused', `A webhook cannot be sent to this URL. ${read.problem}`)
  }
  return read.url
}

function tooMany({ owner }: Tenant, limit: number): ApiError {
  const more =
    owner === null
      ? 'Delete one first, or claim the tenant for more: POST /api/claim/url.'
      : 'Delete one first.'
  const has = `This tenant has ${limit} webhook${limit === 1 ? '' : 's'}, as many as its tier includes.`
  return new ApiError('webhookLimit', `${has} ${more}`, { details: { limit } })
}

/** An endpoint and how many of its deliveries wait for a retry. */
export interface DescribedWebhook extends Webhook {
  readonly waitingRetries: number
}

export async function listWebhooks(ctx: Context, tenant: Tenant): Promise<DescribedWebhook[]> {
  requireTenantAccess(tenant, 'read', ctx.now())
  const retries = await ctx.stores.webhooks.countRetries(tenant.id)
  const webhooks = await ctx.stores.webhooks.listByTenant(tenant.id)
  return webhooks.map((webhook) => ({ ...webhook, waitingRetries: retries.get(webhook.id) ?? 0 }))
}

export async function readWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
): Promise<DescribedWebhook> {
  requireTenantAccess(tenant, 'read', ctx.now())
  return describeWebhook(ctx.stores, refOf(tenant, id))
}

/** Throws `webhookNotFound`. */
export async function describeWebhook(
  { webhooks }: Pick<TransactionStores, 'webhooks'>,
  ref: WebhookRef,
): Promise<DescribedWebhook> {
  const webhook = await webhooks.find(ref)
  if (webhook === null) {
    throw webhookNotFound()
  }

  const retries = await webhooks.countRetries(ref.tenantId)
  return { ...webhook, waitingRetries: retries.get(ref.id) ?? 0 }
}

interface WebhookChange {
  readonly url: string | undefined
  readonly events: readonly WebhookKind[] | undefined
  readonly active: boolean | undefined
}

/** Changes the given fields. An endpoint that is enabled again, or has another URL, gets what waits at once. */
export async function changeWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
  { url: requested, events, active }: WebhookChange,
  author: Author,
): Promise<DescribedWebhook> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const url = requested === undefined ? undefined : requireWebhookUrl(ctx, requested)

  return ctx.stores.transaction(async (stores) => {
    const webhook = await lockWebhook(stores, tenant, id)
    const names: string[] = []
    let changes: WebhookChanges = { nextLookAt: now }
    if (url !== undefined) {
      names.push('url')
      changes = { ...changes, url, failingSince: null, failures: 0 }
    }
    if (events !== undefined) {
      names.push('events')
      const cursor = await cursorForNewKinds(stores, tenant, webhook)
      changes = { ...changes, events: [...new Set(events)], cursor }
    }
    if (active === true) {
      names.push('status')
      changes = { ...changes, disabledReason: null, failingSince: null, failures: 0 }
    }
    if (active === false) {
      names.push('status')
      changes = { ...changes, disabledReason: 'owner' }
    }

    await stores.webhooks.change(webhook, changes)
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'webhook.changed',
      target: [webhook.id, ...names].join(' '),
      at: now,
    })
    return describeWebhook(stores, webhook)
  })
}

/**
 * The cursor is the last event that was sent, so newly chosen kinds would start in the past. If nothing of the former kinds
 * waits, they start now.
 */
async function cursorForNewKinds(
  stores: TransactionStores,
  tenant: Tenant,
  webhook: Webhook,
): Promise<number> {
  const last = await stores.eventCounts.lastEventId(tenant.id)
  const waiting = await firstWaitingEvent(stores, webhook)
  return waiting === null || waiting.id > last ? last : webhook.cursor
}

async function firstWaitingEvent(
  stores: TransactionStores,
  webhook: Webhook,
): Promise<AuthEvent | null> {
  const resource = await stores.resources.findActive(webhook.tenantId)
  const kinds = historyKinds(webhook)
  if (resource === null || kinds.length === 0) {
    return null
  }

  const [first] = await stores.events.page(resource, { after: webhook.cursor, limit: 1, kinds })
  return first ?? null
}

const ROTATE_ADVICE =
  'The secret may have been replaced; the one before still signs for 24 hours. Rotate it again to get a secret that you know.'

/** The previous secret also signs for a day. The one before it stops signing at once. */
export async function rotateWebhookSecret(
  ctx: Context,
  tenant: Tenant,
  id: string,
  author: Author,
): Promise<{ readonly secret: string; readonly previousUntil: Instant }> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const secret = mintWebhookSecret(ctx.random)
  const previousUntil = now + SECRET_OVERLAP_MS
  const rotating = ctx.stores.confirmedTransaction(async (stores) => {
    const webhook = await lockWebhook(stores, tenant, id)
    const sealed = sealWebhookSecret(ctx.keyring, webhook, secret, ctx.random)
    await stores.webhooks.change(webhook, {
      sealed,
      previousSealed: webhook.sealed,
      previousUntil,
      nextLookAt: now,
    })
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'webhook.secret_rotated',
      target: webhook.id,
      at: now,
    })
  })
  await withAdvice(ROTATE_ADVICE, rotating)
  return { secret, previousUntil }
}

export async function deleteWebhook(
  ctx: Context,
  tenant: Tenant,
  id: string,
  author: Author,
): Promise<void> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  await ctx.stores.transaction(async (stores) => {
    const ref = refOf(tenant, id)
    if (!(await stores.webhooks.remove(ref))) {
      throw webhookNotFound()
    }
    await recordAction(stores, {
      tenantId: tenant.id,
      author,
      action: 'webhook.deleted',
      target: ref.id,
      at: now,
    })
  })
}

/** Prevents that a key makes this service send any number of requests to a URL that it chose. */
const TEST_LIMIT: HourlyLimit = {
  scope: 'webhook-tests',
  perHour: WEBHOOK_TESTS_PER_HOUR,
  action: 'test its webhooks',
}

/** Sends one message now. Neither a failure nor a success changes the endpoint. */
export async function testWebhook(ctx: Context, tenant: Tenant, id: string): Promise<SendResult> {
  const now = ctx.now()
  requireTenantAccess(tenant, 'use', now)
  const webhook = await requireWebhook(ctx.stores, tenant, id)
  await ctx.stores.transaction((stores) => limitByTenant(stores, TEST_LIMIT, tenant, now))
  const message = {
    id: `msg_${tenant.id}_test_${randomBase62(12, ctx.random)}`,
    body: ctx.webhooks.testBody(tenant.id, now),
  }
  // Without its secret, an endpoint is disabled at the next delivery; an unsigned test shows that it can be reached.
  const keys = signingKeys(ctx, webhook) ?? []
  const result = await ctx.webhooks.send(signDelivery(ctx, webhook, keys, message), NEVER)
  await ctx.stores.deliveryLog.append(webhook, {
    type: 'webhook.test',
    eventId: null,
    attempt: 1,
    at: now,
    status: result.status,
    ms: result.ms,
    error: result.error,
  })
  return result
}

const NEVER = new AbortController().signal

const webhookNotFound = (): ApiError =>
  new ApiError(
    'webhookNotFound',
    'This tenant has no webhook with this id. List them: GET /api/webhooks.',
  )

type WithWebhooks = Pick<TransactionStores, 'webhooks'>

/** The endpoint of this tenant with the id from a path. */
export async function requireWebhook(
  { webhooks }: WithWebhooks,
  tenant: Tenant,
  id: string,
): Promise<Webhook> {
  const webhook = await webhooks.find(refOf(tenant, id))
  if (webhook === null) {
    throw webhookNotFound()
  }
  return webhook
}

/** As `requireWebhook`, and locks it until the transaction ends. */
export async function lockWebhook(
  { webhooks }: WithWebhooks,
  tenant: Tenant,
  id: string,
): Promise<Webhook> {
  const webhook = await webhooks.lock(refOf(tenant, id))
  if (webhook === null) {
    throw webhookNotFound()
  }
  return webhook
}

/** Throws if the text is no id, before it reaches a query. */
function refOf(tenant: Tenant, id: string): WebhookRef {
  if (!isWebhookId(id)) {
    throw webhookNotFound()
  }
  return { tenantId: tenant.id, id }
}
