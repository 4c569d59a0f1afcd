import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { freePort } from '../../service/test/support/transport/free-port.ts'
import { ensureAppSecret } from '../src/credentials/app-secret.ts'
import { withoutGit } from './support/git.ts'
import { createLocalFixture, createMachine } from './support/machine.ts'

const SECRET = /^GATEHOUSE_SECRET=[\w-]{43}$/m

const modeOf = async (file: string): Promise<number> => (await stat(file)).mode & 0o777

test('init writes GATEHOUSE_SECRET to .service.secret with mode 0600, git ignores it, and a second init keeps it', {
  skip: withoutGit,
}, async (t) => {
  const { machine } = await createLocalFixture(t)
  execFileSync('git', ['init', '-q'], { cwd: machine.project })
  const first = await machine.run('init')
  const file = path.join(machine.project, '.service.secret')
  assert.match(first.stdout, /App secret +\S+\/\.service\.secret \(GATEHOUSE_SECRET\)\n/)
  const text = await machine.read(file)
  assert.match(text, /^GATEHOUSE_SECRET=[\w-]{43}\n$/)
  assert.equal(await modeOf(file), 0o600)
  assert.doesNotMatch(first.stdout + first.stderr, /[\w-]{43}/, 'the secret is not printed')
  const status = execFileSync('git', ['status', '--porcelain', '-uall'], {
    cwd: machine.project,
    encoding: 'utf8',
  })
  assert.equal(status.trim(), '?? .gitignore\n?? .npmrc')
  assert.doesNotMatch(
    await machine.read(),
    /SECRET/,
    '.service is the file of the service, verbatim',
  )

  const again = await machine.run('init', '--json')
  assert.deepEqual([again.json[0].reused, again.json[0].secret_path], [true, file])
  assert.equal(await machine.read(file), text)
  await rm(file)
  await machine.run('init')
  assert.match(
    await machine.read(file),
    SECRET,
    'a project that has a tenant and no secret gets one',
  )
})

test('init --framework next appends GATEHOUSE_SECRET to .env.local, which Next.js loads, and adds it to .gitignore', async (t) => {
  const { machine } = await createLocalFixture(t)
  const file = path.join(machine.project, '.env.local')
  await writeFile(file, 'DATABASE_URL=postgres://localhost/shop')
  await writeFile(path.join(machine.project, 'package.json'), '{}')
  const { json } = await machine.run('init', '--framework', 'next', '--json')
  assert.equal(json[0].secret_path, file)
  assert.match(
    await machine.read(file),
    /^DATABASE_URL=postgres:\/\/localhost\/shop\nGATEHOUSE_SECRET=[\w-]{43}\n$/,
    'the line before had no line break',
  )
  assert.match(await machine.read(path.join(machine.project, '.gitignore')), /^\.env\.local$/m)
  await assert.rejects(lstat(path.join(machine.project, '.service.secret')))
})

/** A project without a tenant. */
async function projectWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await freshFolder()
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(root, name), text)
  }
  return root
}

test('a GATEHOUSE_SECRET that the project already has is kept, wherever it is', async () => {
  for (const [name, line] of [
    ['.env', 'GATEHOUSE_SECRET=mine'],
    ['.env.local', '  export GATEHOUSE_SECRET = "mine"'],
    ['.service.secret', 'A=1\nGATEHOUSE_SECRET=mine'],
  ] as const) {
    for (const envFile of [undefined, '.env.local']) {
      const root = await projectWith({ [name]: line })
      assert.equal(await ensureAppSecret(root, envFile), path.join(root, name))
      assert.equal(await readFile(path.join(root, name), 'utf8'), line)
    }
  }
  for (const line of [
    'GATEHOUSE_SECRET=\nA=1',
    'GATEHOUSE_SECRET=""',
    "GATEHOUSE_SECRET = '' # later",
    'GATEHOUSE_SECRET= # later',
    '# GATEHOUSE_SECRET=mine',
    'MY_GATEHOUSE_SECRET=mine',
  ]) {
    const root = await projectWith({ '.env': line })
    assert.equal(await ensureAppSecret(root), path.join(root, '.service.secret'), 'not a secret')
    assert.equal(await readFile(path.join(root, '.env'), 'utf8'), line)
  }
})

test('a new .env.local has mode 0600, and an existing one keeps its mode', async () => {
  const fresh = await projectWith({})
  assert.equal(await modeOf(await ensureAppSecret(fresh, '.env.local')), 0o600)
  const kept = await projectWith({ '.env.local': 'A=1\n' })
  await chmod(path.join(kept, '.env.local'), 0o640)
  assert.equal(await modeOf(await ensureAppSecret(kept, '.env.local')), 0o640)
  const own = await projectWith({ '.service.secret': '' })
  await chmod(path.join(own, '.service.secret'), 0o644)
  assert.equal(await modeOf(await ensureAppSecret(own)), 0o600)
})

test('no secret goes into an .env.local that git tracks or that is a symbolic link: .service.secret has it', {
  skip: withoutGit,
}, async () => {
  const tracked = await projectWith({ '.env.local': 'A=1\n' })
  for (const args of [
    ['init', '-q'],
    ['add', '-f', '.env.local'],
  ]) {
    execFileSync('git', args, { cwd: tracked })
  }
  const linked = await projectWith({ shared: 'A=1\n' })
  await symlink('shared', path.join(linked, '.env.local'))
  for (const root of [tracked, linked]) {
    assert.equal(await ensureAppSecret(root, '.env.local'), path.join(root, '.service.secret'))
    assert.equal(await readFile(path.join(root, '.env.local'), 'utf8'), 'A=1\n')
    assert.match(await readFile(path.join(root, '.service.secret'), 'utf8'), SECRET)
    assert.match(await readFile(path.join(root, '.gitignore'), 'utf8'), /^\.service\.\*$/m)
  }
})

test('a secret that cannot be written is an error with the fix; the tenant is kept', async (t) => {
  const { machine } = await createLocalFixture(t)
  const file = path.join(machine.project, '.service.secret')
  await symlink(path.join(machine.home, 'elsewhere'), file)
  const linked = await machine.expectProblem(1, 'notWritable', 'init')
  assert.match(linked.message, /\.service\.secret \(ELOOP\)/)
  assert.match(linked.next, /env --secret/)
  await assert.rejects(lstat(path.join(machine.home, 'elsewhere')))
  await rm(file)
  await mkdir(file)
  await machine.expectProblem(1, 'notWritable', 'init')
  await rm(file, { recursive: true })
  const { json } = await machine.run('init', '--json')
  assert.equal(json[0].reused, true)
})

test('a failed init leaves .service.secret of an earlier one ignored by git', async (t) => {
  const machine = await createMachine(t, { GATEHOUSE_URL: `http://localhost:${await freePort()}` })
  await machine.write(
    'GATEHOUSE_SECRET=mine\n',
    0o600,
    path.join(machine.project, '.service.secret'),
  )
  await machine.expectProblem(3, 'serviceUnreachable', 'init')
  assert.match(await machine.read(path.join(machine.project, '.gitignore')), /^\.service\.\*$/m)
})
