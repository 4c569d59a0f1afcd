import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { findProjectRoot } from '../src/credentials/find.ts'
import { ignoreCredentials, isIgnored } from '../src/credentials/gitignore.ts'
import { Busy, withLock } from '../src/credentials/lock.ts'
import { requireProjectRoot } from '../src/credentials/project-root.ts'
import { readProject } from '../src/credentials/read.ts'
import { finishDraft, openDraft } from '../src/credentials/write.ts'
import { Problem } from '../src/problem.ts'
import { someFile } from './support/bench.ts'

const FILE = someFile('http://localhost:8787')

/** It is refused with this code, in a sentence with a next step for both readers. */
async function refused(work: Promise<unknown>, code: string): Promise<Problem> {
  const problem = await work.then(
    () => assert.fail(`not refused: ${code}`),
    (error: unknown) => error,
  )
  assert.ok(problem instanceof Problem, String(problem))
  assert.equal(problem.code, code)
  assert.ok(problem.next.cli.length > 5 && problem.next.agent.length > 5)
  assert.doesNotMatch(problem.message + problem.next.cli + problem.next.agent, /svc_(man|app)_/)
  return problem
}

test('the credentials of a project are read from a file that only its owner can read', async () => {
  const root = await freshFolder()
  const file = path.join(root, '.service')
  await refused(readProject(root), 'credentialsMissing')
  await writeFile(file, FILE, { mode: 0o600 })
  assert.equal((await readProject(root)).credentials.tenant_id, 'old-owl-resting-abcd')
  for (const mode of [0o640, 0o604, 0o620, 0o610, 0o666]) {
    await chmod(file, mode)
    assert.match((await refused(readProject(root), 'credentialsUnsafe')).next.cli, /chmod 600/)
  }
  await chmod(file, 0o400)
  assert.equal((await readProject(root)).path, file)
})

test('a link, a folder, a pipe or a giant in its place is refused and left as it is', async () => {
  const root = await freshFolder()
  const file = path.join(root, '.service')
  const elsewhere = path.join(root, 'elsewhere')
  await writeFile(elsewhere, FILE, { mode: 0o600 })
  await symlink(elsewhere, file)
  assert.match((await refused(readProject(root), 'credentialsUnsafe')).message, /symbolic link/)
  await rm(file)
  await mkdir(file, { mode: 0o700 })
  await refused(readProject(root), 'credentialsUnsafe')
  await rm(file, { recursive: true })
  execFileSync('mkfifo', ['-m', '600', file])
  await refused(readProject(root), 'credentialsUnsafe')
  await rm(file)
  await writeFile(file, `# ${'x'.repeat(70_000)}\n${FILE}`, { mode: 0o600 })
  await refused(readProject(root), 'credentialsUnsafe')
})

test('a damaged file is told by line or field, never by value', async () => {
  const root = await freshFolder()
  const file = path.join(root, '.service')
  const cases: readonly [string, RegExp][] = [
    ['', /has no base_url/],
    [FILE.slice(0, FILE.indexOf('coh_application_key')), /has no coh_application_key/],
    [FILE.slice(0, FILE.indexOf('svc_man_') + 4), /coh_management_key|has no/],
    [FILE.replace(/svc_man_\w+/, 'svc_app_zzz'), /coh_management_key/],
    [`${FILE}coh_management_key=svc_man_other\n`, /repeats a key/],
    ['\u0000\u0001binary', /Line 1/],
  ]
  for (const [text, message] of cases) {
    await writeFile(file, text, { mode: 0o600 })
    assert.match((await refused(readProject(root), 'credentialsUnreadable')).message, message)
    assert.equal(await readFile(file, 'utf8'), text, 'nothing was repaired behind anybody’s back')
  }
  // The key would travel in the clear, or to something that is no origin.
  for (const url of ['http://login.example.com', 'https://login.example.com/path', 'https://user@login.example.com']) {
    await writeFile(file, FILE.replace('http://localhost:8787', url), { mode: 0o600 })
    await refused(readProject(root), 'serviceUrlInvalid')
  }
})

test('a project root is an absolute path to a folder, without detours', async () => {
  const root = await freshFolder()
  await writeFile(path.join(root, 'file'), '')
  assert.equal(await requireProjectRoot(root), root)
  assert.equal(await requireProjectRoot(`${root}/`), root)
  for (const bad of [
    '',
    '.',
    'relative',
    `${root}/../x`,
    `${root}/..`,
    `${root}\\..\\x`,
    `${root}/gone`,
    `${root}/file`,
  ]) {
    await refused(requireProjectRoot(bad), 'projectRootInvalid')
  }
  await refused(requireProjectRoot(`${root}\0`), 'projectRootInvalid')
})

