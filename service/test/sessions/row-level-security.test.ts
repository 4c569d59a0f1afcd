import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { Client } from 'pg'
import { emptyPostgres, sqliteOnly } from '../support/postgres/engines.ts'
import { slow } from '../support/tags.ts'
import { listen } from '../support/transport/listen.ts'
import { world } from '../support/world.ts'

interface GatewayOptions {
  readonly issuer: string
  readonly audience: string
  readonly database: Client
  /** A role without rights of its own, as `authenticated` of Supabase and Neon. */
  readonly role: string
  now(): number
}

/** What PostgREST and the Data API of Neon do: check the token, then let the policies of the database decide. */
async function startGateway(
  t: TestContext,
  { issuer, audience, database, role, now }: GatewayOptions,
): Promise<string> {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  const notesOf = async (authorization = ''): Promise<object[]> => {
    const token = authorization.replace(/^Bearer /, '')
    const checks = { issuer, audience, algorithms: ['ES256'], currentDate: new Date(now()) }
    const { payload } = await jwtVerify(token, keys, checks)
    await database.query('begin')
    try {
      await database.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(payload),
      ])
      await database.query(`set local role "${role}"`)
      return (await database.query('select body from notes order by body')).rows
    } finally {
      await database.query('commit')
    }
  }
  const { port } = await listen(t, async (req, res) => {
    try {
      res.end(JSON.stringify(await notesOf(req.headers.authorization)))
    } catch (error) {
      res.writeHead(401).end(JSON.stringify((error as { code?: string }).code))
    }
  })
  return `http://localhost:${port}/`
}

// proves C208
test('PostgreSQL shows each user their own rows, by the sub of an ID token that a gateway checked', {
  skip: sqliteOnly || slow,
}, async (t) => {
  const service = await world(t, { through: 'port' })
  const [tenant, other] = [await service.agent.createTenant(), await service.agent.createTenant()]
  const settings = {
    id_tokens: { audiences: ['notes', 'another'], claims: { role: 'authenticated' } },
  }
  for (const each of [tenant, other]) {
    await each.manage('PATCH', '/api/social-login/settings', settings)
  }
  const idToken = async (
    at: typeof tenant,
    access_token: string,
    audience = 'notes',
  ): Promise<string> => (await at.edge('id-token', { access_token, audience })).json.id_token
  const [ada, grace] = [
    await tenant.signIn(service.browser()),
    await tenant.signIn(service.browser(), 'Grace Hopper'),
  ]
  await tenant.manage('PUT', '/api/social-login/users/2/claims', {
    claims: { user_role: 'editor' },
  })
  const stranger = await other.signIn(service.browser())

  const database = new Client({ connectionString: await emptyPostgres() })
  await database.connect()
  const role = `notes-${randomUUID()}`
  t.after(async () => {
    await database.query(`drop owned by "${role}"; drop role "${role}"`)
    await database.end()
  })
  await database.query(`
    create role "${role}";
    create table notes (user_id text not null, body text not null);
    insert into notes values ('${tenant.id}|1', 'of Ada'), ('${tenant.id}|2', 'of Grace');
    alter table notes enable row level security;
    grant select on notes to "${role}";
    create function claim(name text) returns text stable language sql as
      $$ select current_setting('request.jwt.claims', true)::json ->> name $$;
    create policy own on notes to "${role}" using (user_id = claim('sub') or claim('user_role') = 'editor')`)
  const issuer = `${service.agent.baseUrl}/edge/auth/${tenant.id}`
  const gateway = await startGateway(t, {
    issuer,
    audience: 'notes',
    database,
    role,
    now: service.clock.now,
  })
  const read = async (token: string) => {
    const response = await fetch(gateway, { headers: { Authorization: `Bearer ${token}` } })
    return response.json()
  }

  assert.deepEqual(await read(await idToken(tenant, ada.access_token)), [{ body: 'of Ada' }])
  assert.deepEqual(await read(await idToken(tenant, grace.access_token)), [
    { body: 'of Ada' },
    { body: 'of Grace' },
  ])
  for (const [token, code] of [
    [await idToken(other, stranger.access_token), 'ERR_JWKS_NO_MATCHING_KEY'],
    [await idToken(tenant, ada.access_token, 'another'), 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    [ada.access_token, 'ERR_JOSE_ALG_NOT_ALLOWED'],
    [ada.refresh_token, 'ERR_JWS_INVALID'],
  ] as const) {
    assert.equal(await read(token), code)
  }
  const late = await idToken(tenant, ada.access_token)
  service.clock.advance({ minutes: 5 })
  assert.equal(await read(late), 'ERR_JWT_EXPIRED')
})
