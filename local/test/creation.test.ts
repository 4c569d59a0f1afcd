import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse-auth/contract'
import { run } from '../../service/test/support/process/run.ts'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { exitCodeOf } from '../src/cli/exit-codes.ts'
import { Problem } from '../src/problem.ts'
import { createTenant } from '../src/project/create-tenant.ts'
import { withoutGit } from './support/git.ts'
import {
  assertProblem,
  createLocalFixture,
  validCredentialsFile,
  writeTenantFile,
} from './support/machine.ts'

// proves C107
test('init writes .service verbatim with mode 0600 and adds it to .gitignore', async (t) => {
  const { machine, agent, tenant } = await createLocalFixture(t)
  const init = await machine.run('init', '--json')
  assert.equal(init.code, 0, init.stderr)
  const [created] = init.json
  assert.deepEqual(Object.keys(created), [
    'tenant_id',
    'status',
    'expires_at',
    'tenant_lifecycle',
    'runtime_profile',
    'base_url',
    'credentials_path',
    'reused',
    'secret_path',
    'npmrc_file',
  ])
  assert.deepEqual(
    [created.status, created.reused, created.credentials_path],
    ['ephemeral', false, machine.file],
  )
  assert.equal(await machine.mode(), '600')
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
  assert.match(await machine.read(path.join(machine.project, '.gitignore')), /^\.service$/m)
  const status = await (await tenant()).status()
  assert.equal(status.tenant_id, created.tenant_id, "the file contains the tenant's keys")

  // Verbatim: the same lines as in the service's response, including comments.
  const other = await agent.call('POST', '/api/genesis')
  const shape = (text: string): string[] => text.split('\n').map((line) => line.replace(/=.*/, '='))
  assert.deepEqual(shape(await machine.read()), shape(other.json.credentials_file.content))
})

test('after init, git status lists only .gitignore and .npmrc', { skip: withoutGit }, async (t) => {
  const { machine } = await createLocalFixture(t)
  execFileSync('git', ['init', '-q', machine.project])
  assert.equal((await machine.run('init')).code, 0)
  const listed = execFileSync('git', ['-C', machine.project, 'status', '--porcelain', '-uall'], {
    encoding: 'utf8',
  })
  assert.equal(listed.trim(), '?? .gitignore\n?? .npmrc')
})

test('init keeps the tenant of a project that has one, and does not change its file', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  await machine.run('init')
  const text = await machine.read()
  const again = await machine.run('init', '--json')
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.equal(again.json[0].tenant_id, /tenant_id=(.*)/.exec(text)?.[1])
  assert.equal(await machine.read(), text)
  const reused = await machine.run('init')
  assert.match(reused.stdout, /This project already has tenant/)

  // The limit is ten creations a minute, so nine are left: the second and third init created none.
  for (let left = 9; left > 0; left--) {
    assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  }
  assert.equal((await agent.call('POST', '/api/genesis')).status, 429)
})

test('ten concurrent inits create one tenant, and all of them succeed with it', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const all = await Promise.all(
    Array.from({ length: 10 }, () => machine.runProcess('init', '--json')),
  )
  const [first] = all.filter(({ json }) => json[0].reused === false)
  for (const { code, json, stdout } of all) {
    assert.deepEqual([code, json[0].tenant_id], [0, first?.json[0].tenant_id], stdout)
  }
  assert.equal(all.filter(({ json }) => json[0].reused).length, 9)
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
  for (let left = 9; left > 0; left--) {
    assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  }
  assert.equal(
    (await agent.call('POST', '/api/genesis')).status,
    429,
    'init used one of ten creations',
  )
})

test('an init that finds another one creating says so, waits, and uses its tenant', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const lock = path.join(machine.project, '.service.lock')
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }))
  const waiting = machine.start(['init', '--json'])
  await waiting.waitForOutput('Another program is creating a tenant for this project')
  const tenant = await agent.createTenant(null)
  await writeTenantFile(machine, tenant)
  await rm(lock)
  const { code, json } = await waiting.ended
  assert.deepEqual([code, json[0].reused, json[0].tenant_id], [0, true, tenant.id])
})

