import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { createLocalFixture, writeTenantFile } from './support/machine.ts'
import { writeProject } from './support/project.ts'

const PROBLEM = /Every callback URL has a wildcard, so the login link works only with redirect_uri/

test('with wildcard callbacks only, provision, status and doctor say that the login link needs redirect_uri', async (t) => {
  const { machine, browser } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  const wildcard = await machine.run('provision', 'https://*.example.com/cb')
  assert.match(wildcard.stdout, PROBLEM)
  const link = /(http:\S+\/google)\n/.exec(wildcard.stdout)?.[1] ?? ''
  assert.equal((await browser().request(link)).status, 400, 'the link alone is refused')
  const given = /\?redirect_uri=\S+/.exec(wildcard.stdout)?.[0] ?? ''
  assert.equal(given, `?redirect_uri=${encodeURIComponent('https://app.example.com/cb')}`)
  assert.equal((await browser().request(link + given)).status, 302, 'the example works')
  assert.match((await machine.run('status')).stdout, PROBLEM)
  assert.match(
    (await machine.run('doctor')).stdout,
    new RegExp(`warn {2}callbacks .*${PROBLEM.source}.*\\n +→ .*--add`),
  )

  const both = await machine.run('provision', '--add', 'https://app.example.com/cb')
  assert.doesNotMatch(both.stdout, PROBLEM)
  assert.doesNotMatch((await machine.run('status')).stdout, PROBLEM)
  assert.match((await machine.run('doctor')).stdout, /ok {4}callbacks/)
})

