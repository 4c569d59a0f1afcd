import assert from 'node:assert/strict'
import type { paths } from 'generated-openapi-types'
import createClient from 'openapi-fetch'

// Only typed-client.test.ts checks the types of this file, against those that it generates from openapi.json.

interface Service {
  readonly baseUrl: string
  /** The user opens the login link and continues. Returns the query of the callback. */
  signIn(loginUrl: string): Promise<URLSearchParams>
  /** The user opens the link and becomes the owner. */
  approve(approvalUrl: string): Promise<void>
}

/** From a new tenant to its removal, with the requests and responses that the document describes. */
export async function useService({ baseUrl, signIn, approve }: Service): Promise<void> {
  const anonymous = createClient<paths>({ baseUrl })

  const made = await anonymous.POST('/api/genesis', { headers: { 'User-Agent': 'typed-client' } })
  assert.ok(made.data)
  const {
    tenant_id: tenantId,
    coh_management_key: key,
    coh_application_key: applicationKey,
  } = made.data
  assert.equal(made.response.headers.get('api-version'), '1')
  const agent = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } })

  const early = await anonymous.POST('/edge/auth/{tenantId}/verify', {
    params: { path: { tenantId } },
    body: { access_token: 'x' },
  })
  assert.equal(early.error?.error.code, 'notProvisioned')

  const provisioned = await agent.POST('/api/resources/social-login', {
    body: { callback_urls: ['https://app.example.com/callback'] },
  })
  assert.ok(provisioned.data)

  const landed = await signIn(provisioned.data.login_url)
  const edge = { params: { path: { tenantId } } }

  const verified = await anonymous.POST('/edge/auth/{tenantId}/verify', {
    ...edge,
    body: { access_token: landed.get('access_token') ?? '' },
  })
  assert.ok(verified.data?.valid)
  const { user } = verified.data
  assert.equal(user.email, 'ada@example.com')

  const refreshed = await anonymous.POST('/edge/auth/{tenantId}/refresh', {
    ...edge,
    body: { refresh_token: landed.get('refresh_token') ?? '' },
  })
  assert.ok(refreshed.data)
  const again = await anonymous.POST('/edge/auth/{tenantId}/refresh', {
    ...edge,
    body: { refresh_token: landed.get('refresh_token') ?? '' },
  })
  assert.equal(again.error?.error.code, 'refreshTokenSuperseded')

  const { data: users } = await agent.GET('/api/social-login/users', {
    params: { query: { limit: 10 } },
  })
  assert.deepEqual(
    users?.users.map(({ id }) => id),
    [user.id],
  )
  const { data: one } = await agent.GET('/api/social-login/users/{id}', {
    params: { path: { id: String(user.id) } },
  })
  assert.equal(one?.user.name, 'Ada Lovelace')
  const { data: history } = await agent.GET('/api/social-login/events', {
    params: { query: { after: 0, limit: 50, event: 'authorize' } },
  })
  assert.deepEqual(
    history?.events.map(({ user_id }) => user_id),
    [user.id],
  )

  const out = await anonymous.POST('/edge/auth/{tenantId}/logout', {
    ...edge,
    body: { refresh_token: refreshed.data.refresh_token },
  })
  assert.equal(out.data?.success, true)

  const { data: edgeToken } = await anonymous.POST('/edge/session', {
    params: { query: { key: applicationKey } },
  })
  const { data: session } = await createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${edgeToken?.token}` },
  }).GET('/edge/session')
  assert.equal(session?.tenant_id, tenantId)

  const { data: link } = await agent.POST('/api/claim/url')
  assert.ok(link)
  await approve(link.approval_url)
  const { data: decision } = await createClient<paths>({
    baseUrl,
    headers: { Authorization: link.wait.auth_header },
  }).GET('/api/wait', { params: { query: { timeout: 0 } } })
  assert.equal(decision?.status, 'approved')

  const { data: status } = await agent.GET('/api/status')
  assert.deepEqual([status?.status, status?.tier, status?.expires_at], ['claimed', 'free', null])
  const { data: tail } = await agent.GET('/api/observability', {
    params: { query: { include: 'recent_events' } },
  })
  assert.ok(
    tail?.recent_events?.some((entry) => entry.source === 'auth' && entry.event === 'logout'),
  )

  const removed = await agent.DELETE('/api/resources/social-login')
  assert.equal(removed.data?.status, 'deleted')
}
