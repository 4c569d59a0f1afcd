import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { AuthEvent } from '@gatehouse-auth/contract'
import type { z } from 'zod'
import { addWebhook } from '../../service/test/support/actors/webhooks.ts'
import { receiver } from '../../service/test/support/webhook-receiver.ts'
import { world } from '../../service/test/support/world.ts'
import { type AuthEventData, InvalidWebhookError, verifyWebhook } from '../src/index.ts'

const SECRET = `whsec_${Buffer.alloc(33, 7).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 8).toString('base64')}`
const BODY = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-01-15T12:00:00.000Z',
  data: { tenant_id: 'ü' },
})

interface Parts {
  readonly id?: string
  readonly timestamp?: number | string
  readonly body?: string
  readonly signature?: string
}

const seconds = (): number => Math.floor(Date.now() / 1_000)

function sign(secret: string, { id = 'msg_1', timestamp = seconds(), body = BODY }: Parts): string {
  const key = Buffer.from(secret.slice(6), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

function request(parts: Parts = {}, sent: Parts = {}): Request {
  const now = seconds()
  const signed = sign(SECRET, { timestamp: now, ...parts })
  const { id = 'msg_1', timestamp = now, body = BODY, signature = signed } = { ...parts, ...sent }
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  }
  return new Request('https://app.example.com/hook', { method: 'POST', headers, body })
}

const rejected = (promise: Promise<unknown>, message: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof InvalidWebhookError)
    assert.match(error.message, message)
    assert.deepEqual([error.code, error.retryable], ['invalidWebhook', false])
    return true
  })

test('a webhook of the service is verified and typed, also with its raw body only', async (t) => {
  const { app, agent, browser } = await world(t, { through: 'port', realTime: true })
  const tenant = await agent.createTenant()
  const app1 = await receiver(t)
  const { secret } = await addWebhook(tenant, app1.url)
  await tenant.signIn(browser())
  await app.deliver()
  const [received] = app1.received
  assert.ok(received)
  const headers = new Headers(received.headers as Record<string, string>)
  const event = await verifyWebhook({ headers, body: Buffer.from(received.text) }, { secret })
  assert.equal(event.id, `msg_${tenant.id}_2`)
  assert.ok(event.type === 'social_login.authorize')
  const [, authorized] = await tenant.events()
  assert.deepEqual(event.data, { tenant_id: tenant.id, ...authorized })
  assert.equal(event.data.metadata.new_user, true)
})

// proves S075
test('a webhook signed with another secret, or changed on its way, is rejected', async () => {
  const options = { secret: SECRET }
  assert.equal((await verifyWebhook(request(), options)).type, 'webhook.test')
  await rejected(verifyWebhook(request(), { secret: OTHER }), /signature/)
  await rejected(verifyWebhook(request({}, { id: 'msg_2' }), options), /signature/)
  await rejected(verifyWebhook(request({}, { body: BODY.replace('ü', 'u') }), options), /signature/)
  await rejected(verifyWebhook(request({}, { timestamp: seconds() - 1 }), options), /signature/)
  const v2 = sign(SECRET, {}).replace('v1,', 'v1a,')
  for (const signature of ['v1,', 'v1', 'v1,!', 'v1,AAAA', v2, sign(SECRET, {}).slice(3)]) {
    await rejected(verifyWebhook(request({}, { signature }), options), /signature/)
  }
})

// proves S075
test('signatures are compared by WebCrypto, in constant time', async (t) => {
  const verify = t.mock.method(crypto.subtle, 'verify')
  const sign = t.mock.method(crypto.subtle, 'sign')
  await verifyWebhook(request(), { secret: SECRET })
  await rejected(verifyWebhook(request(), { secret: OTHER }), /signature/)
  assert.deepEqual(
    [verify.mock.callCount(), sign.mock.callCount()],
    [2, 0],
    'no expected signature to compare as text',
  )
})

test('during a rotation one valid signature, and one valid secret, is enough', async () => {
  const signature = `v1a,x ${sign(OTHER, {})} ${sign(SECRET, {})}`
  for (const secret of [
    SECRET,
    OTHER,
    [OTHER, SECRET],
    [`whsec_${Buffer.alloc(24, 9).toString('base64')}`, SECRET],
  ]) {
    assert.equal((await verifyWebhook(request({}, { signature }), { secret })).id, 'msg_1')
  }
})

// proves S011, S075
test('a webhook older or newer than the tolerance is rejected', async () => {
  const options = { secret: SECRET }
  for (const age of [-290, 290]) {
    await verifyWebhook(request({ timestamp: seconds() - age }), options)
  }
  for (const age of [-310, 310]) {
    await rejected(verifyWebhook(request({ timestamp: seconds() - age }), options), /old/)
  }
  await verifyWebhook(request({ timestamp: seconds() - 3_000 }), {
    ...options,
    toleranceSeconds: 3_600,
  })
  for (const timestamp of ['soon', '1e9', '-1', '0x10']) {
    await rejected(verifyWebhook(request({ timestamp }), options), /old/)
  }
})

test('a request without the headers, or with a signed body that is no event, is rejected', async () => {
  const bare = new Request('https://app.example.com/hook', { method: 'POST', body: BODY })
  await rejected(verifyWebhook(bare, { secret: SECRET }), /webhook-id is missing/)
  for (const body of ['', 'null', '[]', '{"type":1,"data":{}}', '{"type":"x"}']) {
    await rejected(verifyWebhook(request({ body }), { secret: SECRET }), /not an event/)
  }
  await assert.rejects(verifyWebhook(request(), { secret: 'whsec_%' }), TypeError)
  await assert.rejects(verifyWebhook(request(), { secret: '' }), TypeError)
})

test('the data of a webhook has the fields of an event of the API', () => {
  type Sent = { readonly tenant_id: string } & z.infer<typeof AuthEvent>
  const known = (event: Sent): AuthEventData => event
  assert.ok(known)
})
