import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Config, readConfig } from './config.ts'
import { missingOperatorSettings } from './operator.ts'

type Environment = Readonly<Record<string, string>>

const PUBLIC: Environment = {
  BASE_URL: 'https://login.example.com',
  GOOGLE_CLIENT_ID: 'id',
  GOOGLE_CLIENT_SECRET: 's',
}
const GOOGLE: Environment = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 's' }
const POSTGRES: Environment = { DATABASE_URL: 'postgres://db/gatehouse' }
const SECRET = Buffer.alloc(32, 7).toString('base64')

function settings(env: Environment): Config {
  const read = readConfig(env)
  assert.ok(read.ok, read.ok ? '' : read.problems.join('\n'))
  return read.config
}

function problems(env: Environment): readonly string[] {
  const read = readConfig(env)
  return read.ok ? [] : read.problems
}

test('without settings the service listens on loopback, on SQLite, with the development Google', () => {
  assert.deepEqual(settings({}), {
    port: 8787,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:8787',
    dataDir: './data',
    databaseUrl: null,
    databaseUrlDirect: null,
    patroniUrls: [],
    google: null,
    sharedClients: [],
    exposedDevelopmentSignIn: false,
    accessTokenSeconds: 3_600,
    unlimited: false,
    trustedProxies: [],
    workers: 1,
    startWaitSeconds: 0,
    stopAfterMs: 0,
    keepAliveSeconds: 75,
    verifyStalePolicy: 'open',
    verifyStaleSeconds: 30,
    eventRetentionDays: null,
    agentRefreshGraceSeconds: 600,
    clientMetadataDocuments: true,
    operator: { name: null, privacyUrl: null, termsUrl: null, supportUrl: null },
    serviceKeys: null,
  })
  const unset = Object.fromEntries(
    ['PORT', 'HOST', 'BASE_URL', 'DATA_DIR', 'DATABASE_URL', 'SERVICE_KEYS'].map((name) => [
      name,
      ' ',
    ]),
  )
  assert.deepEqual(settings(unset), settings({}), 'an empty value counts as unset')
})

