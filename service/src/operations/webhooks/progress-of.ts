import type { Progress } from '../../domain/stores/stores.ts'
import { backOff, FAILING_MAX, GONE, isDelivered, retryAt, type SendResult } from '../../domain/webhooks/delivery.ts'
import type { DisabledReason, Webhook } from '../../domain/webhooks/webhook.ts'
import type { Context } from '../context.ts'
import type { Messages } from './next-messages.ts'

/** Long enough for one delivery that times out, and the transaction after it. */
export const LEASE_MS = 30_000

/**
 * What the results of deliveries that were sent at once mean for the endpoint. One success proves that it works; if all
 * failed, it gets nothing until a back-off has passed.
 */
export function progressOf(
  ctx: Pick<Context, 'now' | 'random'>,
  webhook: Webhook,
  { events, moves, vanished }: Messages,
  results: readonly SendResult[],
): Progress {
  const now = ctx.now()
  const sent = events.map((message, at) => ({ ...message, result: results[at] as SendResult }))
  const failed = sent.filter(({ result }) => !isDelivered(result))
  const works = failed.length < sent.length || sent.length === 0
  const failures = works ? 0 : webhook.failures + 1
  const failingSince = works ? (sent.length === 0 ? webhook.failingSince : null) : (webhook.failingSince ?? now)
  const disabledReason = works ? undefined : reasonToDisable(failed, now - (failingSince ?? now))
  const longestWait = Math.max(0, ...failed.map(({ result }) => result.retryAfterMs ?? 0))
  const retries = failed.map(({ event, attempt, result }) => ({
    eventId: event.id,
    attempt,
    dueAt: retryAt(attempt, now, result.retryAfterMs, fraction(ctx)),
  }))
  const settled = new Set([...vanished, ...sent.map(({ event }) => event.id)])
  for (const { eventId, dueAt } of retries) if (dueAt !== null) settled.delete(eventId)
  return {
    ...moves,
    failingSince,
    failures: sent.length === 0 ? webhook.failures : failures,
    ...(disabledReason === undefined ? {} : { disabledReason }),
    attempts: sent.map(({ event, attempt, result: { status, ms, error } }) => ({
      ...{ eventId: event.id, attempt, at: now },
      ...{ status, ms, error },
    })),
    retries: retries.flatMap(({ dueAt, ...retry }) => (dueAt === null ? [] : [{ ...retry, dueAt }])),
    settled: [...settled],
    lease: works ? { until: now + LEASE_MS } : { nextLookAt: now + backOff(failures, longestWait) },
  }
}

function reasonToDisable(
  failed: readonly { readonly result: SendResult }[],
  failingFor: number,
): DisabledReason | undefined {
  if (failed.some(({ result }) => result.status === GONE)) return 'gone'
  return failingFor >= FAILING_MAX ? 'failing' : undefined
}

const fraction = ({ random }: Pick<Context, 'random'>): number => Buffer.from(random(4)).readUInt32BE() / 2 ** 32
