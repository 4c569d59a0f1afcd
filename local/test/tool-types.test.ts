import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimTenant, createTenant, giveFeedback } from '@gatehouse-auth/contract'
import { z } from 'zod'
import { implementTool } from '../src/mcp/tools.ts'

// Checked by the compiler: an `@ts-expect-error` without an error fails the type check.

test('a local tool handler that does not match the contract does not compile', () => {
  const handlers = [
    // @ts-expect-error the contract requires approval_url
    implementTool({ definition: claimTenant, run: async () => ({ link: 'x' }) }),
    implementTool({
      definition: giveFeedback,
      async run(_options, input) {
        // @ts-expect-error local tools take project_root, and read the key from its .service file
        assert.ok(input.coh_management_key)
        return { success: true as const }
      },
    }),
    implementTool({
      definition: createTenant,
      output: z.strictObject({ reused: z.boolean() }),
      // @ts-expect-error the output that replaces the contract's is typed too
      run: async () => ({ reused: 'yes' }),
    }),
  ]
  assert.equal(handlers.length, 3)
})
