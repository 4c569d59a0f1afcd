import assert from 'node:assert/strict'
import { realpathSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { createGate } from '../src/adapters/gate.ts'
import { gatehouse as express } from '../src/express.ts'
import { gatehouse as fastify } from '../src/fastify.ts'
import { gatehouse as hono } from '../src/hono.ts'
import { createClient } from '../src/index.ts'
import { gatehouse as node } from '../src/node.ts'
import { gatehouse as reactRouter } from '../src/react-router.ts'
import { readSettings } from '../src/service/settings.ts'
import { browserRequest } from './support/fixture.ts'
import { createScriptedClient } from './support/scripted-client.ts'

const SECRET = 'an-app-secret-of-enough-characters'
const CREDENTIALS = `base_url=https://login.example.com\r
tenant_id=swift-fox-running-k3qd
coh_management_key=svc_man_x
`

/** A process in a folder with these files and these variables. */
async function processIn(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) {
  const folder = realpathSync(await freshFolder())
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text)
  }
  const fake = {
    env,
    cwd: () => folder,
    getBuiltinModule: () => process.getBuiltinModule('node:fs'),
  }
  return { folder, process: fake }
}

test('createClient reads what it is not given from GATEHOUSE_* variables, then from .service and .service.secret', async () => {
  const files = { '.service': CREDENTIALS, '.service.secret': `GATEHOUSE_SECRET=${SECRET}\n` }
  const fromFiles = {
    baseUrl: 'https://login.example.com',
    tenantId: 'swift-fox-running-k3qd',
    secret: SECRET,
  }
  assert.deepEqual(readSettings({}, await processIn(files)), fromFiles)
  assert.deepEqual(
    readSettings(
      { baseUrl: undefined, tenantId: undefined, secret: undefined },
      await processIn(files),
    ),
    fromFiles,
    'an option that is undefined is not given',
  )
  const env = {
    GATEHOUSE_URL: 'https://other.example',
    GATEHOUSE_TENANT: 'slow-owl-k3qd',
    GATEHOUSE_SECRET: 'env',
  }
  const fromEnv = { baseUrl: 'https://other.example', tenantId: 'slow-owl-k3qd', secret: 'env' }
  assert.deepEqual(readSettings({}, await processIn(files, env)), fromEnv)
  assert.deepEqual(readSettings({}, await processIn({}, { ...env, GATEHOUSE_SECRET: ' ' })), {
    ...fromEnv,
    secret: undefined,
  })
  assert.deepEqual(
    readSettings({ tenantId: 'my-owl-k3qd', secret: 'mine' }, await processIn(files, env)),
    {
      ...fromEnv,
      tenantId: 'my-owl-k3qd',
      secret: 'mine',
    },
  )
})

test('createClient finds the files beside the file that was started, or up to two folders above, if the app is started elsewhere', async () => {
  const files = { '.service': CREDENTIALS, '.service.secret': `GATEHOUSE_SECRET=${SECRET}\n` }
  const { folder } = await processIn(files)
  const elsewhere = await processIn({})
  const tenantOf = (argv: readonly string[]): string | null => {
    try {
      const { tenantId, secret } = readSettings({}, { process: { ...elsewhere.process, argv } })
      assert.equal(secret, SECRET)
      return tenantId
    } catch (error) {
      assert.ok(String(error).includes(`in ${elsewhere.folder}/.service, which does not exist`))
      return null
    }
  }
  for (const started of ['server.js', 'dist/server.js', 'node_modules/.bin/next']) {
    assert.equal(tenantOf(['node', `${folder}/${started}`]), 'swift-fox-running-k3qd', started)
  }
  for (const argv of [[], ['node'], ['node', `${folder}/a/b/c/server.js`], ['node', 'server.js']]) {
    assert.equal(tenantOf(argv), null, argv.join(' '))
  }

  const both = await processIn({ '.service': CREDENTIALS.replace('swift', 'own') })
  const { tenantId } = readSettings(
    {},
    { process: { ...both.process, argv: ['node', `${folder}/server.js`] } },
  )
  assert.equal(tenantId, 'own-fox-running-k3qd', 'the folder where it was started is first')
})

test('a client with a base URL and a tenant reads nothing, so that a second one in a process has no secret of the first', async () => {
  const given = { baseUrl: 'https://a.example', tenantId: 'a-b' }
  const trap = new Proxy({}, { get: () => assert.fail('read') })
  assert.deepEqual(readSettings(given, { process: trap }), { ...given, secret: undefined })
})

