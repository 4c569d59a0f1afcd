import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ENDPOINTS, type Endpoint, SAMPLE } from '@gatehouse-auth/contract'
import type { ApiResponse, Tenant } from '../support/actors/agent.ts'
import type { Browser } from '../support/actors/browser.ts'
import { claim, requestClaim } from '../support/actors/claim.ts'
import { accountOf, tokenFor } from '../support/actors/grants.ts'
import { signInForCode } from '../support/actors/login-code.ts'
import { ownClient, putProvider } from '../support/actors/providers.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'
import { testDns } from '../support/transport/test-dns.ts'
import { type World, world } from '../support/world.ts'

/** The tenants, users and tokens that replace the sample values of the examples. */
interface Cast {
  readonly guest: Tenant
  readonly owned: Tenant
  /** Of another owner. */
  readonly withWebhook: Tenant
  readonly owner: Browser
  readonly userId: number
  readonly values: Readonly<Record<string, string>>
}

async function cast(t: TestContext, here: World): Promise<Cast> {
  const guest = await here.agent.createTenant([SAMPLE.callbackUrl])
  const pair = await guest.signIn(here.browser())
  const [user] = await guest.users()
  const owned = await here.agent.createTenant([SAMPLE.callbackUrl])
  await owned.signIn(here.browser())
  const owner = here.browser()
  await claim(owned, owner)
  const { port } = await listen(t, (_req, res) => res.end())
  const withWebhook = await here.agent.createTenant()
  await claim(withWebhook, here.browser(), 'Grace Hopper')
  await guest.manage('PUT', '/api/social-login/providers/github', { mode: 'shared' })
  const second = here.browser()
  await second.open(`${here.baseUrl}/edge/auth/${guest.id}/github`)
  await second.press('Grace Hopper')
  await second.press('Continue')
  await putProvider(withWebhook, 'google', ownClient(here.baseUrl, 'google'))
  const webhook = await withWebhook.manage('POST', '/api/webhooks', {
    url: `http://localhost:${port}/`,
  })
  here.clock.advance({ minutes: 1 })
  const login = await signInForCode(guest, here.browser())
  const edge = await here.agent.call('POST', `/edge/session?key=${guest.applicationKey}`)
  const invited = { email: 'ada@example.com', claims: { role: 'editor' } }
  await guest.manage('PATCH', '/api/social-login/settings', {
    id_tokens: { audiences: ['my-database'] },
  })
  const invitation = await guest.manage('POST', '/api/social-login/invitations', invited)
  return {
    guest,
    owned,
    withWebhook,
    owner,
    userId: user?.id ?? 0,
    values: {
      [SAMPLE.tenantId]: guest.id,
      [SAMPLE.applicationKey]: guest.applicationKey,
      [SAMPLE.accessToken]: pair.access_token,
      [SAMPLE.refreshToken]: pair.refresh_token,
      [SAMPLE.loginCode]: login.code,
      [SAMPLE.codeVerifier]: login.verifier,
      [SAMPLE.edgeToken]: edge.json?.token ?? '',
      [SAMPLE.webhookId]: webhook.json.webhook.id,
      [SAMPLE.invitationId]: invitation.json.invitation.id,
    },
  }
}

/** The request of an example, with its sample values replaced. */
function requestOf(endpoint: Endpoint, { values, userId }: Cast) {
  const { params = {}, query = {}, body, text, file } = endpoint.example
  const live = (text: string): string =>
    Object.entries(values).reduce(
      (written, [sample, value]) => written.replaceAll(sample, value),
      text,
    )
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    name === 'id' ? String(userId) : live(params[name] ?? ''),
  )
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, live(String(value))]),
  )
  return {
    path: search.size === 0 ? path : `${path}?${search}`,
    options: {
      ...(body === undefined ? {} : { body: JSON.parse(live(JSON.stringify(body))) as unknown }),
      ...(file === undefined
        ? {}
        : {
            body: Buffer.from(file, 'base64'),
            headers: { 'Content-Type': endpoint.fileBody ?? '' },
          }),
      ...(text === undefined
        ? {}
        : { body: text, headers: { 'Content-Type': endpoint.textBody?.type ?? '' } }),
    },
  }
}

