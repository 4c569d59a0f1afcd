import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'
import { run } from '../../service/test/support/process/run.ts'
import {
  hasScopeLine,
  npmFolder,
  npmrcOf,
  serviceOfNpmrc,
  writeScopeLine,
} from '../src/npm-registry.ts'
import { createLocalFixture } from './support/machine.ts'
import { writeProject } from './support/project.ts'

const SERVICE = 'https://login.example.com'
const LINE = '@gatehouse-auth:registry=https://login.example.com/packages/npm/'

for (const [what, before, after] of [
  ['a missing or empty file', '', `${LINE}\n`],
  ['a file without a final line break', 'fund=false', `${LINE}\nfund=false`],
  ['Windows line breaks', 'fund=false\r\n', `${LINE}\r\nfund=false\r\n`],
  ['an older line', `a=1\n ${LINE.replace('login', 'old')} \r\nb=2`, `a=1\n${LINE}\r\nb=2`],
  [
    'two older lines, of which npm takes the last',
    `${LINE}/\n@gatehouse-auth:registry = x`,
    `${LINE}\n${LINE}`,
  ],
  ['the line itself', `a=1\n${LINE}\n`, `a=1\n${LINE}\n`],
  ['bytes that are not UTF-8', 'name=caf\xe9\n', `${LINE}\nname=caf\xe9\n`],
  ['the line of another scope', '@gatehouse:registry=x\n', `${LINE}\n@gatehouse:registry=x\n`],
] as const) {
  test(`the line of the scope is written once into an .npmrc with ${what}, and every other byte is kept`, async () => {
    const root = await freshFolder()
    await mkdir(root, { recursive: true })
    const file = path.join(root, '.npmrc')
    if (before !== '') {
      await writeFile(file, before, 'latin1')
    }
    await writeScopeLine(root, SERVICE)
    await writeScopeLine(root, SERVICE)
    assert.equal(await readFile(file, 'latin1'), after)
    assert.ok(hasScopeLine(root, SERVICE))
    assert.ok(!hasScopeLine(root, 'https://other.example.com'))
  })
}

test('of two lines of the scope, the last counts, as npm reads them', async () => {
  const other = LINE.replace('login', 'other')
  const root = await writeProject({
    'package.json': '{"name":"app"}',
    '.npmrc': `${other}\n${LINE}\n`,
  })
  const query = ['config', 'get', '@gatehouse-auth:registry']
  const registry = await run('npm', query, { cwd: root })
  assert.equal(`@gatehouse-auth:registry=${registry.trim()}`, LINE)
  assert.equal(serviceOfNpmrc(root), SERVICE)
  assert.ok(hasScopeLine(root, SERVICE))
  assert.ok(!hasScopeLine(root, 'https://other.example.com'))
})

test('an .npmrc keeps its mode, and a symbolic link is left alone', async () => {
  const root = await writeProject({ '.npmrc': '//registry.example/:_authToken=secret\n' })
  await chmod(path.join(root, '.npmrc'), 0o600)
  await writeScopeLine(root, SERVICE)
  assert.equal((await stat(path.join(root, '.npmrc'))).mode & 0o777, 0o600)

  const linked = await writeProject({ mine: 'fund=false\n' })
  await symlink('mine', path.join(linked, '.npmrc'))
  await writeScopeLine(linked, SERVICE)
  assert.equal(await readFile(path.join(linked, 'mine'), 'utf8'), 'fund=false\n')
})

