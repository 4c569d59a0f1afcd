import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { test } from 'node:test'
import type { Browser } from '../../service/test/support/actors/browser.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { assertApiError, type Bench, bench, type LocalWorld, localWorld } from './support/bench.ts'
import type { Running } from './support/command.ts'
import { connect } from './support/mcp.ts'
import { inTerminal } from './support/terminal.ts'

const ACCOUNT = ['init', '--account', '--no-open', '--json']

async function addressOf(running: Running): Promise<string> {
  return /http:\S+\/oauth\/authorize\?\S+/.exec(await running.said(/oauth\/authorize\?\S+\s/))?.[0] ?? ''
}

/** A person follows the address, signs in and decides. Returns where their browser is sent: back to this machine. */
async function decide(person: Browser, address: string, decision = 'Allow'): Promise<URL> {
  await person.open(address)
  if (person.page.text.includes('Sign in with Google')) {
    await person.press('Sign in with Google')
    await person.press('Ada Lovelace')
  }
  const landed = await person.press(decision)
  assert.match(landed.href, /^http:\/\/127\.0\.0\.1:\d+\/callback\?/)
  return landed
}

/** The whole way in, for tests about what comes after. */
async function signedIn(at: LocalWorld, machine: Bench = at.bench): Promise<Browser> {
  const running = machine.start(ACCOUNT)
  const person = at.browser()
  await fetch(await decide(person, await addressOf(running)))
  const { code, stdout, stderr } = await running.ended
  assert.equal(code, 0, stdout + stderr)
  return person
}

const projectsOf = async (at: LocalWorld, person: Browser): Promise<string[]> => {
  const response = await person.request(`${at.baseUrl}/account/insights/data`)
  const { projects } = (await response.json()) as { projects: { tenant_id: string }[] }
  return projects.map(({ tenant_id }) => tenant_id)
}

/** More projects on the same machine. */
async function project(at: LocalWorld, name: string): Promise<string> {
  const folder = path.join(at.bench.home, name)
  await mkdir(folder)
  return folder
}

test('init --account: a person signs in, and the tenant is theirs from the start', async (t) => {
  const at = await localWorld(t)
  const running = at.bench.start(ACCOUNT)
  const address = new URL(await addressOf(running))
  const asked = Object.fromEntries(address.searchParams)
  assert.deepEqual(
    [asked.response_type, asked.code_challenge_method, asked.resource, asked.account_required],
    ['code', 'S256', `${at.baseUrl}/mcp`, 'true'],
  )
  // Whoever guesses the port has not guessed the state, and does not end the wait.
  const stray = await fetch(`${asked.redirect_uri}?code=x&state=guessed&iss=${at.baseUrl}`)
  assert.equal(stray.status, 400)
  assert.equal((await fetch(new URL('/', asked.redirect_uri))).status, 404)

  const person = at.browser()
  const landed = await decide(person, address.href)
  const page = await fetch(landed)
  assert.match(await page.text(), /You are signed in/)
  const { code, json, stderr } = await running.ended
  assert.equal(code, 0, stderr)
  assert.deepEqual([json.length, json[0].status, json[0].expires_at, json[0].reused], [1, 'claimed', null, false])
  assert.deepEqual(await projectsOf(at, person), [json[0].tenant_id])
  assert.equal(await at.bench.mode(), '600')
  assert.deepEqual((await readdir(at.bench.project)).sort(), ['.gitignore', '.service'], 'nothing is pending')
  assert.equal(await at.bench.mode(at.bench.accountFile), '600')
  assert.equal((await stat(path.dirname(at.bench.accountFile))).mode & 0o777, 0o700)

  // For a project that has its tenant nobody is asked again.
  const again = await at.bench.run(...ACCOUNT)
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.match((await at.bench.run('doctor')).stdout, /ok {4}account/)
})

test('the browser is opened for them, and the address printed too', async (t) => {
  const at = await localWorld(t)
  const opened = path.join(at.bench.home, 'opened')
  const bin = path.join(at.bench.home, 'bin')
  await mkdir(bin)
  for (const name of ['xdg-open', 'open']) {
    await writeFile(path.join(bin, name), `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`, { mode: 0o755 })
  }
  const running = at.bench.start(['init', '--account'], { PATH: `${bin}:${process.env.PATH}` })
  const address = await addressOf(running)
  await waitUntil('the browser was opened', async () => (await readFile(opened, 'utf8').catch(() => '')) === address)
  await fetch(await decide(at.browser(), address))
  const { code, stdout } = await running.ended
  assert.equal(code, 0)
  assert.match(stdout, /Created tenant .*: it is owned and does not expire/)
})

