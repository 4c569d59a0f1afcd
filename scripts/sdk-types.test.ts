import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SDK_TYPES_FILE, sdkTypes } from './sdk-types.ts'

test('the management types of the SDK match the contract', () => {
  assert.ok(
    readFileSync(SDK_TYPES_FILE, 'utf8') === sdkTypes(),
    'The contract has changed. Run: npx node scripts/sdk-types.ts',
  )
})
