import assert from 'node:assert/strict'
import { cp, glob, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { appFolder } from '../../../service/test/interop/platform.ts'
import { run } from '../../../service/test/support/process/run.ts'
import { ROOT } from '../support/build.ts'
import { installSdk, packSdk } from '../support/pack.ts'
import { checkTypes } from '../support/recipes.ts'

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
  for (const each of ['hono', 'playwright-core']) {
    await mkdir(dirname(join(folder, 'node_modules', each)), { recursive: true })
    await symlink(join(ROOT, 'node_modules', each), join(folder, 'node_modules', each))
  }
  await cp(join(import.meta.dirname, 'example-globals.js'), join(folder, 'example-globals.js'))
  const found: Example[] = []
  for await (const file of glob('**/*.d.ts', { cwd: join(folder, 'node_modules/@gatehouse/sdk/dist') })) {
    const text = await readFile(join(folder, 'node_modules/@gatehouse/sdk/dist', file), 'utf8')
    for (const [, code = '', name = ''] of text.matchAll(EXAMPLE))
      found.push({ name, code: code.replace(/^ \* ?/gm, '') })
  }
  examples = found
  await Promise.all(examples.map(({ code }, index) => writeFile(join(folder, `example-${index}.ts`), code)))
})

test('every public function has an example', async () => {
  const { exports } = JSON.parse(await readFile(join(ROOT, 'sdk/package.json'), 'utf8')) as { exports: object }
  const documented = new Set(examples.map(({ name }) => name))
  const missing: string[] = []
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') continue
    const file = join(folder, 'node_modules/@gatehouse/sdk', target.default)
    const functions = Object.entries(await import(pathToFileURL(file).href)).filter(
      ([, value]) => typeof value === 'function' && !/^class /.test(String(value)),
    )
    for (const [name] of functions) if (!documented.has(name)) missing.push(`${entry} ${name}`)
  }
  assert.deepEqual(missing, [])
})

test('every example type-checks', async () => {
  await checkTypes(
    folder,
    examples.map((_, index) => `example-${index}.ts`),
  )
})

test('every example runs as printed, and prints what its comments say', async (t) => {
  for (const [index, { name, code }] of examples.entries()) {
    t.diagnostic(name)
    const args = ['--disable-warning=ExperimentalWarning', '--import', './example-globals.js', `example-${index}.ts`]
    const printed = await run(process.execPath, args, { cwd: folder })
    const promised = [...code.matchAll(/^console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text]) => text)
    for (const text of promised) assert.ok(printed.split('\n').includes(text ?? ''), `${name}: ${printed}`)
  }
})
