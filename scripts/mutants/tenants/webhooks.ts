import type { Mutant } from '../mutant.ts'

const DELIVERY = ['service/test/webhooks/delivery.test.ts']
const TWO_DELIVERERS = ['service/test/faults/webhooks/f43-two-deliverers.test.ts']

/** Webhooks: endpoints, deliveries, and their verification. */
export const WEBHOOKS: readonly Mutant[] = [
  {
    name: 'a deliverer that lost its lease saves its results',
    file: 'service/src/storage/webhooks/save-progress.ts',
    find: "    .where('lease_until', '=', lease)\n",
    replace: '',
    tests: TWO_DELIVERERS,
  },
  {
    name: 'two deliverers lease one webhook',
    file: 'service/src/storage/webhooks/queue.ts',
    find: "        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))\n        .returningAll()",
    replace: '        .returningAll()',
    tests: TWO_DELIVERERS,
  },
  {
    name: 'a failed webhook delivery is forgotten',
    file: 'service/src/storage/webhooks/save-progress.ts',
    find: '  if (retries.length === 0) return',
    replace: '  if (retries.length >= 0) return',
    tests: DELIVERY,
  },
  {
    name: 'a webhook that answers 410 gets more',
    file: 'service/src/operations/webhooks/progress-of.ts',
    find: 'result.status === GONE',
    replace: 'result.status === GONE + 1_000',
    tests: DELIVERY,
  },
  {
    name: 'the webhooks of a paused tenant are sent',
    file: 'service/src/operations/webhooks/deliver-to.ts',
    find: "['paused', 'suspended', 'expired']",
    replace: "['expired']",
    tests: DELIVERY,
  },
  {
    name: 'the previous webhook secret signs forever',
    file: 'service/src/operations/webhooks/sign-delivery.ts',
    find: '(previousUntil ?? 0) > ctx.now()',
    replace: '(previousUntil ?? 0) > 0',
    tests: DELIVERY,
  },
  {
    name: 'an endpoint that never answers occupies the place of others',
    file: 'service/src/operations/webhooks/lanes.ts',
    find: '      return settledWithin(result, SLOW_MS)',
    replace: '      return settledWithin(result, SLOW_MS * 1_000)',
    tests: ['service/test/faults/webhooks/f44-endpoints-that-never-answer.test.ts'],
  },
  {
    name: 'webhooks of a public service reach loopback',
    file: 'service/src/identity/webhook-sender.ts',
    find: 'options.loopback && url.protocol',
    replace: 'url.protocol',
    tests: ['service/test/webhooks/ssrf.test.ts'],
  },
  {
    name: 'one public address is enough for a webhook',
    file: 'service/src/identity/public-https.ts',
    find: '!addresses.every(',
    replace: '!addresses.some(',
    tests: ['service/test/webhooks/ssrf.test.ts'],
  },
  {
    name: 'an endless response to a webhook is read',
    file: 'service/src/identity/webhook-sender.ts',
    find: '    if (length > DISCARDED_MAX_BYTES) response.destroy()',
    replace: '    clearTimeout(timer)',
    tests: ['service/test/webhooks/ssrf.test.ts'],
  },
  {
    name: 'a webhook URL may name a privileged port',
    file: 'service/src/domain/network/public-url.ts',
    find: 'Number(url.port) <= PRIVILEGED_PORT_MAX',
    replace: 'Number(url.port) < 0',
    tests: ['service/test/webhooks/endpoints.test.ts'],
  },
  {
    name: 'a tenant adds any number of webhooks',
    file: 'service/src/storage/webhooks/webhooks.ts',
    find: 'if (Number(count) >= limit) return false',
    replace: 'if (Number(count) < 0) return false',
    tests: ['service/test/webhooks/endpoints.test.ts'],
  },
  {
    name: 'the SDK accepts a webhook with any signature',
    file: 'sdk/src/webhooks/verify-webhook.ts',
    find: "await crypto.subtle.verify('HMAC', key, candidate, content)",
    replace: 'candidate.length > 0',
    tests: ['sdk/test/webhooks.test.ts'],
  },
  {
    name: 'the SDK accepts an old webhook',
    file: 'sdk/src/webhooks/verify-webhook.ts',
    find: '!(age <= toleranceSeconds)',
    replace: 'Number.isNaN(age)',
    tests: ['sdk/test/webhooks.test.ts'],
  },
  {
    name: 'every sign-in is that of a new user',
    file: 'service/src/operations/login/sign-in-user.ts',
    find: 'isNew: false',
    replace: 'isNew: true',
    tests: ['service/test/users-and-events/events.test.ts'],
  },
  {
    name: 'a tenant requests any number of replays of a webhook',
    file: 'service/src/operations/webhooks/replay-webhook.ts',
    find: 'await limitByTenant(stores, REPLAY_LIMIT, tenant, now)',
    replace: 'void limitByTenant',
    tests: ['service/test/webhooks/replay-and-log.test.ts'],
  },
  {
    name: 'a replay of a webhook is not in the audit',
    file: 'service/src/operations/webhooks/replay-webhook.ts',
    find: "await recordAction(stores, { tenantId: tenant.id, author, action: 'webhook.replayed', target, at: now })",
    replace: 'void [recordAction, author, target]',
    tests: ['service/test/tenants/audit.test.ts'],
  },
  {
    name: 'an endpoint gets any number of deliveries at once',
    file: 'service/src/operations/webhooks/lanes.ts',
    find: 'const AT_ONCE = 8',
    replace: 'const AT_ONCE = 80',
    tests: DELIVERY,
  },
]
