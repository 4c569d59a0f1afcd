import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { Client } from 'pg'
import { idTokens } from '../../sdk/src/id-tokens.ts'
import { createClient } from '../../sdk/src/index.ts'
import { gatehouse } from '../../sdk/src/node.ts'
import { ROOT } from '../../sdk/test/support/build.ts'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import { launchChromium } from '../../service/test/support/actors/chromium.ts'
import { emptyPostgres, sqliteOnly } from '../../service/test/support/postgres/engines.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { type World, world } from '../../service/test/support/world.ts'
import { appFolder, DATABASES } from './platform.ts'
import { launch } from './program.ts'

// The guides of /docs/id-tokens, with the clients of others, as far as they run without their services.

const load = createRequire(join(DATABASES, 'package.json'))

/** What the guide shows for a system: its blocks of code, and the policy. */
async function guideOf(
  title: string,
): Promise<{ readonly code: readonly string[]; readonly policy: string }> {
  const guide = await readFile(join(ROOT, 'service/content/docs/id-tokens.md'), 'utf8')
  const [section = ''] = guide.split(`\n## ${title}\n`)[1]?.split('\n## ') ?? []
  const code = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, block = '']) => block)
  return { code, policy: /`(using \(.+\))`\./.exec(section)?.[1] ?? '' }
}

async function tenantOf(service: World, audience: string) {
  const tenant = await service.agent.createTenant()
  const settings = { id_tokens: { audiences: [audience], claims: { role: 'authenticated' } } }
  await tenant.manage('PATCH', '/api/social-login/settings', settings)
  return { tenant, issuer: `${service.baseUrl}/edge/auth/${tenant.id}` }
}

/** For the service, and for the SDK, which keeps tokens by the monotonic clock. */
function pass(t: TestContext, service: World, seconds: number): void {
  service.clock.advance({ seconds })
  const before = performance.now()
  t.mock.method(performance, 'now', () => before + seconds * 1_000)
}

/** The functions that the policies of Supabase and of Neon call, as they define them. */
const FUNCTIONS = `
  create schema auth;
  create function auth.jwt() returns jsonb stable language sql as
    $$ select nullif(current_setting('request.jwt.claims', true), '')::jsonb $$;
  create function auth.user_id() returns text stable language sql as $$ select auth.jwt() ->> 'sub' $$;
  grant usage on schema auth to authenticated`

/** A database in which the users 1 and 2 of this tenant have a note each. */
async function notes(t: TestContext, policy: string, tenantId: string): Promise<Client> {
  const database = new Client({ connectionString: await emptyPostgres() })
  await database.connect()
  t.after(() => database.end())
  await database.query(`
    do $$ begin create role authenticated; exception when duplicate_object then null; end $$;
    ${FUNCTIONS};
    create table notes (user_id text not null, body text not null);
    insert into notes values ('${tenantId}|1', 'of Ada'), ('${tenantId}|2', 'of Grace');
    alter table notes enable row level security;
    grant select, insert on notes to authenticated;
    create policy own on notes to authenticated ${policy}`)
  return database
}

interface RestOptions {
  readonly issuer: string
  readonly audience: string
  readonly database: Client
  now(): number
}

/** As PostgREST: checks the token, takes the role and the claims from it, and lets the database decide. One table. */
async function startRest(t: TestContext, { issuer, audience, database, now }: RestOptions) {
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`))
  const tokens: string[] = []
  const answer = async (
    token: string,
    body: { readonly user_id: string; readonly body: string } | null,
  ) => {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      currentDate: new Date(now()),
    })
    await database.query('begin')
    try {
      await database.query(`select set_config('request.jwt.claims', $1, true)`, [
        JSON.stringify(payload),
      ])
      await database.query(`select set_config('role', $1, true)`, [payload.role])
      if (body !== null) {
        await database.query('insert into notes values ($1, $2)', [body.user_id, body.body])
      }
      return (await database.query('select body from notes order by body')).rows
    } finally {
      await database.query('rollback')
    }
  }
  const { port } = await listen(t, async (req, res) => {
    assert.equal(req.url?.split('?')[0], '/rest/v1/notes')
    const sent = (await req.toArray()).join('')
    const token = String(req.headers.authorization).replace(/^Bearer /, '')
    if (tokens.at(-1) !== token) {
      tokens.push(token)
    }
    res.setHeader('Content-Type', 'application/json')
    try {
      res.end(JSON.stringify(await answer(token, sent === '' ? null : JSON.parse(sent))))
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string }
      res.writeHead(code.startsWith('ERR_') ? 401 : 403).end(JSON.stringify({ code, message }))
    }
  })
  return { url: `http://localhost:${port}`, tokens }
}

interface Supabase {
  from(table: string): {
    select(columns: string): Promise<{ data: object[] | null; error: { code: string } | null }>
    insert(
      row: object,
    ): Promise<{ status: number; error: { code: string; message: string } | null }>
  }
}