test('provision and status name /login of an app with the SDK, and otherwise the login link and what it is', async (t) => {
  const { machine } = await createLocalFixture(t)
  const urls = [
    'http://localhost:3000/auth/callback',
    'https://app.example.com/a',
    'https://app.example.com/b',
  ]
  const manifest = path.join(machine.project, 'package.json')
  await machine.run('init')
  const hasNoSdk = async (): Promise<void> => {
    const { stdout } = await machine.run('provision', ...urls)
    assert.match(
      stdout,
      /Link to this URL .*\n {2}http:\S+\/edge\/auth\/\S+\/google\n.*login link of the service.*\/login of/,
    )
    assert.match(
      (await machine.run('status')).stdout,
      /Login link +http:\S+\/google \(of the service; .*: \/login of your/,
    )
    const { json } = await machine.run('provision', ...urls, '--json')
    assert.equal('app_login_urls' in json[0], false)
  }
  const hasSdk = async (): Promise<void> => {
    const { stdout } = await machine.run('provision', ...urls)
    assert.match(
      stdout,
      /Link to \/login of your app.*\n {2}login +http:\/\/localhost:3000\/login\n {2}login +https:\/\/app\.example\.com\/login\n {2}callback/,
    )
    assert.doesNotMatch(stdout, /\/edge\//)
    const status = await machine.run('status')
    assert.match(
      status.stdout,
      /App login +http:\/\/localhost:3000\/login\n +https:\/\/app\.example\.com\/login\n/,
    )
    assert.doesNotMatch(status.stdout, /\/edge\/|Login link/)
    const { json } = await machine.run('provision', ...urls, '--json')
    assert.deepEqual(json[0].app_login_urls, [
      'http://localhost:3000/login',
      'https://app.example.com/login',
    ])
  }

  await hasNoSdk()
  for (const other of ['', '[]', '{"dependencies":{"express":"5"}}']) {
    await writeFile(manifest, other)
    await hasNoSdk()
  }
  for (const field of ['dependencies', 'devDependencies']) {
    await writeFile(manifest, JSON.stringify({ [field]: { '@gatehouse-auth/sdk': '*' } }))
    await hasSdk()
  }
  await rm(manifest)
  for (const [file, text, isOurs] of [
    ['server.js', "import { createClient } from '@gatehouse-auth/sdk'", true],
    ['src/hooks.server.ts', "import { gatehouse } from '@gatehouse-auth/sdk/sveltekit'", true],
    ['server.js', 'import { gatehouse } from "@gatehouse-auth/sdk/express"', true],
    ['server.js', 'const gatehouse = 1', false],
  ] as const) {
    await mkdir(path.dirname(path.join(machine.project, file)), { recursive: true })
    await writeFile(path.join(machine.project, file), text)
    await (isOurs ? hasSdk() : hasNoSdk())
    await rm(path.join(machine.project, file))
  }
})

test('provision in an app of another language names its /login and no SDK, also if the recipe is in a folder', async (t) => {
  const { machine } = await createLocalFixture(t)
  const app = 'from flask import Flask\n\napp = Flask(__name__)\n'
  await writeProject({ 'requirements.txt': 'flask\n', 'shop/app.py': app }, machine.project)
  assert.match((await machine.run('init', '--port', '5055')).stdout, /wrote +shop\/gatehouse\.py/)
  const { stdout } = await machine.run(
    'provision',
    'http://localhost:5055/auth/callback',
    'https://app.example.com/cb',
  )
  assert.match(
    stdout,
    /Link to \/login of your app, which the app handles, from its sign-in button\.\n {2}login {5}http:\/\/localhost:5055\/login\n/,
  )
  assert.match(stdout, /Apps with the SDK or one of our recipes return users/)
})

test('provision and status name no /login of an SPA, whose pages start the login', async (t) => {
  const { machine } = await createLocalFixture(t)
  await writeFile(path.join(machine.project, 'package.json'), '{}')
  await machine.run('init', '--framework', 'vite')
  const app = 'https://app.example.com/auth/callback'
  const { stdout } = await machine.run('provision', '--add', app)
  assert.match(
    stdout,
    /^✓ Social login is set up\. Users sign in with a button that calls session\.login\(\)/,
  )
  const { json } = await machine.run('provision', '--add', app, '--json')
  assert.deepEqual(json[0].app_login_urls, [])
  const status = await machine.run('status')
  assert.match(status.stdout, /App login +a button that calls session\.login\(\)/)
  assert.doesNotMatch(stdout + status.stdout, /\/login\n|\/google/)

  await writeProject(
    { 'server.js': "import { gatehouse } from '@gatehouse-auth/sdk/express'\n" },
    machine.project,
  )
  assert.match((await machine.run('provision', '--add', app)).stdout, /Link to \/login of your app/)
})

test('provision names what signs users in, wherever the sources are', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init', '--guest')
  const app = 'https://app.example.com/auth/callback'
  const spa = {
    'src/app/core/auth.ts': "import { createBrowserSession } from '@gatehouse-auth/sdk/browser'\n",
  }
  const recipe = "urlopen(BASE + '/edge/auth/' + TENANT)\n"
  const link = /Link to this URL/
  const tests = {
    'e2e/sign-in.spec.ts': "import { createTestSession } from '@gatehouse-auth/sdk/testing'\n",
  }
  const listed = { 'package.json': '{"dependencies":{"@gatehouse-auth/sdk":"*"}}' }
  const next = "export { gatehouse } from '@gatehouse-auth/sdk/next'\n"
  const cases = [
    [spa, /Users sign in with a button that calls session\.login\(\)/],
    [{ ...spa, 'api/gatehouse.py': recipe }, /Link to \/login of your app/],
    [{ 'backend/app/auth/gatehouse.py': recipe }, /Link to \/login of your app/],
    [
      { 'scripts/users.ts': "import { createManagement } from '@gatehouse-auth/sdk/management'\n" },
      link,
    ],
    [tests, link],
    [{ ...tests, ...listed }, /Link to \/login of your app/],
    [{ ...tests, ...spa }, /Users sign in with a button that calls session\.login\(\)/],
    [{ ...tests, 'app/_lib/auth.ts': next }, /Link to \/login of your app/],
    [{ '__pycache__/auth.js': next, '__tests__/auth.ts': next }, link],
  ] as const
  for (const [files, expected] of cases) {
    await writeProject(files, machine.project)
    assert.match(
      (await machine.run('provision', '--add', app)).stdout,
      expected,
      JSON.stringify(files),
    )
    for (const file of Object.keys(files)) {
      await rm(path.join(machine.project, file))
    }
  }
})

test('a callback for every port and one with a wildcard name no address: /login of an app with the SDK is named without it', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  await writeFile(
    path.join(machine.project, 'server.js'),
    "import { createClient } from '@gatehouse-auth/sdk'",
  )
  assert.match(
    (await machine.run('provision', 'http://localhost/cb', 'https://*.example.com/cb')).stdout,
    /login +http:\/\/localhost:<port>\/login\n +callback/,
  )
  const { json } = await machine.run('provision', 'https://*.example.com/cb', '--json')
  assert.deepEqual(json[0].app_login_urls, [])
  assert.match((await machine.run('status')).stdout, /App login +\/login of your app\n/)
})

