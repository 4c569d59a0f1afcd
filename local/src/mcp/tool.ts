import type { ToolDefinition, ToolInput } from '@gatehouse/contract'
import type { z } from 'zod'

/** The options of the mcp command. */
export interface ServerOptions {
  /** The service for new tenants and for the documentation. Other tools use base_url of the .service file. */
  readonly service: string
  readonly serviceIsExplicit: boolean
}

/** A tool of the local server. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly description: string
  readonly output: ToolDefinition['output']
  /** `input` has passed the local input schema. The result is parsed by `output`. */
  run(options: ServerOptions, input: unknown): Promise<unknown>
}

interface Implementation<D extends ToolDefinition, O extends ToolDefinition['output']> {
  readonly definition: D
  /** Replaces the contract's description, if the local tool behaves differently. */
  readonly description?: string
  /** Replaces the contract's output schema. */
  readonly output?: O
  run(options: ServerOptions, input: ToolInput<D, 'local'>): Promise<z.input<O>>
}

/** The contract types the handler. The cast is safe because `callTool` parses `input` by the same schema. */
export const implementTool = <D extends ToolDefinition, O extends ToolDefinition['output'] = D['output']>(
  tool: Implementation<D, O>,
): Tool => ({
  definition: tool.definition,
  description: tool.description ?? tool.definition.description,
  output: tool.output ?? tool.definition.output,
  run: (options, input) => tool.run(options, input as ToolInput<D, 'local'>),
})
