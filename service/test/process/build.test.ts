import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  globSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../support/postgres/engines.ts'
import { build } from '../support/process/entry-points.ts'
import { startService } from '../support/process/service-process.ts'
import { NODE_FLAGS, START_COMMAND } from '../support/process/start-command.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const SOURCES = [
  'package.json',
  'package-lock.json',
  'scripts',
  'contract',
  'examples/recipes',
  'service/package.json',
  'service/bin',
  'service/content',
  'service/development',
  'service/src',
]

async function copyOfSources(): Promise<{ root: string; dist: string }> {
  const root = await freshFolder()
  for (const name of SOURCES) {
    cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'))
  return { root, dist: path.join(root, 'service/dist') }
}

/** A copy of the sources and its build. */
async function builtCopy(): Promise<{ root: string; dist: string }> {
  const copy = await copyOfSources()
  assert.match(await build(copy.root), /^Built service\/dist/)
  return copy
}

test('a build is made again only when a source changes, and keeps the files that a running service may still import', async () => {
  const { root, dist } = await builtCopy()
  const markdown = (): string[] => globSync('markdown-*.js', { cwd: dist }).sort()
  const source = path.join(root, 'service/src/http/discovery/docs/markdown.ts')
  const change = (word: string): void =>
    writeFileSync(
      source,
      `${readFileSync(source, 'utf8')}\nexport const ${word} = process.env.${word}\n`,
    )

  const [first = ''] = markdown()
  assert.equal(await build(root), '', 'nothing has changed')

  change('ONE')
  await build(root)
  assert.equal(markdown().length, 2)
  assert.ok(markdown().includes(first), 'a service of the first build can still import it')
  change('TWO')
  await build(root)
  assert.equal(markdown().length, 2)
  assert.ok(!markdown().includes(first))
  assert.ok(existsSync(path.join(dist, 'THIRD-PARTY-LICENSES.txt')))
})

test('a build that cannot be written names the file and the command for the owner of the folder', async () => {
  const { root, dist } = await copyOfSources()
  writeFileSync(dist, 'a file in its place')
  await assert.rejects(build(root), (error: Error) => {
    assert.match(
      error.message,
      /The build can't be written: .*service\/dist.*\nRun as the owner of this folder: npm run build$/,
    )
    return true
  })
})

test('npm start runs the build, in the process that npm waits for', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const service = await startService(t, {}, { command: ['sh', '-c', START_COMMAND], cwd: ROOT })
  const [, ...words] = readFileSync(`/proc/${service.child.pid}/cmdline`, 'utf8').split('\0')
  assert.deepEqual(words.slice(0, -1), [...NODE_FLAGS, 'service/dist/start.js'])
  assert.equal((await service.end('SIGTERM')).code, 0)
})

test('a start does not load openid-client; the first sign-in does, and responds 503 until it can', async (t) => {
  const { dist } = await builtCopy()
  const [map = 'no source map'] = globSync('*.js.map', { cwd: dist }).filter((file) =>
    readFileSync(path.join(dist, file), 'utf8').includes('/node_modules/openid-client/'),
  )
  const code = path.join(dist, path.basename(map, '.map'))
  renameSync(code, `${code}.away`)

  const service = await startService(t, {}, { start: path.join(dist, 'start.js') })
  assert.equal((await service.agent.call('GET', '/')).status, 200)
  const tenant = await service.agent.createTenant()
  const login = `/edge/auth/${tenant.id}/google`
  assert.equal((await service.agent.call('GET', login)).status, 503)

  renameSync(`${code}.away`, code)
  const pair = await tenant.signIn(service.browser())
  assert.equal(await tenant.isValid(pair.access_token), true)
  assert.deepEqual((await service.end('SIGTERM')).code, 0)
})