test('with several callbacks, provision and doctor say where the login link returns to, and --default changes it', async (t) => {
  const { machine, browser } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  const one = await machine.run('provision', 'http://localhost:3000/cb')
  assert.doesNotMatch(one.stdout, /returns to/, 'there is only one')
  await machine.run('provision', '--add', 'http://127.0.0.1:3000/cb')
  assert.match(
    (await machine.run('doctor')).stdout,
    /2 callback URLs registered, all on this machine\. The login link alone/,
  )
  const returnsTo = (url: string): RegExp =>
    new RegExp(
      `The login link alone returns to ${url}\\. Apps with the SDK or one of our recipes return users to the address where they began`,
    )
  const added = await machine.run(
    'provision',
    '--add',
    'https://*.example.com/cb',
    'https://app.example.com/cb',
  )
  assert.match(added.stdout, returnsTo('http://localhost:3000/cb'))
  assert.match((await machine.run('doctor')).stdout, returnsTo('http://localhost:3000/cb'))

  const alone = await machine.expectProblem(
    2,
    'usage',
    'provision',
    '--default',
    'https://app.example.com/cb',
  )
  assert.match(alone.message, /--add/)
  const first = await machine.run('provision', '--add', '--default', 'https://app.example.com/cb')
  assert.match(first.stdout, returnsTo('https://app.example.com/cb'))
  assert.match((await machine.run('doctor')).stdout, returnsTo('https://app.example.com/cb'))
  const registered = [...first.stdout.matchAll(/callback {2}(\S+)/g)].map(([, url]) => url)
  assert.deepEqual(registered, [
    'https://app.example.com/cb',
    'http://localhost:3000/cb',
    'http://127.0.0.1:3000/cb',
    'https://*.example.com/cb',
  ])
  const link = /(http:\S+\/google)\n/.exec(first.stdout)?.[1] ?? ''
  const visitor = browser()
  await visitor.open(link)
  await visitor.press('Ada Lovelace')
  assert.equal((await visitor.press('Cancel')).host, 'app.example.com')
})

test('for an installed app, provision, status and doctor recommend no login link, which is refused without a challenge', async (t) => {
  const { machine, browser, baseUrl } = await createLocalFixture(t, { realTime: true })
  const app = 'com.example.app:/oauth/callback'
  const refused = `The login link alone is refused: start the login in the app with a code_challenge (${baseUrl}/docs/recipes/expo).`
  await machine.run('init')
  for (const others of [[], ['http://127.0.0.1/cb'], ['https://*.example.com/cb']]) {
    const { stdout } = await machine.run('provision', app, ...others)
    assert.match(stdout, /^✓ Social login is set up\.\n {2}callback {2}com\.example\.app:/)
    assert.ok(stdout.includes(`\n  ${refused}\n`), stdout)
    assert.doesNotMatch(stdout, /Link to|returns to/)
    assert.ok((await machine.run('doctor')).stdout.includes(refused))
    const status = await machine.run('status')
    const [, link = ''] = /Login link +(http:\S+\/google)\n/.exec(status.stdout) ?? []
    assert.ok(status.stdout.includes(`${link}\n               ${refused}\n`), status.stdout)
    assert.equal((await browser().request(link)).status, 400)
    const challenge = `?response_type=code&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}`
    assert.equal((await browser().request(link + challenge)).status, 302)
  }

  await writeFile(
    path.join(machine.project, 'package.json'),
    '{"dependencies":{"@gatehouse-auth/sdk":"*"}}',
  )
  const alone = await machine.run('provision', app)
  assert.ok(alone.stdout.includes(refused) && !alone.stdout.includes('/login of'), alone.stdout)
  assert.doesNotMatch((await machine.run('status')).stdout, /App login/)
  const both = await machine.run('provision', app, 'http://127.0.0.1:3000/cb')
  assert.match(both.stdout, /login {5}http:\/\/127\.0\.0\.1:3000\/login\n/)
  assert.ok(both.stdout.includes(refused), both.stdout)

  const site = await machine.run('provision', 'http://127.0.0.1:3000/cb', app)
  assert.match(site.stdout, /The login link alone returns to http:\/\/127\.0\.0\.1:3000\/cb\./)
  assert.doesNotMatch(site.stdout, /refused/)
})

