import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { installSdk, packSdk } from '../../sdk/test/support/pack.ts'
import { appFolder, build, platformFile } from './platform.ts'

test('the browser entry has at most 5 kB, minified and compressed, with everything that it imports', async (t) => {
  const folder = await appFolder()
  await installSdk(await packSdk(), folder)
  await writeFile(
    join(folder, 'app.js'),
    "export { browserSession } from '@gatehouse-auth/sdk/browser'",
  )
  const minify = [
    platformFile('rolldown/bin/cli.mjs'),
    'app.js',
    '--format',
    'esm',
    '--minify',
    '--file',
    'out.js',
  ]
  await build(t, folder, minify, {})
  const bundle = await readFile(join(folder, 'out.js'))
  const bytes = gzipSync(bundle, { level: 9 }).length
  t.diagnostic(`${bundle.length} bytes, ${bytes} compressed`)
  assert.doesNotMatch(bundle.toString(), /^import /m)
  assert.ok(bytes <= 5_000, `${bytes} bytes`)
})
