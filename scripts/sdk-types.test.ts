import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SDK_FILES } from './sdk-types.ts'

test("the SDK's types of the management API and of the providers match the contract", () => {
  for (const [file, content] of Object.entries(SDK_FILES)) {
    assert.ok(
      readFileSync(file, 'utf8') === content(),
      `The contract has changed: ${file}. Run: npx node scripts/sdk-types.ts`,
    )
  }
})