const VALID: readonly [Environment, Partial<Config>][] = [
  [{ PORT: '80' }, { port: 80, baseUrl: 'http://localhost' }],
  [{ PORT: ' 9000 ' }, { port: 9_000, baseUrl: 'http://localhost:9000' }],
  [{ ...GOOGLE, HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ ...GOOGLE, HOST: '::' }, { host: '::' }],
  [{ HOST: 'localhost' }, { host: 'localhost' }],
  [{ BASE_URL: 'http://127.0.0.1:3000/' }, { baseUrl: 'http://127.0.0.1:3000' }],
  [{ BASE_URL: 'http://[::1]:3000' }, { baseUrl: 'http://[::1]:3000' }],
  [
    { ...PUBLIC, BASE_URL: 'https://Login.Example.com:443/' },
    { baseUrl: 'https://login.example.com' },
  ],
  [
    { ...PUBLIC, PORT: '9000' },
    { baseUrl: 'https://login.example.com', port: 9_000 },
  ],
  [{ DATA_DIR: '/var/lib/gatehouse' }, { dataDir: '/var/lib/gatehouse' }],
  [POSTGRES, { databaseUrl: 'postgres://db/gatehouse' }],
  [
    { DATABASE_URL: 'postgresql://u:p@db:5432/x?sslmode=require' },
    { databaseUrl: 'postgresql://u:p@db:5432/x?sslmode=require' },
  ],
  [
    { DATABASE_URL: 'postgres://u@a:5432,b,[::1]:5433/x?target_session_attrs=read-write' },
    { databaseUrl: 'postgres://u@a:5432,b,[::1]:5433/x?target_session_attrs=read-write' },
  ],
  [
    { DATABASE_URL: 'postgres://a,b/x', PATRONI_URLS: 'http://10.0.0.1:8008, https://b:8008/' },
    { patroniUrls: ['http://10.0.0.1:8008', 'https://b:8008/'] },
  ],
  [
    { ...POSTGRES, DATABASE_URL_DIRECT: 'postgres://a,b/x', PATRONI_URLS: 'http://a:8008' },
    { patroniUrls: ['http://a:8008'] },
  ],
  [
    PUBLIC,
    { google: { clientId: 'id', clientSecret: 's', issuer: 'https://accounts.google.com' } },
  ],
  [
    {
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 's',
      GOOGLE_ISSUER: 'http://localhost:9999/dev',
    },
    { google: { clientId: 'id', clientSecret: 's', issuer: 'http://localhost:9999/dev' } },
  ],
  [{ ...POSTGRES, ...PUBLIC, WORKERS: '4' }, { workers: 4 }],
  [
    { STOP_AFTER_MS: '15000', KEEP_ALIVE_SECONDS: '620' },
    { stopAfterMs: 15_000, keepAliveSeconds: 620 },
  ],
  [{ START_WAIT_SECONDS: '60' }, { startWaitSeconds: 60 }],
  [{ EVENT_RETENTION_DAYS: '400' }, { eventRetentionDays: 400 }],
  [{ VERIFY_STALE_POLICY: 'open' }, { verifyStalePolicy: 'open', verifyStaleSeconds: 30 }],
  [{ VERIFY_STALE_SECONDS: '10' }, { verifyStaleSeconds: 10 }],
  [{ AGENT_REFRESH_GRACE_SECONDS: '0' }, { agentRefreshGraceSeconds: 0 }],
  [{ CLIENT_METADATA_DOCUMENTS: 'on' }, { clientMetadataDocuments: true }],
  [{ CLIENT_METADATA_DOCUMENTS: 'off' }, { clientMetadataDocuments: false }],
  [{ DEV_ACCESS_TOKEN_SECONDS: '5' }, { accessTokenSeconds: 5 }],
  [{ DEV_UNLIMITED: '1' }, { unlimited: true }],
  [{ VERIFY_STALE_POLICY: ' closed ' }, { verifyStalePolicy: 'closed' }],
  [
    { SERVICE_KEYS: `2:${SECRET}, 1:${SECRET}` },
    {
      serviceKeys: [
        { kid: 2, secret: Buffer.alloc(32, 7) },
        { kid: 1, secret: Buffer.alloc(32, 7) },
      ],
    },
  ],
]

for (const [env, expected] of VALID) {
  test(`${JSON.stringify(env)} is valid`, () => {
    const config = settings(env)
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(config[name as keyof Config], value, name)
    }
  })
}

