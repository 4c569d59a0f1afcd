import { SERVICE_OPTION, type Verb } from '../verb.ts'

export const mcp: Verb = {
  name: 'mcp',
  takes: '[--service <url>]',
  summary: 'serve the six tools to a coding agent, over standard input and output',
  more: [
    'For the settings of an agent: command "npx", arguments "-y", "@gatehouse/local", "mcp".',
    'Standard output belongs to the protocol; everything else goes to standard error.',
    '',
    '--service <url>    where create_tenant creates (else GATEHOUSE_URL, else http://localhost:8787)',
  ],
  options: SERVICE_OPTION,
  words: { min: 0, max: 0 },
  async run(io) {
    const setting = io.service
    // Loaded only here: the other verbs start faster without it.
    const { serve } = await import('../../mcp/serve.ts')
    serve(setting)
    return undefined
  },
}
