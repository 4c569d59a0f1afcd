import type { ToolDefinition, ToolOutput } from '@gatehouse/contract'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import type { Context } from '../../../operations/context.ts'
import type { Caller, ToolRequest } from '../caller.ts'

/** Who calls a tool, and what it may reach for. */
export interface ToolCall {
  readonly ctx: Context
  readonly caller: Caller
  /** The network source that limits are counted for. */
  readonly addressKey: string
  /** This call is about this tenant: for its owner's tail of requests. */
  recordTenant(tenant: Tenant): void
}

interface Implementation<D extends ToolDefinition> {
  readonly definition: D
  /** Where its hints at the OAuth door differ. */
  readonly oauthAnnotations?: Partial<ToolDefinition['annotations']>
  /** The one place where its answer may hold a secret. */
  readonly mayHoldSecret?: string
  /** Names every field of its result, which the output schema then parses and `scrub` checks for secrets. */
  run(call: ToolCall, request: ToolRequest<D>): Promise<ToolOutput<D>>
}

/** One tool: its definition from the contract, and what it does. */
export interface Tool extends Omit<Implementation<ToolDefinition>, 'run'> {
  /** `input` has passed the definition's schema for this caller. */
  run(call: ToolCall, input: unknown): Promise<unknown>
}

/** The contract types the handler; the cast holds because `callTool` parses `input` by that same contract. */
export const implementTool = <D extends ToolDefinition>(tool: Implementation<D>): Tool => ({
  ...tool,
  run: (call, input) => tool.run(call, { ...call.caller, input } as ToolRequest<D>),
})
