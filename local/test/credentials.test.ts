import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { finishDraft, openDraft } from '../src/credentials/draft.ts'
import { ignoreCredentials, isIgnored } from '../src/credentials/gitignore.ts'
import { LockHeldError, withLock } from '../src/credentials/lock.ts'
import { findProjectRoot, requireProjectRoot } from '../src/credentials/paths.ts'
import { readProject } from '../src/credentials/project.ts'
import { Problem } from '../src/problem.ts'
import { validCredentialsFile } from './support/machine.ts'

const FILE = validCredentialsFile('http://localhost:8787')

/** Asserts a Problem with this code, with a next step for the CLI and for agents, and without keys. */
async function rejects(work: Promise<unknown>, code: string): Promise<Problem> {
  const problem = await work.then(
    () => assert.fail(`no problem ${code}`),
    (error: unknown) => error,
  )
  assert.ok(problem instanceof Problem, String(problem))
  assert.equal(problem.code, code)
  assert.ok(problem.next.cli.length > 5 && problem.next.agent.length > 5)
  assert.doesNotMatch(problem.message + problem.next.cli + problem.next.agent, /svc_(man|app)_/)
  return problem
}

test('credentials are read only from a file that no other user can read', async () => {
  const root = await freshFolder()
  const file = path.join(root, '.service')
  await rejects(readProject(root), 'credentialsMissing')
  await writeFile(file, FILE, { mode: 0o600 })
  assert.equal((await readProject(root)).credentials.tenant_id, 'old-owl-resting-abcd')
  for (const mode of [0o640, 0o604, 0o620, 0o610, 0o666]) {
    await chmod(file, mode)
    assert.match((await rejects(readProject(root), 'credentialsUnsafe')).next.cli, /chmod 600/)
  }
  await chmod(file, 0o400)
  assert.equal((await readProject(root)).path, file)
})

test('a symbolic link, folder, FIFO or oversized file in place of .service is rejected and not changed', async () => {
  const root = await freshFolder()
  const file = path.join(root, '.service')
  const elsewhere = path.join(root, 'elsewhere')
  await writeFile(elsewhere, FILE, { mode: 0o600 })
  await symlink(elsewhere, file)
  assert.match((await rejects(readProject(root), 'credentialsUnsafe')).message, /symbolic link/)
  await rm(file)
  await mkdir(file, { mode: 0o700 })
  await rejects(readProject(root), 'credentialsUnsafe')
  await rm(file, { recursive: true })
  execFileSync('mkfifo', ['-m', '600', file])
  await rejects(readProject(root), 'credentialsUnsafe')
  await rm(file)
  await writeFile(file, `# ${'x'.repeat(70_000)}\n${FILE}`, { mode: 0o600 })
  await rejects(readProject(root), 'credentialsUnsafe')
})

test('the error of a damaged .service file names the line or field, never the value', async () => {
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
    assert.match((await rejects(readProject(root), 'credentialsUnreadable')).message, message)
    assert.equal(await readFile(file, 'utf8'), text, 'the file is not changed')
  }
  // The key would be sent unencrypted, or the URL is not an origin.
  for (const url of [
    'http://login.example.com',
    'https://login.example.com/path',
    'https://user@login.example.com',
  ]) {
    await writeFile(file, FILE.replace('http://localhost:8787', url), { mode: 0o600 })
    await rejects(readProject(root), 'serviceUrlInvalid')
  }
})

test('a project root must be an absolute path of an existing folder, without ".."', async () => {
  const root = await freshFolder()
  await writeFile(path.join(root, 'file'), '')
  assert.equal(await requireProjectRoot(root), root)
  assert.equal(await requireProjectRoot(`${root}/`), root)
  for (const invalid of [
    '',
    '.',
    'relative',
    `${root}/../x`,
    `${root}/..`,
    `${root}\\..\\x`,
    `${root}/missing`,
    `${root}/file`,
  ]) {
    await rejects(requireProjectRoot(invalid), 'projectRootInvalid')
  }
  await rejects(requireProjectRoot(`${root}\0`), 'projectRootInvalid')
})

