import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { InvalidWebhookError, verifyWebhook } from '../../sdk/src/index.ts'
import { addWebhook } from '../../service/test/support/actors/webhooks.ts'
import { receiver } from '../../service/test/support/webhook-receiver.ts'
import { world } from '../../service/test/support/world.ts'

/** The reference library of Standard Webhooks. */
interface ReferenceWebhook {
  verify(body: string, headers: Record<string, string>): unknown
  sign(id: string, timestamp: Date, body: string): string
}

const PACKAGE = join(import.meta.dirname, 'programs/node_modules/standardwebhooks')

async function reference(secret: string): Promise<ReferenceWebhook> {
  const { Webhook } = await import(pathToFileURL(join(PACKAGE, 'dist/index.js')).href)
  return new Webhook(secret)
}

test('standardwebhooks verifies deliveries of the service, before, during and after a rotation', async (t) => {
  const { app, agent, browser } = await world(t, { through: 'port', realTime: true })
  const tenant = await agent.createTenant()
  const app1 = await receiver(t)
  const { secret: old, path } = await addWebhook(tenant, app1.url)
  await tenant.signIn(browser())
  await app.deliver()
  const { secret } = (await tenant.manage('POST', `${path}/rotate`)).json
  await tenant.manage('POST', `${path}/test`)
  const [before, during] = app1.received
  assert.ok(before && during)
  const headersOf = ({ headers }: typeof before) => headers as Record<string, string>
  assert.deepEqual((await reference(old)).verify(before.text, headersOf(before)), before.body)
  assert.deepEqual((await reference(old)).verify(during.text, headersOf(during)), during.body)
  assert.deepEqual((await reference(secret)).verify(during.text, headersOf(during)), during.body)
  const current = await reference(secret)
  assert.throws(() => current.verify(before.text, headersOf(before)))
})

test('verifyWebhook verifies what standardwebhooks signs, and rejects what it rejects', async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date().toISOString(),
    data: { tenant_id: 'ünï' },
  })
  const theirs = await reference(secret)
  const signed = (at: Date): Headers =>
    new Headers({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': theirs.sign('msg_1', at, body),
    })
  const now = signed(new Date())
  assert.equal((await verifyWebhook({ headers: now, body }, { secret })).id, 'msg_1')
  const old = signed(new Date(Date.now() - 301_000))
  for (const [headers, text] of [
    [old, body],
    [now, `${body} `],
  ] as const) {
    assert.throws(() => theirs.verify(text, Object.fromEntries(headers)))
    await assert.rejects(verifyWebhook({ headers, body: text }, { secret }), InvalidWebhookError)
  }
})
