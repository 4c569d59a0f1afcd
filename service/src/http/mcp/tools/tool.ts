import type { ToolDefinition } from '@gatehouse/contract'
import type { Tenant } from '../../../domain/tenants/tenant.ts'
import type { Context } from '../../../operations/context.ts'
import type { Door } from '../doors.ts'

/** Who calls a tool, and what it may reach for. */
export interface ToolCall {
  readonly ctx: Context
  readonly door: Door
  /** The network source that limits are counted for. */
  readonly source: string
  /** This call is about this tenant: for its owner's tail of requests. */
  concerns(tenant: Tenant): void
}

/** One tool: its definition from the contract, and what it does. */
export interface Tool {
  readonly definition: ToolDefinition
  /** Where its hints at the OAuth door differ. */
  readonly oauthAnnotations?: Partial<ToolDefinition['annotations']>
  /** The one place where its answer may hold a secret. */
  readonly mayHoldSecret?: string
  /**
   * `input` has passed the schema of the door. The answer is built from named fields, and is then parsed by the
   * output schema and scrubbed: what is not meant to be told has two more nets to pass.
   */
  run(call: ToolCall, input: unknown): Promise<unknown>
}

/** `Input`: what the schemas of both hosted doors have in common, and what only one has, as optional. */
export const defineTool = <Input>(
  tool: Omit<Tool, 'run'> & { run(call: ToolCall, input: Input): Promise<unknown> },
): Tool => ({ ...tool, run: (call, input) => tool.run(call, input as Input) })