// proves C210
test('supabase-js sends an ID token with every request and the next one in time; the policy of the guide shows each user their rows', {
  skip: sqliteOnly,
}, async (t) => {
  const { code, policy } = await guideOf('Supabase')
  const service = await world(t, { through: 'port' })
  const { tenant, issuer } = await tenantOf(service, 'authenticated')
  const stranger = await tenantOf(service, 'authenticated')
  const database = await notes(t, policy, tenant.id)
  const rest = await startRest(t, {
    issuer,
    audience: 'authenticated',
    database,
    now: service.clock.now,
  })

  /** The client of the guide, in the page of this user. */
  const clientOf = (accessToken: string, tenantId = tenant.id): Supabase => {
    const session = { accessToken: async () => accessToken, refresh: async () => null }
    const idToken = idTokens({ baseUrl: service.baseUrl, tenantId, session })
    const create = new Function(
      'createClient',
      'url',
      'publishableKey',
      'idToken',
      `${code[0]}; return supabase`,
    )
    return create(
      load('@supabase/supabase-js').createClient,
      rest.url,
      'sb_publishable_key',
      idToken,
    )
  }
  const ada = clientOf((await tenant.signIn(service.browser())).access_token)
  const grace = clientOf((await tenant.signIn(service.browser(), 'Grace Hopper')).access_token)
  assert.deepEqual((await ada.from('notes').select('body')).data, [{ body: 'of Ada' }])
  assert.deepEqual((await grace.from('notes').select('body')).data, [{ body: 'of Grace' }])
  assert.equal(
    (await ada.from('notes').insert({ user_id: `${tenant.id}|1`, body: 'another' })).error,
    null,
  )
  const foreign = await ada.from('notes').insert({ user_id: `${tenant.id}|2`, body: 'not hers' })
  assert.deepEqual([foreign.status, foreign.error?.code], [403, '42501'], 'row-level security')

  const known = rest.tokens.length
  pass(t, service, 241)
  assert.deepEqual((await ada.from('notes').select('body')).data, [{ body: 'of Ada' }])
  assert.equal(rest.tokens.length, known + 1)
  service.clock.advance({ minutes: 1 })
  assert.deepEqual(
    (await ada.from('notes').select('body')).data,
    [{ body: 'of Ada' }],
    'the first would have expired',
  )

  const eve = clientOf(
    (await stranger.tenant.signIn(service.browser())).access_token,
    stranger.tenant.id,
  )
  assert.equal((await eve.from('notes').select('body')).error?.code, 'ERR_JWKS_NO_MATCHING_KEY')
})

// proves C210
test('the policy of the guide for Neon shows each user their rows', {
  skip: sqliteOnly,
}, async (t) => {
  const { policy } = await guideOf('Neon, and PostgREST')
  const service = await world(t, { through: 'port' })
  const { tenant, issuer } = await tenantOf(service, 'neon')
  const rest = await startRest(t, {
    issuer,
    audience: 'neon',
    database: await notes(t, policy, tenant.id),
    now: service.clock.now,
  })
  for (const [user, own] of [
    ['Ada Lovelace', 'of Ada'],
    ['Grace Hopper', 'of Grace'],
  ] as const) {
    const { access_token } = await tenant.signIn(service.browser(), user)
    const { id_token } = (await tenant.edge('id-token', { access_token })).json
    const response = await fetch(`${rest.url}/rest/v1/notes`, {
      headers: { Authorization: `Bearer ${id_token}` },
    })
    assert.deepEqual(await response.json(), [{ body: own }])
  }
})

const PAGE = (hook: string, url: string) => `
import { ConvexProviderWithAuth, ConvexReactClient, useConvexAuth } from 'convex/react'
import { SessionProvider, SignInButton, UserButton, useIdToken, useUser } from '@gatehouse-auth/sdk/react'
import { useCallback } from 'react'
import { createRoot } from 'react-dom/client'

const url = ${JSON.stringify(url)}
${hook}
function Status() {
  const { isLoading, isAuthenticated } = useConvexAuth()
  return <p id="convex">{isLoading ? 'loading' : isAuthenticated ? 'signed in' : 'signed out'}</p>
}
createRoot(document.body).render(
  <SessionProvider>
    <ConvexProviderWithAuth client={convex} useAuth={useAuth}>
      <Status />
    </ConvexProviderWithAuth>
    <SignInButton />
    <UserButton />
  </SessionProvider>,
)
`

const TYPES = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    skipLibCheck: true,
    lib: ['es2023', 'dom'],
  },
  files: ['page.tsx', 'check.ts'],
}

