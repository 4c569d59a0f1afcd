import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { freshFolder } from '../../service/test/support/postgres/engines.ts'

// Another program stands in for npm, so that nothing is installed.

const ROOT = path.resolve(import.meta.dirname, '../..')

test('setup: without a network the message says so, although npm 10 ends with status 0, and no stack trace follows', async () => {
  const { setUp, calls } = await cloneWith(`
    if (command === 'ping') {
      console.error('npm error code EAI_AGAIN')
      process.exit(1)
    }
  `)
  const { status, stderr } = setUp()
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^Installing the packages\.[^\n]*\n\nnpm can't reach its registry\.[^\n]*\n$/,
  )
  assert.deepEqual(calls(), ['ping', 'ci --offline'])
})

test('setup: npm 10 that loses the network while it installs ends with status 0, and setup fails', async () => {
  const { setUp } = await cloneWith(`
    if (command === 'ci') {
      console.error('npm error code ECONNRESET')
    }
  `)
  const { status, stderr } = setUp()
  assert.equal(status, 1)
  assert.match(stderr, /\n\nnpm can't reach its registry\.[^\n]*\n$/)
})

test('setup: where there is no npm, the message says so, and no stack trace follows', async () => {
  const { folder, setUp } = await cloneWith('')
  const { status, stderr } = setUp([], { PATH: folder })
  assert.equal(status, 1)
  assert.match(
    stderr,
    /^Installing the packages\.[^\n]*\n\nnpm can't be started \(ENOENT\)\.[^\n]*\n$/,
  )
})

test('setup: after a failed check of the Node of the packages, the next run checks again and installs nothing', async () => {
  const { folder, setUp, calls } = await cloneWith(`
    if (command === 'ci') {
      mkdirSync('node_modules/.bin', { recursive: true })
      writeFileSync('node_modules/.package-lock.json', '{}')
      writeFileSync('node_modules/.bin/node', '#!/bin/sh\\nexit 1\\n', { mode: 0o755 })
    }
  `)
  const old = ['--import', `data:text/javascript,${encodeURIComponent(OLD_NODE)}`]
  for (const run of ['first', 'second']) {
    const { status, stderr } = setUp(old)
    assert.equal(status, 1, run)
    assert.match(stderr, /The Node that comes with the packages does not run/, run)
  }
  assert.deepEqual(calls(), ['ping', 'ci'])

  const node = path.join(folder, 'node_modules/.bin/node')
  writeFileSync(node, '#!/bin/sh\n')
  chmodSync(node, 0o755)
  assert.equal(setUp(old).status, 0)
  assert.ok(existsSync(path.join(folder, 'node_modules/.gatehouse-setup')))
  assert.deepEqual(calls(), ['ping', 'ci'])
})

/** Makes the Node that runs npm one that can't take the place of the packages' Node. */
const OLD_NODE = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`

/** A folder with the lock file and setup.js, whose npm runs `script`. */
async function cloneWith(script: string) {
  const folder = await freshFolder()
  for (const file of ['package.json', 'package-lock.json', 'scripts/setup.js', 'scripts/setup']) {
    cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true })
  }
  const npm = path.join(folder, 'npm.mjs')
  writeFileSync(
    npm,
    `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
    const [command, ...options] = process.argv.slice(2)
    const offline = options.includes('--offline') ? ' --offline' : ''
    appendFileSync('calls.txt', command + offline + '\\n')
    ${script}`,
  )
  const setUp = (
    nodeOptions: readonly string[] = [],
    env: NodeJS.ProcessEnv = { PATH: process.env.PATH, npm_execpath: npm },
  ) =>
    spawnSync(process.execPath, [...nodeOptions, 'scripts/setup.js'], {
      cwd: folder,
      encoding: 'utf8',
      env,
    })
  const calls = (): string[] =>
    readFileSync(path.join(folder, 'calls.txt'), 'utf8').trim().split('\n')
  return { folder, setUp, calls }
}
