import { program } from '../../invocation.ts'
import { type Command, SERVICE_OPTION } from '../command.ts'

export const mcp: Command = {
  name: 'mcp',
  synopsis: '[--service <url>]',
  summary: 'run the MCP server for a coding agent on standard input and output',
  details: [
    `In the configuration of an agent: ${program.replace(/^npx (?!--no )/, 'npx -y ')} mcp`,
    'Standard output carries the protocol only; diagnostics go to standard error.',
    '',
    '--service <url>    the service of create_tenant (default: GATEHOUSE_URL, or http://localhost:8787)',
  ],
  options: SERVICE_OPTION,
  positionals: { min: 0, max: 0 },
  endsOnSignal: true,
  async run(io) {
    const options = io.service
    // A dynamic import: the other commands start faster without the MCP server.
    const { serve } = await import('../../mcp/serve.ts')
    serve(options)
    return undefined
  },
}