test('later creations need no browser: the CLI and the MCP tool use the stored sign-in, unless told otherwise', async (t) => {
  const at = await localWorld(t)
  const person = await signedIn(at)
  const [second, third, guest] = [await project(at, 'second'), await project(at, 'third'), await project(at, 'guest')]
  const cli = await at.bench.run('init', '--json', '--project', second)
  assert.equal(cli.json[0].status, 'claimed')
  const agent = await connect(t, at.bench, 'modern')
  const tool = await agent.response('create_tenant', { confirmed: true, project_root: third })
  assert.deepEqual([tool.status, tool.credentials_path], ['claimed', path.join(third, '.service')])
  assert.equal((await projectsOf(at, person)).length, 3)
  const alone = await at.bench.run('init', '--json', '--guest', '--project', guest)
  assert.equal(alone.json[0].status, 'ephemeral')
})

test('an access token that has ended is refreshed once, by however many programs at once', async (t) => {
  const at = await localWorld(t)
  const person = await signedIn(at)
  const before = JSON.parse(await at.bench.read(at.bench.accountFile))
  at.clock.advance({ hours: 2 })
  await at.bench.write(
    JSON.stringify({ ...before, tokens: { ...before.tokens, expires_at_ms: Date.now() } }),
    0o600,
    at.bench.accountFile,
  )
  const folders = await Promise.all(Array.from({ length: 5 }, (_, number) => project(at, `p${number}`)))
  const all = await Promise.all(folders.map((folder) => at.bench.run('init', '--json', '--project', folder)))
  for (const { code, stdout } of all) assert.equal(code, 0, stdout)
  const after = JSON.parse(await at.bench.read(at.bench.accountFile))
  assert.equal(after.client_id, before.client_id)
  assert.notEqual(after.tokens.refresh_token, before.tokens.refresh_token)
  assert.equal((await projectsOf(at, person)).length, 6, 'a token that came twice would have ended the sign-in')
  assert.deepEqual(await readdir(path.dirname(at.bench.accountFile)), [path.basename(at.bench.accountFile)])

  // A token that the service no longer takes, though its time is not up, is refreshed too.
  await at.bench.write(
    JSON.stringify({ ...after, tokens: { ...after.tokens, access_token: before.tokens.access_token } }),
    0o600,
    at.bench.accountFile,
  )
  assert.equal((await at.bench.run('init', '--json', '--project', await project(at, 'late'))).code, 0)
})

