import type { ToolDefinition, ToolOutput } from '@gatehouse-auth/contract'
import type { Tenant } from '../../domain/tenants/tenant.ts'
import type { Context } from '../../operations/context.ts'
import type { Caller, ToolRequest } from './caller.ts'

/** The context of one tool call. */
export interface ToolCall {
  readonly ctx: Context
  readonly caller: Caller
  /** The client address key that rate limits count by. */
  readonly addressKey: string
  readonly requestId: string
  /** Records the tenant that this call concerns, for the request tail of its owner. */
  recordTenant(tenant: Tenant): void
}

interface Implementation<D extends ToolDefinition> {
  readonly definition: D
  /** Annotations that differ for OAuth callers. */
  readonly oauthAnnotations?: Partial<ToolDefinition['annotations']>
  /** The path of the only result field that may contain a secret. */
  readonly mayHoldSecret?: string
  /** Lists every field of its result; the output schema then parses it, and `scrub` removes secrets. */
  run(call: ToolCall, request: ToolRequest<D>): Promise<ToolOutput<D>>
}

/** A tool: its definition from the contract, and its implementation. */
export interface Tool extends Omit<Implementation<ToolDefinition>, 'run'> {
  /** `input` has passed the definition's schema for this caller. */
  run(call: ToolCall, input: unknown): Promise<unknown>
}

/** The contract types the handler; the cast holds because `callTool` parses `input` by that same contract. */
export const implementTool = <D extends ToolDefinition>(tool: Implementation<D>): Tool => ({
  ...tool,
  run: (call, input) => tool.run(call, { ...call.caller, input } as ToolRequest<D>),
})
