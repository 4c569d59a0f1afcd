import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../../..')

/** What every provider needs: its definition and its line in the list. The SDK's file is generated from them. */
const DEFINITION = [
  'contract/src/providers.ts',
  'contract/src/providers/microsoft.ts',
  'sdk/src/login/provider-clients.ts',
]
/** What a provider needs that isn't plain OpenID Connect. */
const PROTOCOL = [
  'service/src/identity/providers/microsoft.ts',
  'service/src/identity/own-provider.ts',
  'service/development/microsoft.ts',
  'service/development/stand-ins.ts',
]
/** A scheme of Windows, and a line in the list of guides. */
const OTHERS = [
  'service/src/domain/callbacks/host.ts',
  'service/src/http/discovery/docs/page-list.ts',
]

const withoutComments = (code: string): string => code.replaceAll(/^\s*(\/\*\*?|\*|\/\/).*$/gm, '')

test('a provider is one file and one line in a list; one that is not plain OpenID Connect has its protocol and stand-in besides', () => {
  const sources = globSync(
    ['{contract,local,sdk,service}/src/**/*.ts', 'service/development/**/*.ts'],
    {
      cwd: ROOT,
    },
  ).filter((file) => !file.endsWith('.test.ts'))
  const naming = sources.filter((file) =>
    /microsoft/i.test(withoutComments(readFileSync(path.join(ROOT, file), 'utf8'))),
  )
  assert.deepEqual(naming.sort(), [...DEFINITION, ...PROTOCOL, ...OTHERS].sort())

  const recipe = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    .split('\n- **Provider**')[1]
    ?.split('\n- **')[0]
  for (const file of ['contract/src/providers.ts', ...PROTOCOL]) {
    assert.ok(recipe?.includes(path.dirname(file).replace(/^service\/src\//, '')), file)
  }
})