test('a sign-in that has ended is never silently a guest', async (t) => {
  const at = await localWorld(t)
  const person = await signedIn(at)
  const { tokens, client_id } = JSON.parse(await at.bench.read(at.bench.accountFile))
  await fetch(`${at.baseUrl}/oauth/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ token: tokens.refresh_token, client_id }),
  })
  const folder = await project(at, 'next')
  const { next } = await at.bench.refused(1, 'signInNeeded', 'init', '--project', folder)
  assert.match(next, /init --account/)
  const agent = await connect(t, at.bench, 'legacy')
  const text = await agent.apiError('create_tenant', { confirmed: true, project_root: folder })
  assert.match(text, /^signInNeeded: .*npx @gatehouse\/local init --account/)
  assert.equal((await readdir(folder)).includes('.service'), false)

  const again = at.bench.start([...ACCOUNT, '--project', folder])
  await fetch(await decide(person, await addressOf(again)))
  assert.equal((await again.ended).json[0].status, 'claimed')
  assert.equal(JSON.parse(await at.bench.read(at.bench.accountFile)).client_id, client_id, 'still the same client')
})

test('a no, a forged answer and Ctrl-C each end without anything created or kept', async (t) => {
  const at = await localWorld(t)
  const refusing = at.bench.start(ACCOUNT)
  const answered = await fetch(await decide(at.browser(), await addressOf(refusing), 'Deny'))
  assert.match(await answered.text(), /Not signed in/)
  assertApiError(await refusing.ended, 1, 'signInDenied')

  const forged = at.bench.start(ACCOUNT)
  const { redirect_uri, state } = Object.fromEntries(new URL(await addressOf(forged)).searchParams)
  await fetch(
    `${redirect_uri}?${new URLSearchParams({ code: 'mcp_ac_x', state: state ?? '', iss: 'https://evil.example' })}`,
  )
  assertApiError(await forged.ended, 1, 'signInDenied')

  const stopped = inTerminal(t, at.bench, ['init', '--account', '--no-open'])
  await stopped.said('Waiting for you')
  stopped.child.stdin.write('\u0003')
  assert.equal((await stopped.ended).code, 130)
  assert.deepEqual(await readdir(at.bench.project), [])
  await assert.rejects(stat(at.bench.accountFile))
})

test('an answer that got lost is asked for again under the same name: one tenant, not two', async (t) => {
  let target = 0
  let lost = 0
  const { port } = await listen(t, (incoming, outgoing) => {
    const { method, headers, url } = incoming
    const onward = request({ port: target, method, headers, path: url }, (response) => {
      if (url === '/api/mcp/bootstrap' && lost++ === 0) return void outgoing.destroy()
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  const at = await localWorld(t, { env: { BASE_URL: `http://localhost:${port}` } })
  target = at.config.port
  const running = at.bench.start(ACCOUNT)
  const person = at.browser()
  await fetch(await decide(person, await addressOf(running)))
  assertApiError(await running.ended, 3, 'serviceUnreachable')
  assert.deepEqual((await readdir(at.bench.project)).sort(), ['.gitignore', '.service.pending'])
  assert.match((await at.bench.run('doctor')).stdout, /warn {2}unfinished.*\n.*init --account finishes it/)
  const created = await projectsOf(at, person)
  assert.equal(created.length, 1, 'it was created; only nobody heard of it')

  const again = await at.bench.run(...ACCOUNT)
  assert.deepEqual([again.code, again.json[0].tenant_id], [0, created[0]])
  assert.deepEqual(await projectsOf(at, person), created)
  assert.deepEqual((await readdir(at.bench.project)).sort(), ['.gitignore', '.service'])
})

test('sign-out ends it there and here, and what comes after is a guest', async (t) => {
  const at = await localWorld(t)
  await signedIn(at)
  const { tokens } = JSON.parse(await at.bench.read(at.bench.accountFile))
  const out = await at.bench.run('sign-out', '--json')
  assert.deepEqual([out.code, out.json[0].result], [0, 'signed-out'])
  assert.doesNotMatch(await at.bench.read(at.bench.accountFile), /mcp_(at|rt)_/)
  const body = { confirmed: true, idempotency_key: 'abcdefgh' }
  const late = await at.agent.call('POST', '/api/mcp/bootstrap', { key: tokens.access_token, body })
  assert.equal(late.status, 401)
  assert.equal((await at.bench.run('sign-out', '--json')).json[0].result, 'nobody')
  const next = await at.bench.run('init', '--json', '--project', await project(at, 'next'))
  assert.equal(next.json[0].status, 'ephemeral')
})

test('sign-out while the service is away still leaves no token on the disk', async (t) => {
  const at = await localWorld(t)
  await signedIn(at)
  await at.stop()
  const out = await at.bench.run('sign-out')
  assert.equal(out.code, 0)
  assert.match(out.stdout, /Signed out.*\n.*end the connection there too/)
  assert.doesNotMatch(await at.bench.read(at.bench.accountFile), /mcp_(at|rt)_/)
})

test('a sign-in that others could read is not used', async (t) => {
  const at = await localWorld(t)
  await signedIn(at)
  await chmod(at.bench.accountFile, 0o644)
  const folder = await project(at, 'next')
  const { next } = await at.bench.refused(4, 'credentialsUnsafe', 'init', '--project', folder)
  assert.match(next, /chmod 600/)
})

test('an address by which the service does not call itself is pointed out before anybody signs in', async (t) => {
  const at = await localWorld(t)
  const machine = await bench(t, { GATEHOUSE_URL: at.baseUrl.replace('localhost', '127.0.0.1') })
  const { next } = await machine.refused(2, 'serviceUrlInvalid', ...ACCOUNT)
  assert.ok(next.includes(`--service ${at.baseUrl}`))
})