test('the search for .service goes up to the root of the repository', async () => {
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

test('.gitignore entries are appended once, with the line endings of the file', async () => {
  const cases: readonly [string | null, string][] = [
    [null, '# Credentials: never to be committed.\n.service\n.service.*\n'],
    ['node_modules', 'node_modules\n# Credentials: never to be committed.\n.service\n.service.*\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n# Credentials: never to be committed.\r\n.service\r\n.service.*\r\n'],
    ['/.service\n', '/.service\n# Credentials: never to be committed.\n.service.*\n'],
    [
      '.service\n!.service\n',
      '.service\n!.service\n# Credentials: never to be committed.\n.service\n.service.*\n',
    ],
    ['.service\n.service.*\n', '.service\n.service.*\n'],
  ]
  for (const [before, after] of cases) {
    const root = await freshFolder()
    const file = path.join(root, '.gitignore')
    if (before !== null) {
      await writeFile(file, before)
    }
    await ignoreCredentials(root)
    await ignoreCredentials(root)
    assert.equal(await readFile(file, 'utf8'), after)
    assert.equal(await isIgnored(root, '.service'), true)
  }
  const root = await freshFolder()
  await writeFile(path.join(root, 'other'), '')
  await symlink(path.join(root, 'other'), path.join(root, '.gitignore'))
  await rejects(ignoreCredentials(root), 'notWritable')
  assert.equal(await readFile(path.join(root, 'other'), 'utf8'), '')
})

test('a draft is renamed with mode 0600 and never replaces an existing file', async () => {
  const root = await freshFolder()
  const before = process.umask(0)
  try {
    const draft = await openDraft(root)
    await draft.publish(FILE)
    assert.equal(await readFile(path.join(root, '.service'), 'utf8'), FILE)
    assert.equal((await stat(path.join(root, '.service'))).mode & 0o777, 0o600)
    assert.deepEqual(await readdir(root), ['.service'])
  } finally {
    process.umask(before)
  }
  const second = await openDraft(root)
  const other = FILE.replace('old-owl', 'new-owl')
  assert.match(
    (await rejects(second.publish(other), 'credentialsForeign')).message,
    /\.service\.new/,
  )
  assert.equal(await readFile(path.join(root, '.service'), 'utf8'), FILE)
  assert.equal(
    await readFile(path.join(root, '.service.new'), 'utf8'),
    other,
    'the new credentials are kept',
  )
  await rejects(openDraft(root), 'notWritable')
})

test('a complete draft of a killed creation is renamed, an incomplete one is removed', async () => {
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
  await rejects(finishDraft(root), 'credentialsUnsafe')
})

test('one process at a time holds the lock, and exactly one takes over a stale lock', async () => {
  const root = await freshFolder()
  const lock = path.join(root, 'lock')
  let active = 0
  let maxActive = 0
  const enter = async (): Promise<void> => {
    maxActive = Math.max(maxActive, ++active)
    // Long enough for the others to try: they also wait for the file system.
    for (let turns = 0; turns < 5; turns++) {
      await readdir(root)
    }
    active--
  }
  await Promise.all(Array.from({ length: 20 }, () => withLock(lock, 20_000, enter)))
  assert.equal(maxActive, 1)
  assert.deepEqual(await readdir(root), [])

  await withLock(lock, 0, async () => {
    await assert.rejects(
      withLock(lock, 0, enter),
      (error) => error instanceof LockHeldError && error.pid === process.pid,
      'the error names the process that holds the lock',
    )
  })
  const { pid } = spawnSync(process.execPath, ['--version'])
  for (let round = 0; round < 20; round++) {
    await writeFile(lock, JSON.stringify({ pid, host: hostname(), token: 'dead' }))
    maxActive = 0
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => withLock(lock, 0, enter)),
    )
    assert.ok(maxActive <= 1, 'two calls held the lock at once')
    assert.ok(
      results.some(({ status }) => status === 'fulfilled'),
      'one call gets the lock',
    )
    await rm(lock, { force: true })
  }
  // A process on another host cannot be checked, so its lock is respected.
  await writeFile(lock, JSON.stringify({ pid, host: 'elsewhere', token: 'x' }))
  await assert.rejects(withLock(lock, 0, enter), LockHeldError)
})
