import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readCredentialsFile } from '@gatehouse/contract'
import { waitUntil } from '../../service/test/support/process/wait-until.ts'
import { listen } from '../../service/test/support/transport/listen.ts'
import { assertApiError, giveFile, localWorld, someFile } from './support/bench.ts'

test('init writes the file as it came, for its owner only, and tells git to leave it alone', async (t) => {
  const { bench, agent, tenant } = await localWorld(t)
  const done = await bench.run('init', '--json')
  assert.equal(done.code, 0, done.stderr)
  const [created] = done.json
  assert.deepEqual(Object.keys(created), [
    'tenant_id',
    'status',
    'expires_at',
    'tenant_lifecycle',
    'runtime_profile',
    'base_url',
    'credentials_path',
    'reused',
  ])
  assert.deepEqual([created.status, created.reused, created.credentials_path], ['ephemeral', false, bench.file])
  assert.equal(await bench.mode(), '600')
  assert.deepEqual((await readdir(bench.project)).sort(), ['.gitignore', '.service'])
  assert.match(await bench.read(path.join(bench.project, '.gitignore')), /^\.service$/m)
  const status = await (await tenant()).status()
  assert.equal(status.tenant_id, created.tenant_id, 'the keys in it are the tenant’s')

  // Verbatim: what the service would write, comments and all.
  const other = await agent.call('POST', '/api/genesis')
  const shape = (text: string): string[] => text.split('\n').map((line) => line.replace(/=.*/, '='))
  assert.deepEqual(shape(await bench.read()), shape(other.json.credentials_file.content))
})

test('git agrees that the file is ignored, and nothing of a creation is left to commit', async (t) => {
  const { bench } = await localWorld(t)
  execFileSync('git', ['init', '-q', bench.project])
  assert.equal((await bench.run('init')).code, 0)
  const listed = execFileSync('git', ['-C', bench.project, 'status', '--porcelain', '-uall'], { encoding: 'utf8' })
  assert.equal(listed.trim(), '?? .gitignore')
})

test('a project that has its tenant keeps it, and its file is not touched', async (t) => {
  const { bench, agent } = await localWorld(t)
  await bench.run('init')
  const text = await bench.read()
  const again = await bench.run('init', '--json')
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.equal(again.json[0].tenant_id, /tenant_id=(.*)/.exec(text)?.[1])
  assert.equal(await bench.read(), text)
  const people = await bench.run('init')
  assert.match(people.stdout, /This project has tenant/)

  // Nine more may be made in this minute: the second and third init made none.
  for (let left = 9; left > 0; left--) assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  assert.equal((await agent.call('POST', '/api/genesis')).status, 429)
})

test('ten at once give one tenant; the others are refused or find it', async (t) => {
  const { bench, agent } = await localWorld(t)
  const all = await Promise.all(Array.from({ length: 10 }, () => bench.run('init', '--json')))
  const made = all.filter(({ code, json }) => code === 0 && json[0].reused === false)
  assert.equal(made.length, 1)
  for (const { code, json, stdout } of all) {
    const isFine = code === 0 || (code === 5 && json[0].error.code === 'creationInProgress')
    assert.ok(isFine, stdout)
    if (code === 0) assert.equal(json[0].tenant_id, made[0]?.json[0].tenant_id)
  }
  assert.deepEqual((await readdir(bench.project)).sort(), ['.gitignore', '.service'])
  for (let left = 9; left > 0; left--) assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  assert.equal((await agent.call('POST', '/api/genesis')).status, 429, 'ten were counted, one of them ours')
})

test('the lock of a killed creation is taken over; one that lives is respected', async (t) => {
  const { bench } = await localWorld(t)
  const lock = path.join(bench.project, '.service.lock')
  await writeFile(lock, JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }))
  const { message } = await bench.refused(5, 'creationInProgress', 'init')
  assert.match(message, new RegExp(`process ${process.pid}\\b`))
  const { pid } = spawnSync(process.execPath, ['--version'])
  await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: 'x' }))
  assert.equal((await bench.run('init')).code, 0)
})

test('a creation that was killed after the answer is finished by the next one', async (t) => {
  const { bench } = await localWorld(t)
  await bench.run('init')
  const text = await bench.read()
  await rename(bench.file, `${bench.file}.new`)
  const again = await bench.run('init', '--json')
  assert.deepEqual([again.code, again.json[0].reused], [0, true])
  assert.equal(await bench.read(), text)
})