test('a missing setting is named with its file, its variable and the command that mends it', async () => {
  const problem = (given: Awaited<ReturnType<typeof processIn>> | { process?: object }): string => {
    try {
      readSettings({}, given)
    } catch (error) {
      assert.ok(error instanceof TypeError)
      return error.message
    }
    return assert.fail('nothing is missing')
  }
  const none = await processIn({})
  assert.equal(
    problem(none),
    `Gatehouse: there is no base_url in ${none.folder}/.service, which does not exist, and GATEHOUSE_URL is not set.
To create a project and write .service, run in that folder: npx --@gatehouse-auth:registry=<your service>/packages/npm/ @gatehouse-auth/local init
Where there is no .service, as in production, set the variables that this command prints on your machine: npx --@gatehouse-auth:registry=<your service>/packages/npm/ @gatehouse-auth/local env --secret`,
  )
  assert.match(
    problem(await processIn({}, { GATEHOUSE_URL: 'https://login.example.com' })),
    /no tenant_id .* GATEHOUSE_TENANT is not set\.\n.*: npx --@gatehouse-auth:registry=https:\/\/login\.example\.com\/packages\/npm\/ @gatehouse-auth\/local init\n/,
  )
  assert.match(
    problem(await processIn({ '.service': 'tenant_id=\nbase_url=https://login.example.com\n' })),
    /no tenant_id in \/\S+\/\.service, and .*\n.*run in that folder: npx --@gatehouse-auth:registry=https:\/\/login\.example\.com\/packages\/npm\/ @gatehouse-auth\/local doctor\n/,
  )
  const unreadable = await processIn({})
  await mkdir(join(unreadable.folder, '.service'))
  assert.match(
    problem(unreadable),
    /\.service, which cannot be read \(EISDIR\), and .*\n.* doctor\n/,
  )
  for (const without of [{}, { process: {} }]) {
    assert.match(
      problem(without),
      /in files, which this runtime does not read, .*\nWhere there is no \.service/,
    )
  }
})

test('in a browser createClient reads nothing and says what to pass', async (t: TestContext) => {
  Object.assign(globalThis, { document: {} })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  assert.throws(() => createClient(), /In a browser, pass baseUrl and tenantId/)
})

test('without settings an app with Express, Fastify, Hono or Node ends when it starts, a framework with a build at the first request', async (t) => {
  const folder = await freshFolder()
  t.mock.method(process, 'cwd', () => folder)
  for (const start of [
    () => express({}),
    () => fastify({}),
    () => hono({}),
    () => node({}, () => {}),
  ]) {
    assert.throws(start, /there is no base_url/)
  }
  const gate = createGate({ protect: ['/notes'] })
  await assert.rejects(
    gate.pass(new Request('http://localhost:3000/notes')),
    /there is no base_url/,
  )
  await writeFile(join(folder, '.service'), CREDENTIALS)
  const { response } = await gate.pass(new Request('http://localhost:3000/login'))
  assert.match(
    response?.headers.get('location') ?? '',
    /^https:\/\/login\.example\.com\/edge\/auth\/swift-fox-running-k3qd\/google\?/,
  )
})

test('a runtime whose file access throws takes the settings from variables, and says so without them', () => {
  const getBuiltinModule = (): never => {
    throw new Error(
      'A Node.js API is used (process.getBuiltinModule) which is not supported in the Edge Runtime.',
    )
  }
  const env = {
    GATEHOUSE_URL: 'https://login.example.com',
    GATEHOUSE_TENANT: 'swift-fox-running-k3qd',
  }
  assert.deepEqual(readSettings({}, { process: { env, getBuiltinModule } }), {
    baseUrl: env.GATEHOUSE_URL,
    tenantId: env.GATEHOUSE_TENANT,
    secret: undefined,
  })
  const missing =
    /there is no base_url in files, which this runtime does not read, and GATEHOUSE_URL is not set/
  assert.throws(() => readSettings({}, { process: { env: {}, getBuiltinModule } }), missing)
})

test('React Router that runs no middleware fails at the login and names its flag, instead of leaving protect without effect', async () => {
  const { client, sent } = createScriptedClient([])
  const auth = reactRouter({ client, protect: ['/notes'] })
  // React Router 7 passes an object of the server, with `future.v8_middleware` a RouterContextProvider.
  for (const path of ['/login', '/auth/callback', '/auth/session']) {
    for (const context of [{}, { db: 'mine' }]) {
      const opened = auth.loader({ request: browserRequest(path), context })
      await assert.rejects(
        opened,
        /future: \{ v8_middleware: true \} in react-router\.config\.ts/,
        path,
      )
    }
  }
  await assert.rejects(
    auth.action({ request: browserRequest('/logout'), context: {} }),
    /v8_middleware/,
  )
  const context = { get: () => null, set: () => {} }
  assert.equal((await auth.loader({ request: browserRequest('/login'), context })).status, 303)
  const guarded = await auth.middleware({ request: browserRequest('/notes'), context }, () =>
    assert.fail('not guarded'),
  )
  assert.equal(guarded.status, 303)
  assert.deepEqual(sent, [], 'no request to the service')
})