test('the file is looked for upwards, as far as the repository reaches', async () => {
  const root = await freshFolder()
  const deep = path.join(root, 'repository/packages/app')
  await mkdir(path.join(root, 'repository/.git'), { recursive: true })
  await mkdir(deep, { recursive: true })
  await writeFile(path.join(root, '.service'), FILE, { mode: 0o600 })
  assert.equal(await findProjectRoot(deep), null, 'not beyond the repository')
  await writeFile(path.join(root, 'repository/.service'), FILE, { mode: 0o600 })
  assert.equal(await findProjectRoot(deep), path.join(root, 'repository'))
  await writeFile(path.join(deep, '.service'), FILE, { mode: 0o600 })
  assert.equal(await findProjectRoot(deep), deep)
})

test('.gitignore gets its lines once, at the end, in its own line ends', async () => {
  const cases: readonly [string | null, string][] = [
    [null, '# Credentials: never to be committed.\n.service\n.service.*\n'],
    ['node_modules', 'node_modules\n# Credentials: never to be committed.\n.service\n.service.*\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n# Credentials: never to be committed.\r\n.service\r\n.service.*\r\n'],
    ['/.service\n', '/.service\n# Credentials: never to be committed.\n.service.*\n'],
    ['.service\n!.service\n', '.service\n!.service\n# Credentials: never to be committed.\n.service\n.service.*\n'],
    ['.service\n.service.*\n', '.service\n.service.*\n'],
  ]
  for (const [before, after] of cases) {
    const root = await freshFolder()
    const file = path.join(root, '.gitignore')
    if (before !== null) await writeFile(file, before)
    await ignoreCredentials(root)
    await ignoreCredentials(root)
    assert.equal(await readFile(file, 'utf8'), after)
    assert.equal(await isIgnored(root), true)
  }
  const root = await freshFolder()
  await writeFile(path.join(root, 'other'), '')
  await symlink(path.join(root, 'other'), path.join(root, '.gitignore'))
  await refused(ignoreCredentials(root), 'notWritable')
  assert.equal(await readFile(path.join(root, 'other'), 'utf8'), '')
})

test('a draft gets its name with mode 0600, and never takes the place of another file', async () => {
  const root = await freshFolder()
  const before = process.umask(0)
  try {
    const draft = await openDraft(root)
    await draft.place(FILE)
    assert.equal(await readFile(path.join(root, '.service'), 'utf8'), FILE)
    assert.equal((await stat(path.join(root, '.service'))).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(root), ['.service'])
  } finally {
    process.umask(before)
  }
  const second = await openDraft(root)
  const other = FILE.replace('old-owl', 'new-owl')
  assert.match((await refused(second.place(other), 'credentialsForeign')).message, /\.service\.new/)
  assert.equal(await readFile(path.join(root, '.service'), 'utf8'), FILE)
  assert.equal(await readFile(path.join(root, '.service.new'), 'utf8'), other, 'what is new is not lost')
  await refused(openDraft(root), 'notWritable')
})

test('what a killed creation left behind is finished if it is whole, and removed if it is not', async () => {
  const root = await freshFolder()
  const draft = path.join(root, '.service.new')
  await finishDraft(root)
  await writeFile(draft, FILE.slice(0, 100), { mode: 0o600 })
  await finishDraft(root)
  assert.deepEqual(await readdir(root), [])
  await writeFile(draft, FILE, { mode: 0o600 })
  await finishDraft(root)
  assert.deepEqual(await readdir(root), ['.service'])
  assert.equal(await readFile(path.join(root, '.service'), 'utf8'), FILE)
  await rm(path.join(root, '.service'))
  await writeFile(draft, FILE, { mode: 0o644 })
  await refused(finishDraft(root), 'credentialsUnsafe')
})

test('one at a time holds a lock, and a dead one’s is taken over by exactly one', async () => {
  const root = await freshFolder()
  const lock = path.join(root, 'lock')
  let inside = 0
  let most = 0
  const enter = async (): Promise<void> => {
    most = Math.max(most, ++inside)
    await new Promise((done) => setTimeout(done, 2))
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, () => withLock(lock, 20_000, enter)))
  assert.equal(most, 1)
  assert.deepEqual(await readdir(root), [])

  await withLock(lock, 0, async () => {
    await assert.rejects(
      withLock(lock, 0, enter),
      (error) => error instanceof Busy && error.pid === process.pid,
      'whoever comes second is told who holds it',
    )
  })
  const { pid } = spawnSync(process.execPath, ['--version'])
  for (let round = 0; round < 20; round++) {
    await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: 'dead' }))
    most = 0
    const tried = await Promise.allSettled(Array.from({ length: 8 }, () => withLock(lock, 0, enter)))
    assert.ok(most <= 1, 'two held it at once')
    assert.ok(
      tried.some(({ status }) => status === 'fulfilled'),
      'nobody got it',
    )
    await rm(lock, { force: true })
  }
  // Of a process on another machine nobody knows whether it lives.
  await writeFile(lock, JSON.stringify({ pid, host: 'elsewhere', token: 'x' }))
  await assert.rejects(withLock(lock, 0, enter), Busy)
})