/** Answers the messages of Convex's client about the session as its server does, and nothing else. */
async function startConvex(t: TestContext, now: () => number) {
  const { server, port } = await listen(t)
  const { WebSocketServer } = load('ws') as {
    WebSocketServer: new (
      options: object,
    ) => { on(event: 'connection', listener: (socket: Socket) => void): void }
  }
  interface Socket {
    on(event: 'message', listener: (data: Buffer) => void): void
    send(text: string): void
  }
  const authenticated: { readonly tokenType: string; readonly value?: string }[] = []
  new WebSocketServer({ server }).on('connection', (socket) => {
    let version = { querySet: 0, identity: 0, ts: 'AAAAAAAAAAA=' }
    let skew = 0
    socket.on('message', (data) => {
      const message = JSON.parse(String(data))
      if (message.type === 'Connect') {
        skew = message.clientTs - now()
      }
      const next = { ...version }
      if (message.type === 'ModifyQuerySet') {
        next.querySet = message.newVersion
      }
      if (message.type === 'Authenticate') {
        next.identity = message.baseVersion + 1
        authenticated.push(message)
      }
      if (message.type === 'Connect' || message.type === 'Event') {
        return
      }
      const transition = {
        startVersion: version,
        endVersion: next,
        modifications: [],
        clientClockSkew: skew,
      }
      socket.send(JSON.stringify({ type: 'Transition', ...transition }))
      version = next
    })
  })
  return { url: `http://localhost:${port}`, authenticated }
}

// proves C210
test('Convex: the file and the hook of the guide fit its types; its client sends an ID token, the next one in time, and none after a sign-out', async (t) => {
  const { code } = await guideOf('Convex')
  const [config = '', hook = ''] = code
  const service = await world(t, { through: 'port' })
  const { tenant, issuer } = await tenantOf(service, 'convex')
  const convex = await startConvex(t, service.clock.now)
  const folder = await appFolder(DATABASES)
  await installSdk(await packSdk(), folder)
  const configured = config.replace('{base_url}', service.baseUrl).replace('<tenant_id>', tenant.id)
  const files = {
    'page.tsx': PAGE(hook, convex.url),
    'auth.config.ts': configured,
    'check.ts': `import type { AuthConfig } from 'convex/server'\nimport config from './auth.config'\nconfig satisfies AuthConfig\n`,
    'tsconfig.json': JSON.stringify(TYPES),
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
  }
  const checked = await launch(t, join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder]).ended
  assert.equal(checked.code, 0, checked.output)
  const { build } = await import('esbuild')
  const production = { 'process.env.NODE_ENV': '"production"' }
  const options = {
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: production,
  } as const
  const { outputFiles } = await build({ ...options, entryPoints: [join(folder, 'page.tsx')] })
  const script = outputFiles[0]?.text ?? ''

  const settings = { baseUrl: service.baseUrl, tenantId: tenant.id }
  const page =
    '<!doctype html><title>App</title><link rel="icon" href="data:,"><body><script type="module" src="/app.js"></script>'
  const guarded = gatehouse({ client: createClient(settings) }, (req, res) => {
    const isScript = req.url === '/app.js'
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    res.end(isScript ? script : page)
  })
  const { port } = await listen(t, (req, res) => void guarded(req, res))
  await tenant.provision([`http://localhost:${port}/auth/callback`])

  const chromium = await launchChromium()
  t.after(() => chromium.close())
  const tab = await chromium.newPage()
  const errors: string[] = []
  tab.on('pageerror', ({ message }) => errors.push(message))
  await tab.clock.install({ time: service.clock.now() })
  const shows = (text: string) => tab.locator('#convex', { hasText: text }).waitFor()
  await tab.goto(`http://localhost:${port}/`)
  await shows('signed out')
  await tab.getByText('Sign in with Google').click()
  await tab.getByRole('button', { name: 'Ada Lovelace' }).click()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await shows('signed in')

  const provider = /domain: '(.+)', applicationID: '(.+)'/.exec(configured) ?? []
  const [, domain = '', applicationID = ''] = provider
  assert.equal(domain, issuer)
  const document = await fetch(`${domain}/.well-known/openid-configuration`)
  const discovery = (await document.json()) as {
    readonly issuer: string
    readonly jwks_uri: string
  }
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri))
  /** As Convex: RS256 or ES256, `kid` and `typ` in the header, issuer and audience of the file. */
  const subjectOf = async (token = ''): Promise<string | undefined> => {
    const { alg = '', kid, typ } = decodeProtectedHeader(token)
    assert.deepEqual([['RS256', 'ES256'].includes(alg), typeof kid, typ], [true, 'string', 'JWT'])
    const checks = {
      issuer: discovery.issuer,
      audience: applicationID,
      currentDate: new Date(service.clock.now()),
    }
    return (await jwtVerify(token, keys, checks)).payload.sub
  }
  const sent = () =>
    convex.authenticated.flatMap(({ tokenType, value }) => (tokenType === 'User' ? [value] : []))
  assert.equal(sent().length, 1)
  assert.equal(await subjectOf(sent()[0]), `${tenant.id}|1`)

  pass(t, service, 295)
  await tab.clock.fastForward(295_000)
  // The client has also connected again, with the token that it had.
  await waitUntil('Convex gets the next token', () => new Set(sent()).size === 2)
  service.clock.advance({ minutes: 1 })
  assert.equal(await subjectOf(sent().at(-1)), `${tenant.id}|1`)
  await shows('signed in')

  await tab.getByRole('button', { name: 'Sign out' }).click()
  await shows('signed out')
  assert.equal(new Set(sent()).size, 2)
  assert.deepEqual(errors, [])
})