test('TRUSTED_PROXIES takes addresses and blocks, separated by commas or spaces', () => {
  const { trustedProxies } = settings({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1 2001:db8::/32' })
  assert.deepEqual(
    trustedProxies.map(({ address, prefix }) => `${address.version}/${prefix}`),
    ['4/8', '4/32', '6/32'],
  )
})

/** Settings, the variable that the problem starts with, and the fix that it names. */
const INVALID: readonly [Environment, string, RegExp][] = [
  ...['0', '65536', '-1', '1e3', '80.5', 'http', '0x50'].map((PORT) =>
    one({ PORT }, 'PORT', /1 to 65535.*PORT=8787/),
  ),
  ...['http://0.0.0.0', '127.0.0.1:80', 'two words', '[::1]'].map((HOST) =>
    one({ HOST }, 'HOST', /HOST=127\.0\.0\.1/),
  ),
  ...[
    'login.example.com',
    'ftp://login.example.com',
    'https://login.example.com/app',
    'https://login.example.com/?x=1',
    'https://login.example.com/#x',
    'https://user:word@login.example.com',
    'javascript:alert(1)',
  ].map((BASE_URL) =>
    one(
      { ...PUBLIC, BASE_URL },
      'BASE_URL',
      /without a path.*BASE_URL=https:\/\/login\.example\.com/,
    ),
  ),
  ...['http://login.example.com', 'http://localhost.example.com', 'http://192.168.1.7:8787'].map(
    (BASE_URL) =>
      one({ ...PUBLIC, BASE_URL }, 'BASE_URL', /must be https unless it is on this machine/),
  ),
  one(
    { BASE_URL: 'https://login.example.com' },
    'BASE_URL',
    /set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/,
  ),
  ...['mysql://db/x', 'db.example.com', '/var/run/postgres'].map((DATABASE_URL) =>
    one(
      { DATABASE_URL },
      'DATABASE_URL',
      /must begin with postgres:\/\/.*unset for the embedded SQLite/,
    ),
  ),
  ...['a:0,b', 'a:65536', 'a:5432,b:x', 'a,,b', ',a', 'u:geheim/word@a', 'a b'].map((hosts) =>
    one(
      { DATABASE_URL: `postgres://${hosts}/x` },
      'DATABASE_URL',
      /host:port, separated by commas.*@db1:5432,db2/,
    ),
  ),
  one({ DATABASE_URL: 'postgres://u:ge#heim@a/x' }, 'DATABASE_URL', /write @ as %40/),
  one({ DATABASE_URL: 'postgres:///x?host=a,b' }, 'DATABASE_URL', /several hosts before the name/),
  ...['standby', 'prefer-standby', 'read-only', 'any', ''].map((session) =>
    one(
      { DATABASE_URL: `postgres://a,b/x?target_session_attrs=${session}` },
      'DATABASE_URL',
      /lead to a primary/,
    ),
  ),
  one(
    { ...POSTGRES, DATABASE_URL_DIRECT: 'db.example.com' },
    'DATABASE_URL_DIRECT',
    /must begin with postgres:/,
  ),
  one(
    { DATABASE_URL_DIRECT: 'postgres://db/x' },
    'DATABASE_URL_DIRECT',
    /is set without DATABASE_URL/,
  ),
  ...[
    '10.0.0.1:8008',
    'http://a:8008,',
    'http://a:8008/patroni',
    'ftp://a',
    'http://user:word@a:8008',
  ].map((PATRONI_URLS) =>
    one(
      { DATABASE_URL: 'postgres://a,b/x', PATRONI_URLS },
      'PATRONI_URLS',
      /origins without a path.*=http:\/\/10\./,
    ),
  ),
  ...[
    {},
    POSTGRES,
    { DATABASE_URL: 'postgres://a,b/x', DATABASE_URL_DIRECT: 'postgres://a/x' },
  ].map((database) =>
    one(
      { ...database, PATRONI_URLS: 'http://a:8008' },
      'PATRONI_URLS',
      /needs several hosts.*haproxy, leave it unset/,
    ),
  ),
  ...['4', '3601', '1h'].map((DEV_ACCESS_TOKEN_SECONDS) =>
    one({ DEV_ACCESS_TOKEN_SECONDS }, 'DEV_ACCESS_TOKEN_SECONDS', /5 to 3600/),
  ),
  ...['0', 'true'].map((DEV_UNLIMITED) =>
    one({ DEV_UNLIMITED }, 'DEV_UNLIMITED', /must be 1.*unset/),
  ),
  ...[PUBLIC, { ...GOOGLE, GOOGLE_ISSUER: 'http://localhost:9999' }].flatMap((real) => [
    one(
      { ...real, DEV_ACCESS_TOKEN_SECONDS: '60' },
      'DEV_ACCESS_TOKEN_SECONDS',
      /development Google: unset it/,
    ),
    one({ ...real, DEV_UNLIMITED: '1' }, 'DEV_UNLIMITED', /development Google: unset it/),
  ]),
  one(
    { GOOGLE_CLIENT_ID: 'id' },
    'GOOGLE_CLIENT_ID',
    /without GOOGLE_CLIENT_SECRET: set both, or neither/,
  ),
  one(
    { GOOGLE_CLIENT_SECRET: 's' },
    'GOOGLE_CLIENT_SECRET',
    /without GOOGLE_CLIENT_ID: set both, or neither/,
  ),
  ...['GITHUB', 'MICROSOFT'].flatMap((provider) => {
    const [id, secret] = [`${provider}_CLIENT_ID`, `${provider}_CLIENT_SECRET`]
    return [
      one({ ...GOOGLE, [id]: 'id' }, id, new RegExp(`without ${secret}: set both, or neither`)),
      one({ ...GOOGLE, [secret]: 's' }, secret, new RegExp(`without ${id}: set both, or neither`)),
      one(
        { [id]: 'id', [secret]: 's' },
        id,
        /needs a real Google: set GOOGLE_CLIENT_ID too, or unset/,
      ),
    ]
  }),
  one(
    { ...GOOGLE, MICROSOFT_DIRECTORY: 'common' },
    'MICROSOFT_DIRECTORY',
    /without MICROSOFT_CLIENT_ID: set both/,
  ),
  ...['everyone', 'common/../x', '11111111-2222-3333-4444'].map((MICROSOFT_DIRECTORY) =>
    one(
      { ...GOOGLE, MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 's', MICROSOFT_DIRECTORY },
      'MICROSOFT_DIRECTORY',
      /or the id of a directory.*unset for common/,
    ),
  ),
  ...['accounts.google.com', 'http://accounts.google.com', 'ftp://localhost'].map((GOOGLE_ISSUER) =>
    one({ ...PUBLIC, GOOGLE_ISSUER }, 'GOOGLE_ISSUER', /https address.*unset for Google/),
  ),
  ...['10.0.0.0/33', 'proxy.example.com', '10.0.0.1-10.0.0.9'].map((TRUSTED_PROXIES) =>
    one({ TRUSTED_PROXIES }, 'TRUSTED_PROXIES', /TRUSTED_PROXIES=10\.0\.0\.0\/8/),
  ),
  ...['0', '65', '1.5', 'auto'].map((WORKERS) =>
    one({ ...POSTGRES, ...PUBLIC, WORKERS }, 'WORKERS', /from 1 to 64/),
  ),
  ...['-1', '3601', '1m'].map((START_WAIT_SECONDS) =>
    one({ START_WAIT_SECONDS }, 'START_WAIT_SECONDS', /0 to 3600/),
  ),
  ...['0', '29', '36501', '1y'].map((EVENT_RETENTION_DAYS) =>
    one({ EVENT_RETENTION_DAYS }, 'EVENT_RETENTION_DAYS', /from 30 to 36500/),
  ),
  ...['-1', '600001', '15s'].map((STOP_AFTER_MS) =>
    one({ STOP_AFTER_MS }, 'STOP_AFTER_MS', /from 0 to 600000/),
  ),
  ...['4', '3601', '1m'].map((KEEP_ALIVE_SECONDS) =>
    one({ KEEP_ALIVE_SECONDS }, 'KEEP_ALIVE_SECONDS', /from 5 to 3600.*KEEP_ALIVE_SECONDS=75/),
  ),
  one({ ...PUBLIC, WORKERS: '2' }, 'WORKERS', /needs PostgreSQL: set DATABASE_URL/),
  one({ ...POSTGRES, WORKERS: '2' }, 'WORKERS', /needs a real Google \(GOOGLE_CLIENT_ID\)/),
  ...['3601', '-1', 'ten'].map((AGENT_REFRESH_GRACE_SECONDS) =>
    one({ AGENT_REFRESH_GRACE_SECONDS }, 'AGENT_REFRESH_GRACE_SECONDS', /from 0 to 3600/),
  ),
  one({ CLIENT_METADATA_DOCUMENTS: '0' }, 'CLIENT_METADATA_DOCUMENTS', /must be on or off/),
  ...['x'.repeat(61), 'Example\u0007Inc.', 'Example\u202eInc.'].map((OPERATOR_NAME) =>
    one(
      { OPERATOR_NAME },
      'OPERATOR_NAME',
      /at most 60 characters and no control characters.*OPERATOR_NAME=Example Inc\./,
    ),
  ),
  ...['PRIVACY_URL', 'TERMS_URL', 'SUPPORT_URL'].flatMap((name) =>
    [
      'example.com',
      '/privacy',
      'http://example.com',
      'javascript:alert(1)',
      'mailto:a@example.com',
      'https://u:p@a.example',
    ].map((value) =>
      one(
        { [name]: value },
        name,
        new RegExp(`must be an https address.*${name}=https://www\\.example\\.com/`),
      ),
    ),
  ),
  ...['Closed', 'shut', '1', 'open closed'].map((VERIFY_STALE_POLICY) =>
    one({ VERIFY_STALE_POLICY }, 'VERIFY_STALE_POLICY', /open or closed.*unset for open/),
  ),
  ...[
    '1',
    '1:',
    `0:${SECRET}`,
    `256:${SECRET}`,
    `x:${SECRET}`,
    `1:${SECRET.slice(4)}`,
    `1:${SECRET}:`,
  ].map((keys) =>
    one(
      { SERVICE_KEYS: keys },
      'SERVICE_KEYS',
      /<number 1 to 255>:<32 bytes in base64>, the newest first/,
    ),
  ),
  one({ SERVICE_KEYS: `1:${'*'.repeat(44)}` }, 'SERVICE_KEYS', /malformed/),
  one({ SERVICE_KEYS: `1:${SECRET},` }, 'SERVICE_KEYS', /malformed/),
  one({ SERVICE_KEYS: `1:${SECRET},1:${SECRET}` }, 'SERVICE_KEYS', /two keys with one number/),
]

function one(env: Environment, variable: string, fix: RegExp): [Environment, string, RegExp] {
  return [env, variable, fix]
}

for (const [env, variable, fix] of INVALID) {
  test(`${JSON.stringify(env).replace(SECRET, '…')} is rejected with one sentence that starts with ${variable}`, () => {
    const [problem = '', ...more] = problems(env)
    assert.deepEqual(more, [])
    assert.match(problem, new RegExp(`^${variable}[ =]`))
    assert.match(problem, fix)
    assert.ok(!problem.includes(SECRET.slice(0, 20)), 'the message contains no key')
  })
}

test('all invalid settings are reported at once, one sentence each', () => {
  const found = problems({
    PORT: '0',
    HOST: 'http://here',
    BASE_URL: 'http://login.example.com',
    DATABASE_URL: 'mysql://db',
    GOOGLE_ISSUER: 'nowhere',
    GOOGLE_CLIENT_SECRET: 's',
    TRUSTED_PROXIES: 'all',
    WORKERS: 'many',
    VERIFY_STALE_POLICY: 'perhaps',
    SERVICE_KEYS: 'mine',
  })
  const named = found.map((problem) => problem.split(/[ =]/)[0])
  assert.deepEqual(named.toSorted(), [
    'BASE_URL',
    'DATABASE_URL',
    'GOOGLE_CLIENT_SECRET',
    'GOOGLE_ISSUER',
    'HOST',
    'PORT',
    'SERVICE_KEYS',
    'TRUSTED_PROXIES',
    'VERIFY_STALE_POLICY',
    'WORKERS',
  ])
})

test('shared clients are read from GITHUB_CLIENT_ID, MICROSOFT_CLIENT_ID, their secrets and MICROSOFT_DIRECTORY', () => {
  const GITHUB = { GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' }
  const MICROSOFT = { MICROSOFT_CLIENT_ID: 'c', MICROSOFT_CLIENT_SECRET: 'd' }
  const github = { kind: 'github', clientId: 'a', clientSecret: 'b' }
  const microsoft = { kind: 'microsoft', clientId: 'c', clientSecret: 'd', directory: 'common' }
  assert.deepEqual(settings(GOOGLE).sharedClients, [])
  assert.deepEqual(settings({ ...GOOGLE, ...GITHUB, ...MICROSOFT }).sharedClients, [
    github,
    microsoft,
  ])
  for (const directory of ['organizations', '11111111-2222-3333-4444-555555555555']) {
    const { sharedClients } = settings({ ...GOOGLE, ...MICROSOFT, MICROSOFT_DIRECTORY: directory })
    assert.deepEqual(sharedClients, [{ ...microsoft, directory }])
  }
})

// proves C342
test('who runs the service is read from OPERATOR_NAME, PRIVACY_URL, TERMS_URL and SUPPORT_URL', () => {
  const { operator } = settings({
    OPERATOR_NAME: ' Bäckerei Müller & Töchter ',
    PRIVACY_URL: 'https://example.com/privacy?lang=de',
    TERMS_URL: 'https://example.com/terms',
    SUPPORT_URL: 'http://localhost:3000/help',
  })
  assert.deepEqual(operator, {
    name: 'Bäckerei Müller & Töchter',
    privacyUrl: 'https://example.com/privacy?lang=de',
    termsUrl: 'https://example.com/terms',
    supportUrl: 'http://localhost:3000/help',
  })
})

test('a public service without OPERATOR_NAME or PRIVACY_URL gets a warning that names the setting and the fix', () => {
  const warnings = (env: Environment): string[] => {
    const { baseUrl, operator } = settings(env)
    return missingOperatorSettings(baseUrl, operator)
  }
  const [name = '', privacy = '', ...more] = warnings(PUBLIC)
  assert.match(name, /^OPERATOR_NAME is not set: .* Set it to your name or your company’s\.$/)
  assert.match(privacy, /^PRIVACY_URL is not set: .* Set it to your privacy policy\.$/)
  assert.deepEqual(more, [])
  assert.deepEqual(warnings({ ...PUBLIC, OPERATOR_NAME: 'Example Inc.' }), [privacy])
  assert.deepEqual(warnings({ ...PUBLIC, PRIVACY_URL: 'https://example.com/privacy' }), [name])
  assert.deepEqual(warnings({}), [], 'a service on loopback has no visitors')
})

test('the development Google is available only on a loopback BASE_URL', () => {
  for (const BASE_URL of [
    'http://localhost:8787',
    'http://127.0.0.1:1',
    'http://[::1]:1',
    'https://localhost',
  ]) {
    assert.equal(settings({ BASE_URL }).google, null, BASE_URL)
  }
  for (const BASE_URL of [
    'https://example.com',
    'https://localhost.example.com',
    'https://127.0.0.2',
    'https://10.0.0.1',
  ]) {
    const [problem = '', ...more] = problems({ BASE_URL })
    assert.match(problem, /^BASE_URL .* set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET/, BASE_URL)
    assert.deepEqual(more, [], BASE_URL)
  }
})

test('without a Google client the service starts only on loopback, unless ALLOW_DEVELOPMENT_SIGN_IN=1', () => {
  for (const HOST of ['127.0.0.1', '127.0.0.2', '::1', 'localhost']) {
    assert.equal(settings({ HOST }).exposedDevelopmentSignIn, false, HOST)
  }
  for (const HOST of ['0.0.0.0', '::', '10.0.0.1', 'gatehouse.internal']) {
    assert.match(
      problems({ HOST }).join(),
      /HOST is not loopback, so a real Google is needed/,
      HOST,
    )
    assert.equal(problems({ HOST, ALLOW_DEVELOPMENT_SIGN_IN: 'yes' }).length, 1, HOST)
    assert.equal(
      settings({ HOST, ALLOW_DEVELOPMENT_SIGN_IN: '1' }).exposedDevelopmentSignIn,
      true,
      HOST,
    )
    assert.equal(settings({ ...GOOGLE, HOST }).exposedDevelopmentSignIn, false, HOST)
  }
})