async function ask(here: World, endpoint: Endpoint, cast: Cast): Promise<ApiResponse> {
  const { path, options } = requestOf(endpoint, cast)
  const call = (key?: string) =>
    here.agent.call(endpoint.method, path, { ...options, ...(key === undefined ? {} : { key }) })
  switch (endpoint.auth) {
    case 'none':
      return call()
    case 'management':
      if (otherOwners.has(endpoint.tag) || otherOwners.has(endpoint.id)) {
        return call(cast.withWebhook.key)
      }
      return call(ownersOnly.has(endpoint.id) ? cast.owned.key : cast.guest.key)
    case 'wait':
      return call((await requestClaim(cast.guest)).wait.token)
    case 'edge-session':
      return call(cast.values[SAMPLE.edgeToken])
    case 'oauth':
      return call(await tokenFor(here, await accountOf(here)))
    case 'account-session': {
      const answer = await cast.owner.request(here.baseUrl + path)
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, text, json: JSON.parse(text) }
    }
  }
}

const ownersOnly = new Set(['readObservability', 'reportForDiscount', 'importUsers'])

/** Sent for another owner, whose requests are not in the observability of the first one. */
const otherOwners = new Set([
  ...['Webhooks', 'Domains and brand'],
  ...['listProviders', 'replaceProvider', 'testProvider', 'removeProvider'],
])

/** The field names and types. A list is compared by its first entry, an empty list with none; null matches any type. */
function shapeOf(value: unknown, example: unknown): unknown {
  if (example === null || value === null) {
    return 'anything'
  }
  if (Array.isArray(value)) {
    const [first] = Array.isArray(example) ? example : []
    return value.length === 0 || first === undefined ? [] : [shapeOf(value[0], first)]
  }
  if (typeof value !== 'object') {
    return typeof value
  }
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    shapeOf(inner, (example as never)[name]),
  ])
  return Object.fromEntries(fields.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)))
}

const linesOf = (text: unknown): unknown[] =>
  String(text)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

test('every example request succeeds, and its response has the shape of the example', {
  skip: slow,
}, async (t) => {
  const here = await world(t, { network: testDns().network })
  const actors = await cast(t, here)
  // Calls that end the session or delete the tenant come last.
  const last: readonly string[] = [
    'deleteUserClaims',
    'deleteWebhook',
    'deleteDomain',
    'deleteLogo',
    'deleteBrand',
    'removeProvider',
    'importUsers',
    'refreshSession',
    'endUserSession',
    'logOut',
    'endUserSessions',
    'removeUserIdentity',
    'blockUser',
    'unblockUser',
    'deleteUser',
    'deleteUsers',
    'removeSocialLogin',
    'setTestStatus',
  ]
  const inOrder = [...ENDPOINTS].sort((a, b) => last.indexOf(a.id) - last.indexOf(b.id))
  for (const endpoint of inOrder as readonly Endpoint[]) {
    const { response } = endpoint.example
    if (endpoint.id === 'refreshSession') {
      // The calls before it used up the minute of a guest.
      here.clock.advance({ minutes: 1 })
    }
    const answer = await ask(here, endpoint, actors)
    assert.equal(answer.status, endpoint.ok.status, `${endpoint.id}: ${answer.text}`)
    if (endpoint.ok.status === 302) {
      continue
    }
    const { textTypes } = endpoint.ok
    if (textTypes !== undefined) {
      assert.ok(textTypes.some((type) => answer.headers.get('content-type')?.startsWith(type)))
      assert.deepEqual(
        shapeOf(linesOf(answer.text), linesOf(response)),
        shapeOf(linesOf(response), linesOf(answer.text)),
      )
      continue
    }
    assert.deepEqual(shapeOf(answer.json, response), shapeOf(response, answer.json), endpoint.id)
    endpoint.ok.body.parse(response)
  }
})