test('a creation that is killed while it waits leaves nothing in the way of the next', async (t) => {
  const { bench } = await localWorld(t)
  const { port } = await listen(t, () => {})
  const running = bench.start(['init'], { GATEHOUSE_URL: `http://localhost:${port}` })
  const isHalfway = async (): Promise<boolean> => (await readdir(bench.project)).includes('.service.new')
  await waitUntil('it is halfway', isHalfway)
  running.child.kill('SIGKILL')
  await running.ended
  assert.deepEqual((await readdir(bench.project)).sort(), ['.gitignore', '.service.lock', '.service.new'])
  assert.equal((await bench.run('init')).code, 0)
  assert.deepEqual((await readdir(bench.project)).sort(), ['.gitignore', '.service'])
})

test('a file that somebody else writes meanwhile is not overwritten, and the new tenant is not lost', async (t) => {
  const at = await localWorld(t)
  const { bench } = at
  const theirs = someFile('http://localhost:1')
  const { port } = await listen(t, async (_request, response) => {
    const made = await at.agent.call('POST', '/api/genesis')
    await bench.write(theirs)
    response.writeHead(made.status, { 'API-Version': '1' }).end(made.text)
  })
  const running = bench.start(['init', '--json'], { GATEHOUSE_URL: `http://localhost:${port}` })
  const { message } = assertApiError(await running.ended, 4, 'credentialsForeign')
  assert.match(message, /\.service\.new/)
  assert.equal(await bench.read(), theirs)
  const kept = readCredentialsFile(await bench.read(`${bench.file}.new`))
  assert.ok(kept.ok)
  assert.equal(await bench.mode(`${bench.file}.new`), '600')
})

test('a file that cannot be used stays as it is, and nothing is created', async (t) => {
  const { bench, agent } = await localWorld(t)
  const whole = someFile('http://localhost:1')
  const cases: readonly [string, string, number][] = [
    ['credentialsUnreadable', whole.slice(0, 250), 0o600],
    ['credentialsUnreadable', '', 0o600],
    ['credentialsUnsafe', whole, 0o644],
    ['credentialsForeign', whole, 0o600],
  ]
  for (const [code, text, mode] of cases) {
    await writeFile(bench.file, text)
    await chmod(bench.file, mode)
    await bench.refused(4, code, 'init')
    assert.equal(await readFile(bench.file, 'utf8'), text)
    await rm(bench.file)
  }
  await writeFile(path.join(bench.home, 'real'), whole, { mode: 0o600 })
  await symlink(path.join(bench.home, 'real'), bench.file)
  await bench.refused(4, 'credentialsUnsafe', 'init')
  for (let left = 10; left > 0; left--) assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
})

test('the file of a tenant that has ended, or whose keys were replaced, is not overwritten', async (t) => {
  const { bench, agent, clock } = await localWorld(t)
  const guest = await agent.createTenant()
  await giveFile(bench, guest)
  const before = await bench.read()
  clock.advance({ hours: 73 })
  const { next } = await bench.refused(4, 'credentialsForeign', 'init')
  assert.match(next, /^Move it away \(mv /)
  await bench.write(before.replace(/svc_man_\w+/, guest.created.coh_management_key.replace(/.{6}$/, 'aaaaaa')))
  await bench.refused(4, 'invalidCredentials', 'init')
  assert.equal((await readdir(bench.project)).includes('.service'), true)
})

test('a folder that cannot be written to, or does not exist, is found out before anything is created', async (t) => {
  const { bench, agent } = await localWorld(t)
  await bench.refused(2, 'projectRootInvalid', 'init', '--project', path.join(bench.project, 'gone'))
  // A .gitignore that cannot be kept is as good a reason as any: the credentials could be committed.
  await mkdir(path.join(bench.project, '.gitignore'))
  await bench.refused(1, 'notWritable', 'init')
  for (let left = 10; left > 0; left--) assert.equal((await agent.call('POST', '/api/genesis')).status, 201)
  assert.deepEqual(await readdir(bench.project), ['.gitignore'])
})

test('verbs find the file from a folder further down, or where they are told', async (t) => {
  const { bench } = await localWorld(t)
  await bench.run('init')
  const read = readCredentialsFile(await bench.read())
  assert.ok(read.ok)
  const deep = path.join(bench.project, 'a/b')
  await mkdir(deep, { recursive: true })
  await bench.refused(4, 'credentialsMissing', 'status', '--project', deep)
  const found = await bench.run('status', '--json', '--project', bench.project)
  assert.equal(found.json[0].tenant_id, read.credentials.tenant_id)
})
