import assert from 'node:assert/strict'
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../sdk/test/support/build.ts'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import { checkTypes } from '../../sdk/test/support/recipes.ts'
import { run } from '../../service/test/support/process/run.ts'
import { appFolder, DATABASES } from './platform.ts'

interface Example {
  /** The documented export. */
  readonly name: string
  readonly code: string
}

const EXAMPLE =
  /@example\n \* ```tsx?\n((?: \*.*\n)*?) \* ```\n(?: \*.*\n)*? ?\*\/\nexport (?:declare )?(?:abstract )?(?:async )?(?:function|const|class|interface|type) (\w+)/g

let folder: string
let examples: readonly Example[]
before(async () => {
  folder = await appFolder()
  await installSdk(await packSdk(), folder)
  for (const [packages, name] of [
    [ROOT, 'hono'],
    [ROOT, 'playwright-core'],
    [DATABASES, '@supabase/supabase-js'],
  ] as const) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true })
    await symlink(join(packages, 'node_modules', name), join(folder, 'node_modules', name))
  }
  // As in the folder of an app after `init`: on a server, examples have no settings in their code.
  await writeFile(
    join(folder, '.service'),
    'base_url=https://login.example.com\ntenant_id=swift-fox-running-k3qd\n',
  )
  await cp(join(import.meta.dirname, 'example-globals.js'), join(folder, 'example-globals.js'))
  const found: Example[] = []
  for await (const file of glob('**/*.d.ts', {
    cwd: join(folder, 'node_modules/@gatehouse-auth/sdk/dist'),
  })) {
    const text = await readFile(join(folder, 'node_modules/@gatehouse-auth/sdk/dist', file), 'utf8')
    for (const [, code = '', name = ''] of text.matchAll(EXAMPLE)) {
      found.push({ name, code: code.replace(/^ \* ?/gm, '') })
    }
  }
  examples = found
  await Promise.all(
    examples.map(({ code }, index) => writeFile(join(folder, `example-${index}.ts`), code)),
  )
})

test('every public function has an example', async () => {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8')) as {
    exports: object
  }
  const documented = new Set(examples.map(({ name }) => name))
  const missing: string[] = []
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') {
      continue
    }
    const file = join(folder, 'node_modules/@gatehouse-auth/sdk', target.default)
    const functions = Object.entries(await import(pathToFileURL(file).href)).filter(
      ([, value]) => typeof value === 'function' && !/^class /.test(String(value)),
    )
    for (const [name] of functions) {
      if (!documented.has(name)) {
        missing.push(`${entry} ${name}`)
      }
    }
  }
  assert.deepEqual(missing, [])
})

test('every example type-checks', async () => {
  await checkTypes(
    folder,
    examples.map((_, index) => `example-${index}.ts`),
  )
})

/** What a part of an app in the README takes from the rest of that app. */
const REST_OF_APP = `import { type Client, type LoginProvider, relayProvider, type User, verifyWebhook } from '@gatehouse-auth/sdk'
import { SignInButton } from '@gatehouse-auth/sdk/react'
declare const client: Client
declare const request: Request
declare const pathname: string
declare const providers: readonly LoginProvider[]
declare function createProfile(id: number | null, email: string | null): Promise<void>
`

test('every snippet of the README compiles as TypeScript, strictly and with exactOptionalPropertyTypes', async () => {
  const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  const snippets = [...readme.matchAll(/^```(?:js|jsx|ts|tsx)\n(.*?)^```$/gms)].map(
    ([, code = '']) => code,
  )
  assert.equal(snippets.length, 7)
  const files = snippets.map((code, index) => {
    const isWhole = code.startsWith('import ')
    // An expression of JSX is part of an element, and a return statement of a function.
    const part = code.startsWith('{') ? `export const part = <>${code}</>` : code
    const text = isWhole
      ? code
      : `${REST_OF_APP}export async function example() {\n${part.replace('export ', '')}\n}\n`
    return [`readme-${index}.tsx`, text] as const
  })
  await Promise.all(files.map(([name, text]) => writeFile(join(folder, name), text)))
  await checkTypes(
    folder,
    files.map(([name]) => name),
  )
})

test('every example runs as printed, and prints what its comments say', async (t) => {
  for (const [index, { name, code }] of examples.entries()) {
    t.diagnostic(name)
    const args = [
      '--disable-warning=ExperimentalWarning',
      '--import',
      './example-globals.js',
      `example-${index}.ts`,
    ]
    const printed = await run(process.execPath, args, { cwd: folder })
    const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text]) => text)
    for (const text of promised) {
      assert.ok(printed.split('\n').includes(text ?? ''), `${name}: ${printed}`)
    }
  }
})
