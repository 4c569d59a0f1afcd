import { randomUUID } from 'node:crypto'
import { serve } from '@hono/node-server'
import { issuer } from '@openauthjs/openauth'
import { createClient } from '@openauthjs/openauth/client'
import { Oauth2Provider } from '@openauthjs/openauth/provider/oauth2'
import { MemoryStorage } from '@openauthjs/openauth/storage/memory'
import { createSubjects } from '@openauthjs/openauth/subject'
import { BASE_URL, IDENTITY, PORT, profile, SESSIONS, writeWorkloads } from './peer-env.js'

/** A schema (standardschema.dev) that accepts any value, because a validator's cost is not OpenAuth's. */
const anySchema = { '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value }) } }

// OpenAuth: its issuer on Hono with its memory storage, and `client.verify` as an app's server calls it. Both are in one
// process, and the client gets the issuer's keys without a network request.

const CLIENT_ID = 'app'
const TTL = { access: 3_600, refresh: 30 * 86_400 }
const subjects = createSubjects({ user: anySchema })
const storage = MemoryStorage()

const app = issuer({
  storage,
  subjects,
  ttl: TTL,
  providers: {
    google: Oauth2Provider({
      clientID: IDENTITY.clientId,
      clientSecret: IDENTITY.clientSecret,
      endpoint: { authorization: `${IDENTITY.issuer}/auth`, token: `${IDENTITY.issuer}/token` },
      scopes: ['openid', 'email', 'profile'],
      pkce: true,
    }),
  },
  async success(ctx, { tokenset }) {
    const headers = { Authorization: `Bearer ${tokenset.access}` }
    const { sub, email, name, picture } = await (
      await fetch(`${IDENTITY.issuer}/me`, { headers })
    ).json()
    return ctx.subject('user', { id: sub, email, name, picture })
  },
})

const inProcessFetch = (url, init) => app.request(url, init)
const client = createClient({ clientID: CLIENT_ID, issuer: BASE_URL, fetch: inProcessFetch })
app.post('/verify', async (c) => {
  const { access_token } = await c.req.json()
  const verified = await client.verify(subjects, access_token)
  return c.json(
    verified.err ? { valid: false } : { valid: true, user: verified.subject.properties },
  )
})

const verify = []
const sessions = []
for (let id = 0; id < SESSIONS; id++) {
  const properties = { id, ...profile(id) }
  const subject = `user:${id}`
  const token = randomUUID()
  // The issuer's stored session (generateTokens): the data for a refresh, and the next token.
  const stored = {
    type: 'user',
    properties,
    subject,
    clientID: CLIENT_ID,
    ttl: TTL,
    nextToken: randomUUID(),
  }
  await storage.set(
    ['oauth:refresh', subject, token],
    stored,
    new Date(Date.now() + TTL.refresh * 1_000),
  )
  const { tokens } = await client.refresh(`${subject}:${token}`)
  sessions.push({ path: '/token', refreshToken: tokens.refresh })
  verify.push({
    request: {
      method: 'POST',
      path: '/verify',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ access_token: tokens.access }),
    },
    status: 200,
    contains: { valid: true, user: properties },
  })
}
writeWorkloads({ verify, refresh: { encoding: 'form', sessions } })
serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' })
