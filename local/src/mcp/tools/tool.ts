import type { ToolDefinition, ToolInput } from '@gatehouse/contract'
import type { z } from 'zod'

/** What this server was started with. */
export interface Setting {
  /** Where new tenants are made, and the documentation is read. Everything else follows the .service file. */
  readonly service: string
  readonly serviceIsExplicit: boolean
}

/** One of the six, as it is on this machine. */
export interface Tool {
  readonly definition: ToolDefinition
  readonly description: string
  readonly output: z.ZodObject
  /** `input` has passed the schema of the local door. What is answered is parsed by `output`. */
  run(setting: Setting, input: unknown): Promise<unknown>
}

interface Implementation<D extends ToolDefinition, O extends z.ZodObject> {
  readonly definition: D
  /** Where the hosted tool is described in words that do not hold here. */
  readonly description?: string
  /** Where it answers something else than the hosted tool. */
  readonly output?: O
  run(setting: Setting, input: ToolInput<D, 'local'>): Promise<z.input<O>>
}

/** The contract types the handler; the cast holds because `callTool` parses `input` by that same contract. */
export const implementTool = <D extends ToolDefinition, O extends z.ZodObject = D['output']>(
  tool: Implementation<D, O>,
): Tool => ({
  definition: tool.definition,
  description: tool.description ?? tool.definition.description,
  output: tool.output ?? tool.definition.output,
  run: (setting, input) => tool.run(setting, input as ToolInput<D, 'local'>),
})
