import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { claim } from '../../service/test/support/actors/claim.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { withoutGit } from './support/git.ts'
import {
  createLocalFixture,
  createMachine,
  type Machine,
  validCredentialsFile,
  writeTenantFile,
} from './support/machine.ts'

/** The report as `check: level`, and the exit code. Asserts that every finding that is not ok has a fix. */
async function runDoctor(
  machine: Machine,
): Promise<{ levels: Record<string, string>; code: number | null }> {
  const { code, json, stdout } = await machine.run('doctor', '--json')
  const [report] = json
  assert.ok(report?.checks, stdout)
  for (const { level, message, fix } of report.checks) {
    assert.ok(message.length > 10)
    assert.equal(level === 'ok', fix === undefined)
  }
  assert.deepEqual([report.ok, code], code === 0 ? [true, 0] : [false, 1])
  const levels = Object.fromEntries(
    report.checks.map(({ check, level }: Record<string, string>) => [check, level]),
  )
  return { levels, code }
}

test('doctor reports every check of a complete project as ok', async (t) => {
  const { machine, browser, tenant } = await createLocalFixture(t, { realTime: true })
  assert.deepEqual((await runDoctor(machine)).levels, {
    'credentials file': 'fail',
    service: 'ok',
    version: 'ok',
    clock: 'ok',
  })
  await machine.run('init')
  const fresh = await runDoctor(machine)
  assert.deepEqual([fresh.levels.tenant, fresh.levels.callbacks, fresh.code], ['ok', 'warn', 0])
  await machine.run('provision', 'http://localhost:3000/cb')
  assert.equal((await runDoctor(machine)).levels.callbacks, 'warn')
  await machine.run('provision', '--add', 'https://app.example.com/cb')
  await claim(await tenant(), browser())
  assert.deepEqual((await runDoctor(machine)).levels, {
    'credentials file': 'ok',
    'file mode': 'ok',
    gitignore: 'ok',
    packages: 'ok',
    service: 'ok',
    version: 'ok',
    clock: 'ok',
    tenant: 'ok',
    callbacks: 'ok',
  })
  const text = await machine.run('doctor')
  assert.equal(text.stdout.trim().split('\n').length, 9)
  assert.match(text.stdout, /^ok {4}credentials file {2}/)
})

test('doctor names file problems and the command that fixes them', {
  skip: withoutGit,
}, async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  await chmod(machine.file, 0o644)
  assert.deepEqual((await runDoctor(machine)).levels['file mode'], 'fail')
  assert.match((await machine.run('doctor')).stdout, /^fail {2}file mode .*\n +→ Run: chmod 600/)
  await chmod(machine.file, 0o600)

  await rm(path.join(machine.project, '.gitignore'))
  assert.equal((await runDoctor(machine)).levels.gitignore, 'fail')
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-C', machine.project, ...args], { stdio: 'ignore' })
  git('init', '-q')
  await writeFile(path.join(machine.project, '.git/info/exclude'), '.service\n.service.*\n')
  assert.equal((await runDoctor(machine)).levels.gitignore, 'ok', '.git/info/exclude counts too')
  git('add', '-f', '.service')
  assert.match((await machine.run('doctor')).stdout, /fail {2}gitignore .*committed/)
  git('rm', '-q', '--cached', '.service')

  await writeFile(path.join(machine.project, '.service.lock'), '{}')
  assert.equal((await runDoctor(machine)).levels.unfinished, 'warn')
  await writeFile(machine.file, 'tenant_id=', { mode: 0o600 })
  assert.equal((await runDoctor(machine)).levels['credentials file'], 'fail')
})

