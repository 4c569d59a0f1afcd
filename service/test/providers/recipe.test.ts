import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const RECIPE = [
  'contract/src/providers.ts',
  'contract/src/schemas/provider.ts',
  'sdk/src/login/provider.ts',
  'service/src/identity/providers/microsoft.ts',
  'service/src/identity/own-provider.ts',
  'service/development/microsoft.ts',
  'service/development/stand-ins.ts',
]
/** What a client of the operator needs besides. */
const SHARED = [
  'service/src/config.ts',
  'service/src/domain/providers/provider-client.ts',
  'service/src/http/console/settings/providers.ts',
  'service/src/http/pages/provider-button.ts',
]
/** A scheme of Windows, a line of help, and one in the list of guides. */
const OTHERS = ['local/src/cli/commands/providers.ts', 'service/src/domain/callbacks/host.ts']

const withoutComments = (code: string): string => code.replaceAll(/^\s*(\/\*\*?|\*|\/\/).*$/gm, '')

test('a provider is added in the files of the recipe: no other source names one', () => {
  const sources = globSync(
    ['{contract,local,sdk,service}/src/**/*.ts', 'service/development/**/*.ts'],
    {
      cwd: ROOT,
    },
  ).filter((file) => !file.endsWith('.test.ts'))
  const naming = sources.filter((file) =>
    /microsoft/i.test(withoutComments(readFileSync(path.join(ROOT, file), 'utf8'))),
  )
  assert.deepEqual(naming.sort(), [...RECIPE, ...SHARED, ...OTHERS].sort())
  const recipe = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    .split('\n- **Provider**')[1]
    ?.split('\n- **')[0]
  for (const file of RECIPE) {
    assert.ok(recipe?.includes(path.dirname(file).replace(/^service\/src\//, '')), file)
  }
})