test('the line goes where npm reads it: into the root of workspaces, and never outside the repository', async () => {
  const workspaces = '{"workspaces":["packages/*","./apps/**"]}'
  for (const [what, files, folder] of [
    ['a package', { 'package.json': '{}', 'app/package.json': '{}' }, 'app'],
    ['a folder without a package', { 'app/main.py': '' }, 'app'],
    ['a folder of a package', { '.git/HEAD': '', 'package.json': '{}', 'app/main.py': '' }, '.'],
    ['a folder below another repository', { 'package.json': '{}', 'app/.git/HEAD': '' }, 'app'],
    [
      'a workspace',
      { '.git/HEAD': '', 'package.json': workspaces, 'packages/app/package.json': '{}' },
      '.',
    ],
    [
      'a nested workspace',
      { '.git/HEAD': '', 'package.json': workspaces, 'apps/a/b/package.json': '{}' },
      '.',
    ],
    [
      'no workspace',
      { '.git/HEAD': '', 'package.json': workspaces, 'packages/a/b/package.json': '{}' },
      'packages/a/b',
    ],
    [
      'a workspace of pnpm',
      { '.git/HEAD': '', 'pnpm-workspace.yaml': '', 'apps/a/package.json': '{}' },
      '.',
    ],
  ] as const) {
    const top = await writeProject(files)
    const deepest = Object.keys(files).at(-1) ?? ''
    const root = path.join(top, path.dirname(deepest).replace('/.git', ''))
    assert.equal(npmrcOf(root), path.join(top, folder, '.npmrc'), what)
  }
})

test('npm itself reads the .npmrc that npmFolder names', async () => {
  const top = await writeProject({
    'package.json': '{"workspaces":["packages/*"]}',
    'packages/app/package.json': '{}',
    'packages/app/src/x': '',
    'other/package.json': '{}',
  })
  for (const folder of ['.', 'packages/app', 'packages/app/src', 'other', 'packages']) {
    const cwd = path.join(top, folder)
    assert.equal(npmFolder(cwd), (await run('npm', ['prefix'], { cwd })).trim(), folder)
  }
})

test('where .npmrc can not be changed, init prints the line, and the commands that it prints name the registry', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  const registry = `@gatehouse-auth:registry=${baseUrl}/packages/npm/`
  const tarball = `@gatehouse-auth/sdk@${baseUrl}/packages/sdk-0.1.0.tgz`
  for (const [lockFile, install] of [
    ['package-lock.json', `npm install --${registry} @gatehouse-auth/sdk`],
    ['pnpm-lock.yaml', `pnpm add ${tarball}`],
    ['bun.lock', `bun add ${tarball}`],
    ['yarn.lock', `yarn add ${tarball}`],
  ] as const) {
    const folder = path.join(machine.project, lockFile)
    await mkdir(folder)
    await writeFile(path.join(folder, lockFile), '')
    await symlink('/nowhere', path.join(folder, '.npmrc'))
    const { stdout } = await machine.run('--project', folder, 'init', '--framework', 'node')
    assert.ok(stdout.includes(`${folder}/.npmrc: add the line ${registry}\n`), stdout)
    assert.ok(stdout.includes(`\n  ${install}\n`), stdout)
    assert.match(stdout, /\n {2}npx --@gatehouse-auth:registry=\S+ @gatehouse-auth\/local claim /)
  }
})

test('doctor warns of a missing line, and of packages of other projects with our old names', async (t) => {
  const { machine, baseUrl } = await createLocalFixture(t)
  await machine.run('init')
  const packages = async () => {
    const { json } = await machine.run('doctor', '--json')
    return json[0].checks.filter(({ check }: { check: string }) => check === 'packages')
  }
  assert.deepEqual(
    (await packages()).map(({ level }: { level: string }) => level),
    ['ok'],
  )
  const dependencies = { '@gatehouse/sdk': `${baseUrl}/packages/sdk.tgz`, express: '5' }
  await writeFile(
    path.join(machine.project, 'package.json'),
    JSON.stringify({ dependencies, devDependencies: { gatehouse: '1', gatehouses: '1' } }),
  )
  await writeFile(path.join(machine.project, '.npmrc'), `${LINE}\n`)
  const [line, names] = await packages()
  assert.equal(line.level, 'warn')
  assert.ok(line.fix.endsWith(`@gatehouse-auth:registry=${baseUrl}/packages/npm/`), line.fix)
  assert.match(names.message, /^package\.json lists @gatehouse\/sdk, gatehouse: /)
  assert.match(
    names.fix,
    /npm uninstall @gatehouse\/sdk gatehouse && npm install @gatehouse-auth\/sdk\./,
  )
})