test('init takes over the lock of a killed process, and respects the lock of a running one', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const lock = path.join(machine.project, '.service.lock')
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }))
  const options = { root: machine.project, service: baseUrl, serviceIsExplicit: true, waitMs: 0 }
  const creator = async (): Promise<never> => assert.fail('creates a tenant')
  await assert.rejects(createTenant({ ...options, creator }), (error) => {
    assert.ok(error instanceof Problem && error.code === 'creationInProgress')
    assert.match(error.message, new RegExp(`process ${process.pid}\\b`))
    return exitCodeOf(error) === 1
  })
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: 'x' }))
  assert.equal((await machine.run('init')).code, 0)
})

test('init completes a creation that was killed after its response', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  const text = await machine.read()
  await rename(machine.file, `${machine.file}.new`)
  const again = await machine.run('init', '--json')
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.equal(await machine.read(), text)
})

test('init works after a creation that was killed while waiting for the response', async (t) => {
  const { machine } = await createLocalFixture(t)
  const { port } = await listen(t, () => {})
  const running = machine.start(['init'], { GATEHOUSE_URL: `http://localhost:${port}` })
  const hasDraft = async (): Promise<boolean> =>
    (await readdir(machine.project)).includes('.service.new')
  await waitUntil('the draft exists', hasDraft)
  running.child.kill('SIGKILL')
  await running.ended
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.service.lock',
    '.service.new',
  ])
  assert.equal((await machine.run('init')).code, 0)
  assert.deepEqual((await readdir(machine.project)).sort(), [
    '.gitignore',
    '.npmrc',
    '.service',
    '.service.secret',
  ])
})

test('a .service file written during the creation is not overwritten, and the new credentials are kept', async (t) => {
  const fixture = await createLocalFixture(t)
  const { machine } = fixture
  const concurrent = validCredentialsFile('http://localhost:1')
  const { port } = await listen(t, async (_request, response) => {
    const created = await fixture.agent.call('POST', '/api/genesis')
    await machine.write(concurrent)
    response.writeHead(created.status, { 'API-Version': '1' }).end(created.text)
  })
  const running = machine.start(['init', '--json'], { GATEHOUSE_URL: `http://localhost:${port}` })
  const { message } = assertProblem(await running.ended, 4, 'credentialsForeign')
  assert.match(message, /\.service\.new/)
  assert.equal(await machine.read(), concurrent)
  const kept = readCredentialsFile(await machine.read(`${machine.file}.new`))
  assert.ok(kept.ok)
  assert.equal(await machine.mode(`${machine.file}.new`), '600')
})

test('an unusable .service file is not changed, and no tenant is created', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const complete = validCredentialsFile('http://localhost:1')
  const cases: readonly [string, string, number][] = [
    ['credentialsUnreadable', complete.slice(0, 250), 0o600],
    ['credentialsUnreadable', '', 0o600],
    ['credentialsUnsafe', complete, 0o644],
    ['credentialsForeign', complete, 0o600],
  ]
  for (const [code, text, mode] of cases) {
    await writeFile(machine.file, text)
    await chmod(machine.file, mode)
    await machine.expectProblem(4, code, 'init')
    assert.equal(await readFile(machine.file, 'utf8'), text)
    await rm(machine.file)
  }
  await writeFile(path.join(machine.home, 'real'), complete, { mode: 0o600 })
  await symlink(path.join(machine.home, 'real'), machine.file)
  await machine.expectProblem(4, 'credentialsUnsafe', 'init')
  for (let left = 10; left > 0; left--) {
    assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  }
})

test('a printed command works in a folder whose name has spaces and a quote', async (t) => {
  const { machine, agent, clock } = await createLocalFixture(t)
  const folder = path.join(machine.project, "ada's shop")
  const file = path.join(folder, '.service')
  await mkdir(folder)
  const follow = async (problem: string, command: RegExp): Promise<void> => {
    const { next } = await machine.expectProblem(4, problem, 'init', '--project', folder)
    const [, found = ''] = command.exec(next) ?? []
    await run('/bin/sh', ['-euc', found], { cwd: machine.home })
  }
  await machine.write('damaged', 0o644, file)
  await follow('credentialsUnsafe', /^Run: (chmod .*)\. If others/)
  assert.equal(await machine.mode(file), '600')
  await follow('credentialsUnreadable', /(mv .*) && .* init\b/)
  assert.equal(await machine.read(`${file}.old`), 'damaged')
  await machine.write((await agent.createTenant()).created.credentials_file.content, 0o600, file)
  clock.advance({ hours: 73 })
  await follow('credentialsForeign', /(mv .*) && .* init\b/)
  assert.match(await machine.read(`${file}.old`), /^tenant_id=/m)
})

