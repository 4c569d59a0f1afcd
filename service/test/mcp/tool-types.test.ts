import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  claimTenant,
  type createTenant,
  giveFeedback,
  type ToolInput,
  type ToolOutput,
} from '@gatehouse-auth/contract'
import type { ToolRequest } from '../../src/http/mcp/caller.ts'
import { implementTool } from '../../src/http/mcp/tool.ts'

// Most of this file is checked by the compiler: each `@ts-expect-error` fails the type check once its mistake compiles.

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <_True extends true>(): void => {}

same<Equal<ToolInput<typeof giveFeedback, 'oauth'>, { tenant_id: string; feedback: string }>>()
same<
  Equal<
    ToolInput<typeof giveFeedback, 'public'>,
    { tenant_id: string; coh_management_key: string; feedback: string }
  >
>()
same<Equal<ToolInput<typeof giveFeedback, 'local'>, { project_root: string; feedback: string }>>()
same<Equal<ToolOutput<typeof claimTenant>, { approval_url: string }>>()

const link = { approval_url: 'x' }

test('a tool handler that leaves out, renames or mistypes a field of the contract does not compile', () => {
  const handlers = [
    // @ts-expect-error the contract requires approval_url
    implementTool({ definition: claimTenant, run: async () => ({ link: 'x' }) }),
    // @ts-expect-error approval_url is text in the contract
    implementTool({ definition: claimTenant, run: async () => ({ ...link, approval_url: 0 }) }),
    implementTool({
      definition: giveFeedback,
      async run(_call, { input }) {
        // @ts-expect-error the argument is called feedback
        assert.ok(input.text)
        return { success: true as const }
      },
    }),
  ]
  assert.equal(handlers.length, 3)
})

test('an argument for one kind of caller is typed for that kind only', () => {
  const keyOf = (request: ToolRequest<typeof createTenant>): string =>
    request.kind === 'oauth'
      ? request.input.idempotency_key
      : // @ts-expect-error a public creation has no idempotency key
        request.input.idempotency_key
  assert.equal(keyOf({ kind: 'public', input: { confirmed: true } }), undefined)
})