test('with callback_mode code, provision, status and doctor recommend no login link, which is refused without a challenge', async (t) => {
  const { machine, browser, baseUrl } = await createLocalFixture(t, {
    realTime: true,
    env: { DEV_UNLIMITED: '1' },
  })
  const refused = `The login link alone is refused, because callback_mode is code: the app starts the login with a code_challenge, as the SDK and our recipes do (${baseUrl}/docs/recipes/http).`
  const app = 'https://app.example.com/cb'
  await machine.run('init')
  assert.match((await machine.run('provision', app)).stdout, /Link to this URL/)
  await machine.run('settings', 'callback_mode=code')
  const challenge = `response_type=code&code_challenge_method=S256&code_challenge=${'a'.repeat(43)}`
  for (const others of [[], ['http://localhost:3000/cb'], ['https://*.example.com/cb']]) {
    const { stdout } = await machine.run('provision', app, ...others)
    assert.match(
      stdout,
      /^✓ Social login is set up\.\n {2}callback {2}https:\/\/app\.example\.com\/cb\n/,
    )
    assert.ok(stdout.includes(`\n  ${refused}\n`), stdout)
    assert.doesNotMatch(stdout, /Link to|returns to/)
    const doctor = await machine.run('doctor')
    assert.ok(doctor.stdout.includes(`registered. ${refused}\n`), doctor.stdout)
    const status = await machine.run('status')
    const [, link = ''] = /Login link +(http:\S+\/google)\n/.exec(status.stdout) ?? []
    assert.ok(status.stdout.includes(`${link}\n               ${refused}\n`), status.stdout)
    assert.equal((await browser().request(link)).status, 400)
    assert.equal((await browser().request(`${link}?${challenge}`)).status, 302)
  }

  const wildcard = await machine.run('provision', 'https://*.example.com/cb')
  assert.doesNotMatch(wildcard.stdout, PROBLEM)
  const [, redirect = ''] =
    /the app also sends redirect_uri, such as (redirect_uri=\S+)\n/.exec(wildcard.stdout) ?? []
  const { json } = await machine.run('provision', 'https://*.example.com/cb', '--json')
  for (const [query, status] of [
    [redirect, 400],
    [challenge, 400],
    [`${redirect}&${challenge}`, 302],
  ] as const) {
    assert.equal((await browser().request(`${json[0].login_url}?${query}`)).status, status, query)
  }

  await writeFile(
    path.join(machine.project, 'package.json'),
    '{"dependencies":{"@gatehouse-auth/sdk":"*"}}',
  )
  assert.match((await machine.run('provision', app)).stdout, /Link to \/login of your app/)
  const installed = await machine.run('provision', 'com.example.app:/cb')
  assert.match(
    installed.stdout,
    /refused: start the login in the app with a code_challenge \(\S+\/docs\/recipes\/expo\)/,
  )
  await machine.run('settings', 'callback_mode=either')
  assert.doesNotMatch((await machine.run('provision', app)).stdout, /refused/)
})

test('status shows the events and the login starts among them, and the warning with the step that raises the limit', async (t) => {
  const { machine, agent, browser } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  const { refresh_token } = await tenant.signIn(browser())
  const calm = await machine.run('status')
  assert.match(calm.stdout, /This minute +2 of 5 events \(1 of 3 login starts\)\n/)
  assert.match(calm.stdout, /Users +1 of 1,000\n/)
  assert.match(calm.stdout, /This month +2 events \(1 login start\)\n/)
  assert.match(calm.stdout, /Lifetime +2 of 100 events\n/)
  assert.doesNotMatch(calm.stdout, /Warning/)
  const second = await tenant.refresh(refresh_token)
  await tenant.refresh(second.refresh_token)
  const near = await machine.run('status')
  assert.match(
    near.stdout,
    /Warning +Events this minute: 4 of 5 used, 1 left\. Then new logins wait for the next minute/,
  )
  const { stdout } = await machine.run('doctor')
  assert.match(
    stdout,
    /warn {2}limits +Events this minute: 4 of 5 used, 1 left\. .*\n +→ Run: npx .*@gatehouse-auth\/local claim/,
  )
})
