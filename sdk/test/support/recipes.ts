import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { freshFolder } from '../../../service/test/support/engines.ts'
import { buildSdk, ROOT, tsc } from './build.ts'

const BLOCK = /^```(?:ts|tsx) file=(\S+)\n(.*?)^```$/gms

/** What a recipe needs of its framework besides types. */
const STAND_INS: Readonly<Record<string, string>> = {
  'next/server': `export class NextResponse extends Response {
  static redirect(url, { status, headers }) {
    const sent = new Headers(headers)
    sent.set('Location', new URL(url).href)
    return new NextResponse(null, { status, headers: sent })
  }
  static next({ request }) { return Object.assign(new NextResponse(null), { forwarded: request.headers }) }
}`,
  'react-router': 'export const data = (body, { headers }) => Response.json(body, { headers })',
}

/** Every file that the README shows, written down beside an installed SDK. */
export async function writeRecipes(): Promise<{ folder: string; names: string[] }> {
  const folder = await freshFolder()
  const modules = join(folder, 'node_modules')
  const readme = await readFile(join(ROOT, 'sdk/README.md'), 'utf8')
  const blocks = [...readme.matchAll(BLOCK)].map(([, name = '', code = '']) => ({ name, code }))
  const isFile = (name: string): boolean => blocks.some((block) => block.name === name)
  for (const { name, code } of blocks) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    // Bundlers find `../auth`; Node wants the whole name.
    const whole = code.replace(/from '(\.[^']+)'/g, (found, target: string) =>
      isFile(join(dirname(name), `${target}.ts`)) ? `from '${target}.ts'` : found,
    )
    await writeFile(join(folder, name), whole)
  }
  await mkdir(join(modules, '@gatehouse/sdk'), { recursive: true })
  await mkdir(join(modules, '@types'), { recursive: true })
  await cp(await buildSdk(), join(modules, '@gatehouse/sdk/dist'), { recursive: true })
  await cp(join(ROOT, 'sdk/package.json'), join(modules, '@gatehouse/sdk/package.json'))
  for (const each of ['hono', '@types/node', 'undici-types'])
    await symlink(join(ROOT, 'node_modules', each), join(modules, each))
  for (const [name, code] of Object.entries(STAND_INS)) {
    const [packageName = '', file = 'index'] = name.split('/')
    await mkdir(join(modules, packageName), { recursive: true })
    await writeFile(join(modules, packageName, `${file}.js`), code)
    const exports = { [file === 'index' ? '.' : `./${file}`]: `./${file}.js` }
    await writeFile(
      join(modules, packageName, 'package.json'),
      JSON.stringify({ name: packageName, type: 'module', exports }),
    )
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  return { folder, names: blocks.map(({ name }) => name) }
}

export async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    allowImportingTsExtensions: true,
    lib: ['es2023', 'dom'],
    types: ['node'],
    skipLibCheck: true,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  await tsc('-p', folder)
}