test('the .service file of an expired tenant or with replaced keys is not overwritten', async (t) => {
  const { machine, agent, clock } = await createLocalFixture(t)
  const guest = await agent.createTenant()
  await writeTenantFile(machine, guest)
  const before = await machine.read()
  clock.advance({ hours: 73 })
  const { next } = await machine.expectProblem(4, 'credentialsForeign', 'init')
  assert.match(next, /^Create a new tenant: mv /)
  await machine.write(
    before.replace(/svc_man_\w+/, guest.created.coh_management_key.replace(/.{6}$/, 'aaaaaa')),
  )
  await machine.expectProblem(4, 'invalidCredentials', 'init')
  assert.equal((await readdir(machine.project)).includes('.service'), true)
})

test('a missing project folder or an unusable .gitignore fails before a tenant is created', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  await machine.expectProblem(
    2,
    'projectRootInvalid',
    'init',
    '--project',
    path.join(machine.project, 'missing'),
  )
  // Without a .gitignore entry the credentials could be committed.
  await mkdir(path.join(machine.project, '.gitignore'))
  await machine.expectProblem(1, 'notWritable', 'init')
  for (let left = 10; left > 0; left--) {
    assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  }
  assert.deepEqual(await readdir(machine.project), ['.gitignore'])
})

test('--project names the folder of the .service file', async (t) => {
  const { machine } = await createLocalFixture(t)
  await machine.run('init')
  const read = readCredentialsFile(await machine.read())
  assert.ok(read.ok)
  const deep = path.join(machine.project, 'a/b')
  await mkdir(deep, { recursive: true })
  await machine.expectProblem(4, 'credentialsMissing', 'status', '--project', deep)
  const found = await machine.run('status', '--json', '--project', machine.project)
  assert.equal(found.json[0].tenant_id, read.credentials.tenant_id)
})

test('an init that fails leaves .gitignore as it was', async (t) => {
  const { machine } = await createLocalFixture(t)
  const ignore = path.join(machine.project, '.gitignore')
  const unreachable = ['init', '--service', `http://localhost:${await freePort()}`]
  await machine.expectProblem(3, 'serviceUnreachable', ...unreachable)
  assert.deepEqual(await readdir(machine.project), [])

  for (const text of ['node_modules\n', 'node_modules', 'a\r\nb\r\n', '.service\n', '']) {
    await writeFile(ignore, text)
    await machine.expectProblem(3, 'serviceUnreachable', ...unreachable)
    assert.equal(await machine.read(ignore), text)
  }
  // What another program wrote meanwhile stays.
  const { port } = await listen(t, async (_request, response) => {
    await appendFile(ignore, 'dist\n')
    response
      .writeHead(500, { 'API-Version': '1' })
      .end('{"error":{"code":"internalError","message":"The request failed."}}')
  })
  await machine.expectProblem(3, 'internalError', 'init', '--service', `http://localhost:${port}`)
  assert.match(await machine.read(ignore), /dist\n$/)
  assert.deepEqual(await readdir(machine.project), ['.gitignore'])
})

test('a .service file whose key belongs to another tenant is reported by status, init and doctor', async (t) => {
  const { machine, agent } = await createLocalFixture(t)
  const [mine, other] = [await agent.createTenant(), await agent.createTenant()]
  const { content } = mine.created.credentials_file
  await machine.write(content.replace(mine.id, other.id))
  for (const command of ['status', 'init']) {
    const { message } = await machine.expectProblem(4, 'credentialsForeign', command)
    assert.ok(message.includes(mine.id) && message.includes(other.id), message)
  }
  const { stdout } = await machine.run('doctor')
  assert.match(stdout, /fail {2}tenant .*belongs to tenant/)
})
