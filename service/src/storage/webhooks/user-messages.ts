import type { WebhookKind } from '@gatehouse-auth/contract'
import type { Kysely } from 'kysely'
import type { TenantId, WebhookId } from '../../domain/ids.ts'
import type { Progress, UserMessageStore } from '../../domain/stores/stores.ts'
import type { Instant } from '../../domain/time.ts'
import type { UserMessage } from '../../domain/webhooks/delivery.ts'
import type { WebhookRef } from '../../domain/webhooks/webhook.ts'
import type { Access, RecordedMessage, TransactionAccess } from '../access.ts'
import { camelCase } from '../columns.ts'
import type { Slots } from '../slots.ts'
import { statement } from '../statement.ts'
import { sweepExpired } from '../sweep-expired.ts'
import type { Tables } from '../tables/tables.ts'

const KEY = ['tenant_id', 'user_id', 'webhook_id', 'kind'] as const

export function userMessageStore(access: Access): UserMessageStore {
  return {
    async record(tenantId, kind, users, now) {
      await access.inTransaction(async ({ messages }) => {
        messages.push({ tenantId, kind, users, at: now })
      })
    },

    async due(ref, now, limit) {
      const rows = await due.rows(access.read, { ref, now, limit })
      return rows.map(camelCase)
    },

    sweep: sweepExpired(access, 'webhook_messages', { key: KEY, where: ['at_ms', '<'] }),
  }
}

/**
 * Writes the messages that the transaction has recorded, by ascending user and endpoint. Deliveries are saved in this order
 * too: otherwise the two could wait for each other.
 */
export async function writeMessages(open: TransactionAccess): Promise<void> {
  const endpointsByTenant = new Map<TenantId, readonly Endpoint[]>()
  for (const tenantId of new Set(open.messages.map((message) => message.tenantId))) {
    endpointsByTenant.set(tenantId, await lockEndpoints(open, tenantId))
  }

  const byUser = open.messages.toSorted((a, b) => firstUserOf(a) - firstUserOf(b))
  for (const message of byUser) {
    await writeMessage(open, message, endpointsByTenant.get(message.tenantId) ?? [])
  }
}

interface Endpoint {
  readonly id: WebhookId
  readonly events: readonly WebhookKind[]
}

const firstUserOf = ({ users }: RecordedMessage): number => users[0]?.id ?? 0

/** On PostgreSQL, the deletion of an endpoint waits for this transaction, or this finds the endpoint deleted. */
async function lockEndpoints(
  { engine, read }: TransactionAccess,
  tenantId: TenantId,
): Promise<Endpoint[]> {
  const statement = engine === 'postgres' ? listEndpointsLocked : listEndpoints
  const rows = await statement.rows(read, { tenantId })
  return rows.map(({ id, events }) => ({ id, events: JSON.parse(events) as WebhookKind[] }))
}

async function writeMessage(
  { write, pendingEvents }: TransactionAccess,
  { tenantId, kind, users, at }: RecordedMessage,
  endpoints: readonly Endpoint[],
): Promise<void> {
  // The last message about a user: nothing else of the user is sent any more.
  if (kind === 'user.deleted') {
    const userIds = users.map(({ id }) => id)
    await write
      .deleteFrom('webhook_messages')
      .where('tenant_id', '=', tenantId)
      .where('user_id', 'in', userIds)
      .execute()
  }

  const wanting = endpoints.filter(({ events }) => events.includes(kind))
  const rows = users.flatMap((user) =>
    wanting.map((endpoint) => ({
      tenant_id: tenantId,
      webhook_id: endpoint.id,
      user_id: user.id,
      kind,
      email: user.email ?? null,
      version: 1,
      at_ms: at,
      attempt: 0,
      due_at: at,
    })),
  )
  if (rows.length === 0) {
    return
  }

  await write
    .insertInto('webhook_messages')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(KEY).doUpdateSet((eb) => ({
        version: eb('webhook_messages.version', '+', 1),
        at_ms: at,
        attempt: 0,
        due_at: at,
      })),
    )
    .execute()
  pendingEvents.deliverable.push({ tenantId, kinds: [kind] })
}

interface InTenant {
  readonly tenantId: TenantId
}

const endpointsOf = (db: Kysely<Tables>, { tenantId }: Slots<InTenant>) =>
  db.selectFrom('webhooks').select(['id', 'events']).where('tenant_id', '=', tenantId).orderBy('id')

const listEndpoints = statement((db, tenant: Slots<InTenant>) => endpointsOf(db, tenant))

const listEndpointsLocked = statement((db, tenant: Slots<InTenant>) =>
  endpointsOf(db, tenant).forKeyShare(),
)

const waitingFor = (db: Kysely<Tables>, { tenantId, id }: Slots<WebhookRef>) =>
  db
    .selectFrom('webhook_messages')
    .where('tenant_id', '=', tenantId)
    .where('webhook_id', '=', id)
    .orderBy('due_at')

const due = statement(
  (db, { ref, now, limit }: Slots<{ ref: WebhookRef; now: number; limit: number }>) =>
    waitingFor(db, ref)
      .select(['kind', 'user_id', 'email', 'version', 'attempt', 'at_ms'])
      .where('due_at', '<=', now)
      .orderBy('user_id')
      .limit(limit),
)

/** When the first waiting message is due. */
export const nextMessage = statement((db, { ref }: Slots<{ ref: WebhookRef }>) =>
  waitingFor(db, ref).select('due_at').limit(1),
)

/**
 * Saves the outcome of a delivery: the messages that failed wait for a retry, the others are deleted. A message that changed
 * during the delivery has another version, so it stays as it is and is sent again.
 */
export async function saveMessages(
  { write }: TransactionAccess,
  ref: WebhookRef,
  { messageRetries, settledMessages }: Progress,
): Promise<void> {
  const retryAt = new Map<UserMessage, Instant>(
    messageRetries.map((message) => [message, message.dueAt]),
  )
  const delivered: UserMessage[] = [...messageRetries, ...settledMessages]

  for (const message of delivered.toSorted(byUserAndKind)) {
    const key = {
      tenant_id: ref.tenantId,
      webhook_id: ref.id,
      user_id: message.userId,
      kind: message.kind,
      version: message.version,
    }
    const dueAt = retryAt.get(message)
    if (dueAt === undefined) {
      await write
        .deleteFrom('webhook_messages')
        .where((eb) => eb.and(key))
        .execute()
    } else {
      await write
        .updateTable('webhook_messages')
        .set({ attempt: message.attempt, due_at: dueAt })
        .where((eb) => eb.and(key))
        .execute()
    }
  }
}

function byUserAndKind(one: UserMessage, other: UserMessage): number {
  if (one.userId !== other.userId) {
    return one.userId - other.userId
  }
  return one.kind < other.kind ? -1 : 1
}
