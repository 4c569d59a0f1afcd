import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Browser } from '../../service/test/support/actors/browser.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import type { Running } from './support/command.ts'
import {
  assertProblem,
  createLocalFixture,
  createMachine,
  type LocalFixture,
  type Machine,
} from './support/machine.ts'
import { connect } from './support/mcp.ts'
import { inTerminal } from './support/terminal.ts'

const ACCOUNT = ['init', '--account', '--no-open', '--json']

async function addressOf(running: Running): Promise<string> {
  return (
    /http:\S+\/oauth\/authorize\?\S+/.exec(
      await running.waitForOutput(/oauth\/authorize\?\S+\s/),
    )?.[0] ?? ''
  )
}

/** A user opens the authorization URL, signs in and decides. Returns the loopback callback URL. */
async function decide(browser: Browser, address: string, decision = 'Allow'): Promise<URL> {
  await browser.open(address)
  if (browser.page.text.includes('Sign in with Google')) {
    await browser.press('Sign in with Google')
    await browser.press('Ada Lovelace')
  }
  const callbackUrl = await browser.press(decision)
  assert.match(callbackUrl.href, /^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
  return callbackUrl
}

/** Completes init --account on the machine. Returns the browser of the user. */
async function signedIn(
  fixture: LocalFixture,
  machine: Machine = fixture.machine,
): Promise<Browser> {
  const running = machine.start(ACCOUNT)
  const browser = fixture.browser()
  await fetch(await decide(browser, await addressOf(running)))
  const { code, stdout, stderr } = await running.ended
  assert.equal(code, 0, stdout + stderr)
  return browser
}

const projectsOf = async (fixture: LocalFixture, browser: Browser): Promise<string[]> => {
  const response = await browser.request(`${fixture.baseUrl}/account/insights/data`)
  const { projects } = (await response.json()) as { projects: { tenant_id: string }[] }
  return projects.map(({ tenant_id }) => tenant_id)
}

/** Another project folder on the same machine. */
async function project(fixture: LocalFixture, name: string): Promise<string> {
  const folder = path.join(fixture.machine.home, name)
  await mkdir(folder)
  return folder
}

test('init --account signs the user in, and their account owns the new tenant', async (t) => {
  const fixture = await createLocalFixture(t)
  const running = fixture.machine.start(ACCOUNT)
  const address = new URL(await addressOf(running))
  const asked = Object.fromEntries(address.searchParams)
  assert.deepEqual(
    [asked.response_type, asked.code_challenge_method, asked.resource, asked.account_required],
    ['code', 'S256', `${fixture.baseUrl}/mcp`, 'true'],
  )
  // A request with a guessed state is rejected and does not end the wait.
  const guessed = await fetch(`${asked.redirect_uri}?code=x&state=guessed&iss=${fixture.baseUrl}`)
  assert.equal(guessed.status, 400)
  assert.equal((await fetch(new URL('/', asked.redirect_uri))).status, 404)

  const browser = fixture.browser()
  const callbackUrl = await decide(browser, address.href)
  const page = await fetch(callbackUrl)
  assert.match(await page.text(), /You are signed in/)
  const { code, json, stderr } = await running.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual(
    [json.length, json[0].status, json[0].expires_at, json[0].reused],
    [1, 'claimed', null, false],
  )
  assert.deepEqual(await projectsOf(fixture, browser), [json[0].tenant_id])
  assert.equal(await fixture.machine.mode(), '600')
  assert.deepEqual(
    (await readdir(fixture.machine.project)).sort(),
    ['.gitignore', '.npmrc', '.service', '.service.secret'],
    '.service.pending is removed',
  )
  assert.equal(await fixture.machine.mode(fixture.machine.accountFile), '600')
  assert.equal((await stat(path.dirname(fixture.machine.accountFile))).mode & 0o777, 0o700)

  // A project that already has a tenant needs no sign-in.
  const again = await fixture.machine.run(...ACCOUNT)
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.match((await fixture.machine.run('doctor')).stdout, /ok {4}account/)
})

test('a request target that is no URL at the port of init --account gets 404 and does not end the sign-in', async (t) => {
  const fixture = await createLocalFixture(t)
  const running = fixture.machine.start(ACCOUNT)
  const address = new URL(await addressOf(running))
  const { port } = new URL(address.searchParams.get('redirect_uri') ?? '')
  for (const target of ['//', 'http://a:99999/callback', '*', '/\\', '//?state=x']) {
    const asked = request({ host: '127.0.0.1', port, path: target, agent: false }).end()
    const [response] = await once(asked, 'response')
    assert.equal(response.statusCode, 404, target)
    response.resume()
  }
  await fetch(await decide(fixture.browser(), address.href))
  const { code, stdout, stderr } = await running.ended
  assert.equal(code, 0, stdout + stderr)
})

test('init --account opens the browser and prints the URL', async (t) => {
  const fixture = await createLocalFixture(t)
  const opened = path.join(fixture.machine.home, 'opened')
  const bin = path.dirname(fixture.machine.bin)
  for (const name of ['xdg-open', 'open']) {
    await writeFile(path.join(bin, name), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, {
      mode: 0o755,
    })
  }
  const running = fixture.machine.start(['init', '--account'])
  const address = await addressOf(running)
  await waitUntil(
    'the browser was opened',
    async () => (await readFile(opened, 'utf8').catch(() => '')) === address,
  )
  await fetch(await decide(fixture.browser(), address))
  const { code, stdout } = await running.ended
  assert.equal(code, 0)
  assert.match(stdout, /Created tenant .* \(claimed, does not expire\)/)
})

test('later creations by the CLI and the MCP tool use the stored sign-in, unless --guest is given', async (t) => {
  const fixture = await createLocalFixture(t)
  const browser = await signedIn(fixture)
  const [second, third, guest] = [
    await project(fixture, 'second'),
    await project(fixture, 'third'),
    await project(fixture, 'guest'),
  ]
  const cli = await fixture.machine.run('init', '--json', '--project', second)
  assert.equal(cli.json[0].status, 'claimed')
  const agent = await connect(t, fixture.machine, 'modern')
  const tool = await agent.response('create_tenant', { confirmed: true, project_root: third })
  assert.deepEqual([tool.status, tool.credentials_path], ['claimed', path.join(third, '.service')])
  assert.equal((await projectsOf(fixture, browser)).length, 3)
  const alone = await fixture.machine.run('init', '--json', '--guest', '--project', guest)
  assert.equal(alone.json[0].status, 'ephemeral')
})

test('concurrent processes refresh an expired account token once', async (t) => {
  const fixture = await createLocalFixture(t)
  const browser = await signedIn(fixture)
  const before = JSON.parse(await fixture.machine.read(fixture.machine.accountFile))
  fixture.clock.advance({ hours: 2 })
  await fixture.machine.write(
    JSON.stringify({ ...before, tokens: { ...before.tokens, expires_at_ms: Date.now() } }),
    0o600,
    fixture.machine.accountFile,
  )
  const folders = await Promise.all(
    Array.from({ length: 5 }, (_, number) => project(fixture, `p${number}`)),
  )
  const all = await Promise.all(
    folders.map((folder) => fixture.machine.runProcess('init', '--json', '--project', folder)),
  )
  for (const { code, stdout } of all) {
    assert.equal(code, 0, stdout)
  }
  const after = JSON.parse(await fixture.machine.read(fixture.machine.accountFile))
  assert.equal(after.client_id, before.client_id)
  assert.notEqual(after.tokens.refresh_token, before.tokens.refresh_token)
  assert.equal(
    (await projectsOf(fixture, browser)).length,
    6,
    'no refresh token was used twice, which would have revoked the sign-in',
  )
  assert.deepEqual(await readdir(path.dirname(fixture.machine.accountFile)), [
    path.basename(fixture.machine.accountFile),
  ])

  // A token that the service rejects before its expiry is refreshed too.
  await fixture.machine.write(
    JSON.stringify({
      ...after,
      tokens: { ...after.tokens, access_token: before.tokens.access_token },
    }),
    0o600,
    fixture.machine.accountFile,
  )
  assert.equal(
    (await fixture.machine.run('init', '--json', '--project', await project(fixture, 'late'))).code,
    0,
  )
})

test('an ended sign-in fails with signInNeeded instead of creating a guest', async (t) => {
  const fixture = await createLocalFixture(t)
  const browser = await signedIn(fixture)
  const { tokens, client_id } = JSON.parse(await fixture.machine.read(fixture.machine.accountFile))
  await fetch(`${fixture.baseUrl}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: tokens.refresh_token, client_id }),
  })
  const folder = await project(fixture, 'next')
  const { next } = await fixture.machine.expectProblem(
    1,
    'signInNeeded',
    'init',
    '--project',
    folder,
  )
  assert.match(next, /init --account/)
  const agent = await connect(t, fixture.machine, 'legacy')
  const text = await agent.apiError('create_tenant', { confirmed: true, project_root: folder })
  assert.match(text, /^signInNeeded: .*\(npx .*@gatehouse-auth\/local init --account/)
  assert.equal((await readdir(folder)).includes('.service'), false)

  const again = fixture.machine.start([...ACCOUNT, '--project', folder])
  await fetch(await decide(browser, await addressOf(again)))
  assert.equal((await again.ended).json[0].status, 'claimed')
  assert.equal(
    JSON.parse(await fixture.machine.read(fixture.machine.accountFile)).client_id,
    client_id,
    'the client registration is reused',
  )
})

test('a denied sign-in, a forged callback and Ctrl-C create and store nothing', async (t) => {
  const fixture = await createLocalFixture(t)
  const denied = fixture.machine.start(ACCOUNT)
  const page = await fetch(await decide(fixture.browser(), await addressOf(denied), 'Deny'))
  assert.match(await page.text(), /Not signed in/)
  assertProblem(await denied.ended, 1, 'signInDenied')

  const forged = fixture.machine.start(ACCOUNT)
  const { redirect_uri, state } = Object.fromEntries(new URL(await addressOf(forged)).searchParams)
  await fetch(
    `${redirect_uri}?${new URLSearchParams({ code: 'mcp_ac_x', state: state ?? '', iss: 'https://evil.example' })}`,
  )
  assertProblem(await forged.ended, 1, 'signInDenied')

  const interrupted = inTerminal(t, fixture.machine, ['init', '--account', '--no-open'])
  await interrupted.waitForOutput('Waiting for you')
  interrupted.child.stdin.write('\u0003')
  assert.equal((await interrupted.ended).code, 130)
  assert.deepEqual(await readdir(fixture.machine.project), [])
  await assert.rejects(stat(fixture.machine.accountFile))
})

/** A service that creates the first tenant for an account, and whose response is lost. */
async function losesFirstCreation(t: TestContext) {
  let target = 0
  let lost = 0
  const { port } = await listen(t, (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const onward = request({ port: target, method, headers, path: url }, (response) => {
      if (url === '/api/mcp/bootstrap' && lost++ === 0) {
        return void outgoing.destroy()
      }
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  const fixture = await createLocalFixture(t, { env: { BASE_URL: `http://localhost:${port}` } })
  target = fixture.config.port
  const running = fixture.machine.start(ACCOUNT)
  const browser = fixture.browser()
  await fetch(await decide(browser, await addressOf(running)))
  assertProblem(await running.ended, 3, 'serviceUnreachable')
  return { fixture, browser }
}

test('a creation with a lost response is repeated with the same idempotency key: one tenant, not two', async (t) => {
  const { fixture, browser } = await losesFirstCreation(t)
  assert.deepEqual((await readdir(fixture.machine.project)).sort(), [
    '.gitignore',
    '.service.pending',
  ])
  assert.match(
    (await fixture.machine.run('doctor')).stdout,
    /warn {2}unfinished.*\n.*init --account\. It finishes the creation/,
  )
  const created = await projectsOf(fixture, browser)
  assert.equal(created.length, 1, 'the tenant was created, but its response was lost')

  const again = await fixture.machine.run(...ACCOUNT)
  assert.deepEqual([again.code, again.json[0].tenant_id], [0, created[0]])
  assert.deepEqual(await projectsOf(fixture, browser), created)
  assert.deepEqual((await readdir(fixture.machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
})

test('a creation with a lost response is finished by a client that registered again, too', async (t) => {
  const { fixture, browser } = await losesFirstCreation(t)
  const [created] = await projectsOf(fixture, browser)
  await rm(fixture.machine.accountFile)
  const elsewhere = await project(fixture, 'elsewhere')
  const other = fixture.machine.start([...ACCOUNT, '--project', elsewhere])
  await fetch(await decide(browser, await addressOf(other)))
  assert.equal((await other.ended).code, 0)

  const again = await fixture.machine.run(...ACCOUNT)

  assert.deepEqual([again.code, again.json[0].tenant_id], [0, created])
  assert.equal((await projectsOf(fixture, browser)).length, 2)
})

test('sign-out revokes the tokens and removes them from this machine; the next init creates a guest', async (t) => {
  const fixture = await createLocalFixture(t)
  await signedIn(fixture)
  const { tokens } = JSON.parse(await fixture.machine.read(fixture.machine.accountFile))
  const out = await fixture.machine.run('sign-out', '--json')
  assert.deepEqual([out.code, out.json[0].result], [0, 'signed-out'])
  assert.doesNotMatch(await fixture.machine.read(fixture.machine.accountFile), /mcp_(at|rt)_/)
  const body = { confirmed: true, idempotency_key: 'abcdefgh' }
  const late = await fixture.agent.call('POST', '/api/mcp/bootstrap', {
    key: tokens.access_token,
    body,
  })
  assert.equal(late.status, 401)
  assert.equal((await fixture.machine.run('sign-out', '--json')).json[0].result, 'not-signed-in')
  const next = await fixture.machine.run(
    'init',
    '--json',
    '--project',
    await project(fixture, 'next'),
  )
  assert.equal(next.json[0].status, 'ephemeral')
})

test('sign-out removes the tokens from disk while the service is unreachable', async (t) => {
  const fixture = await createLocalFixture(t)
  await signedIn(fixture)
  await fixture.stop()
  const out = await fixture.machine.run('sign-out')
  assert.equal(out.code, 0)
  assert.match(out.stdout, /Signed out.*\n.*Revoke the access there too/)
  assert.doesNotMatch(await fixture.machine.read(fixture.machine.accountFile), /mcp_(at|rt)_/)
})

test('an account file that other users can read is rejected', async (t) => {
  const fixture = await createLocalFixture(t)
  await signedIn(fixture)
  await chmod(fixture.machine.accountFile, 0o644)
  const folder = await project(fixture, 'next')
  const { next } = await fixture.machine.expectProblem(
    4,
    'credentialsUnsafe',
    'init',
    '--project',
    folder,
  )
  assert.match(next, /chmod 600/)
})

test('a service URL that differs from the issuer is rejected before the sign-in', async (t) => {
  const fixture = await createLocalFixture(t)
  const machine = await createMachine(t, {
    GATEHOUSE_URL: fixture.baseUrl.replace('localhost', '127.0.0.1'),
  })
  const { next } = await machine.expectProblem(2, 'serviceUrlInvalid', ...ACCOUNT)
  assert.ok(next.includes(`--service ${fixture.baseUrl}`))
})
