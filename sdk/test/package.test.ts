import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { madeOnce } from '../../service/test/support/made-once.ts'
import { run } from '../../service/test/support/process/run.ts'
import { ROOT, tsc } from './support/build.ts'
import { packSdk, projectWith } from './support/pack.ts'

const SAMPLE = `import { createClient, GatehouseError, handleCallback, type ReadSession, startLogin } from '@gatehouse-auth/sdk'
import { browserSession } from '@gatehouse-auth/sdk/browser'
import { createManagement, ManagementError } from '@gatehouse-auth/sdk/management'
import { nodeHandler, toRequest } from '@gatehouse-auth/sdk/node'

const user = { id: 7, email: 'ada@example.com', name: null, picture: null }
const client = createClient({
  baseUrl: 'https://login.example.com',
  tenantId: 'swift-fox-running-k3qd',
  fetch: async (url) => Response.json(url.endsWith('/verify') ? { valid: true, user } : { success: true }),
})
const session: ReadSession = await client.session({ accessToken: 'a' })
if (session.status !== 'signedIn') throw new Error(session.status)
const id: number = session.user.id
// @ts-expect-error: a number, not a string
const wrong: string = session.user.id
const started = await startLogin(new Request('https://app.example/login?return_to=/x'), { client })
const failed = await handleCallback(toRequest({ url: '/callback', headers: { host: 'app.example' } }), { client })
const isError: boolean = ({} as unknown) instanceof GatehouseError
const management = createManagement({
  baseUrl: 'https://login.example.com',
  key: 'svc_man_sample',
  fetch: async () => Response.json({ users: [{ ...user, blocked: true }] }),
})
const { users } = await management.users.list({ include: ['blocked'] })
const blocked: boolean | undefined = users[0]?.blocked
// @ts-expect-error: a field that the API does not have
void users[0]?.role
const kinds = [typeof nodeHandler, typeof browserSession, isError, typeof wrong, blocked, typeof ManagementError]
console.log(JSON.stringify({ id, kinds, started: started.status, failed: failed.headers.get('location') }))
`

/** Imports of other packages. The components in `react` may import React. */
const PEERS: Readonly<Record<string, readonly string[]>> = {
  'next.js': ['next/headers.js', 'next/server.js'],
}

/** The same sample for a Node without type stripping. */
const UNTYPED = SAMPLE.replaceAll(
  /, type \w+|: (?:ReadSession|number|string|boolean(?: \| undefined)?)(?= =)| as unknown/g,
  '',
)

const REQUIRED = `const { gatehouse } = require('@gatehouse-auth/sdk/express')
console.log(JSON.stringify([typeof gatehouse, typeof require('@gatehouse-auth/sdk').createClient]))
`

/** The oldest Node that loads an ES module with `require`. */
const OLDEST = '20.19'

const packed = madeOnce(async () => {
  const tarball = await packSdk()
  const project = await projectWith(tarball)
  await writeFile(join(project, 'sample.ts'), SAMPLE)
  await writeFile(join(project, 'sample.mjs'), UNTYPED)
  await writeFile(join(project, 'sample.cjs'), REQUIRED)
  return { tarball, project }
})

test('the package contains its code and types, and no dependencies', async () => {
  const { project } = await packed()
  assert.deepEqual(
    (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.')),
    ['@gatehouse-auth'],
  )
  const installed = join(project, 'node_modules/@gatehouse-auth/sdk')
  assert.deepEqual((await readdir(installed)).sort(), [
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
  ])
  const files = (await readdir(join(installed, 'dist'), { recursive: true })).filter((name) =>
    name.includes('.'),
  )
  assert.deepEqual(
    files.filter((name) => !/\.(js|d\.ts)$/.test(name)),
    [],
  )
  for (const name of files) {
    const text = (await readFile(join(installed, 'dist', name), 'utf8')).replace(
      /^ *\/?\*.*$/gm,
      '',
    )
    const imported = [...text.matchAll(/(?:from|import) '([^']+)'/g)].map(
      ([, target = '']) => target,
    )
    const external = imported.filter(
      (target) => !/^\.{1,2}\/(?:[a-z-]+\/)?[a-z0-9-]+\.(js|ts)$/.test(target),
    )
    assert.deepEqual(
      external,
      name.startsWith('react.') ? external.filter((each) => each === 'react') : (PEERS[name] ?? []),
      name,
    )
    if (name.endsWith('.js')) {
      assert.doesNotMatch(text, /\b(process|Buffer|require|__dirname)\b[.(]/, name)
    }
  }
})

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
] as const) {
  for (const world of ['dom', 'node'] as const) {
    test(`the package type-checks in an empty project (${moduleResolution}, ${world})`, async () => {
      const { project } = await packed()
      const folder = join(project, `${moduleResolution}-${world}`)
      await mkdir(join(folder, 'types'), { recursive: true })
      await symlink(join(ROOT, 'node_modules/@types/node'), join(folder, 'types/node'))
      const globals = {
        dom: { lib: ['es2023', 'dom'], types: [] },
        node: { lib: ['es2023'], types: ['node'], typeRoots: ['types'] },
      }
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'es2022',
        module,
        moduleResolution,
        ...globals[world],
      }
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions, files: ['../sample.ts'] }),
      )
      await tsc('-p', folder)
    })
  }
}

test("the package runs, imported and required, on the repository's Node and on every Node of engines on the PATH", async (t) => {
  const { project } = await packed()
  const expected = {
    id: 7,
    kinds: ['function', 'function', false, 'number', true, 'function'],
    started: 303,
    failed: '?sign_in_error=missing_tokens',
  }
  const nodes = [process.execPath, ...(await otherNodes())]
  for (const node of nodes) {
    t.diagnostic(`${node} ${(await run(node, ['--version'])).trim()}`)
    assert.deepEqual(JSON.parse(await run(node, ['sample.mjs'], { cwd: project })), expected)
    assert.deepEqual(JSON.parse(await run(node, ['sample.cjs'], { cwd: project })), [
      'function',
      'function',
    ])
  }
  const { engines } = JSON.parse(
    await readFile(join(project, 'node_modules/@gatehouse-auth/sdk/package.json'), 'utf8'),
  )
  assert.equal(engines.node, `>=${OLDEST}`)
})

test('publint and are-the-types-wrong report no problem: the types are found with node10, node16 and bundler', async () => {
  const { tarball, project } = await packed()
  const pkgDir = join(project, 'node_modules/@gatehouse-auth/sdk')
  const { messages } = await publint({ pkgDir, level: 'suggestion', strict: true, pack: false })
  assert.deepEqual(messages, [])
  const { problems } = (await checkPackage(
    createPackageFromTarballData(await readFile(tarball)),
  )) as {
    problems?: readonly { kind: string }[]
  }
  // An ES module: how TypeScript and Node load it in CommonJS is in the README.
  const others = (problems ?? []).filter(({ kind }) => kind !== 'CJSResolvesToESM')
  assert.deepEqual(others, [])
})

/** Every Node from the oldest on the PATH, except the one in `node_modules`. */
async function otherNodes(): Promise<string[]> {
  const found: string[] = []
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    const version = folder.includes('node_modules')
      ? ''
      : await run(node, ['--version']).catch(() => '')
    if (version.trim().replace('v', '').localeCompare(OLDEST, 'en', { numeric: true }) >= 0) {
      found.push(await realpath(node))
    }
  }
  return [...new Set(found)]
}