test('doctor checks that git ignores every file with a secret, and its fix ignores them all', {
  skip: withoutGit,
}, async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', machine.project, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  git('init', '-q')
  const files = ['.service', '.service.secret', '.service.wh_1', '.env.local']
  for (const name of files.slice(2)) {
    await writeFile(path.join(machine.project, name), 'GATEHOUSE_SECRET=x\n')
  }
  const ignore = path.join(machine.project, '.gitignore')
  await writeFile(ignore, 'node_modules/\n.service')
  const { stdout } = await machine.run('doctor')
  assert.match(
    stdout,
    /^fail {2}gitignore +git does not ignore \.service\.secret, \.service\.wh_1, \.env\.local\.$/m,
  )
  const [, fix = ''] = /→ Run: (printf .*)$/m.exec(stdout) ?? []
  execFileSync('sh', ['-c', fix], { cwd: machine.project })
  assert.equal((await runDoctor(machine)).levels.gitignore, 'ok')
  git('add', '-A')
  assert.deepEqual(git('ls-files').trim().split('\n'), ['.gitignore', '.npmrc'])
  git('add', '-f', '.service.secret')
  assert.match(
    (await machine.run('doctor')).stdout,
    /fail {2}gitignore +\.service\.secret is committed.*\n.*git rm --cached \.service\.secret\./,
  )
})

test('doctor fails if the running app shows the keys, as a server of the whole folder does', async (t) => {
  const { machine } = await createLocalFixture(t, { realTime: true })
  await machine.run('init')
  let published = ''
  const { port } = await listen(t, async (request, response) => {
    const isFile = request.url === published
    response.writeHead(isFile ? 200 : 404).end(isFile ? await machine.read() : 'not found')
  })
  await machine.run('provision', `http://localhost:${port}/auth/callback`)
  for (published of ['/.service', `/@fs${machine.file}`, `/_nuxt/@fs${machine.file}`]) {
    const { stdout, code } = await machine.run('doctor')
    const page = RegExp.escape(`http://localhost:${port}${published}.`)
    assert.match(
      stdout,
      new RegExp(`^fail {2}published +.*${page}\\n +→ Deny .*server\\.fs\\.deny`, 'm'),
    )
    assert.equal(code, 1)
    assert.doesNotMatch(stdout, /svc_/)
  }
  published = ''
  assert.equal((await runDoctor(machine)).levels.published, undefined)
})

test('doctor names problems of the service, the clock and the tenant', async (t) => {
  const { machine, agent, clock } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await machine.write(tenant.created.credentials_file.content)
  clock.advance({ hours: 60 })
  assert.equal((await runDoctor(machine)).levels.tenant, 'warn')
  clock.advance({ hours: 13 })
  assert.equal((await runDoctor(machine)).levels.tenant, 'fail')

  const unreachable = await createMachine(t, {})
  await unreachable.write(validCredentialsFile(`http://localhost:${await freePort()}`))
  assert.deepEqual([(await runDoctor(unreachable)).levels.service], ['fail'])

  const { port } = await listen(t, (_request, response) => {
    const headers = { 'API-Version': '1', Date: new Date(Date.now() - 600_000).toUTCString() }
    response.writeHead(503, headers).end('{"error":{"code":"invalidCredentials","message":"no"}}')
  })
  const skewed = await createMachine(t, {})
  await skewed.write(validCredentialsFile(`http://localhost:${port}`))
  const { levels } = await runDoctor(skewed)
  assert.deepEqual(
    [levels.service, levels.version, levels.clock, levels.tenant],
    ['warn', 'ok', 'fail', 'fail'],
  )
})

// proves C187
test('doctor names refused sign-ins and disabled webhooks, each with its fix', async (t) => {
  const { machine, agent, browser, clock, app } = await createLocalFixture(t)
  const tenant = await agent.createTenant()
  await writeTenantFile(machine, tenant)
  await browser().open(`${tenant.loginUrl}?redirect_uri=https://app.example.com/calback`)
  const { port } = await listen(t, (_request, response) => response.writeHead(410).end())
  const { json } = await tenant.manage('POST', '/api/webhooks', {
    url: `http://localhost:${port}/`,
  })
  await tenant.signIn(browser())
  clock.advance({ seconds: 5 })
  await app.deliver()
  const { stdout } = await machine.run('doctor')
  assert.match(
    stdout,
    /^warn {2}sign-ins .*once \(invalidRedirectUri\).*\n +→ Send redirect_uri=https:\/\/app\.example\.com\/callback/m,
  )
  assert.match(
    stdout,
    new RegExp(
      `^warn {2}webhooks .*${json.webhook.id} is disabled \\(gone\\).*\\n +→ .*webhooks enable`,
      'm',
    ),
  )
  assert.doesNotMatch(stdout, /ada@example/)
})
