import { readFileSync } from 'node:fs'
import { getServiceDocumentation as definition } from '@gatehouse/contract'
import { implementTool } from './tool.ts'

const GUIDE = readFileSync(new URL('../../../../content/agent-guide.md', import.meta.url), 'utf8')

/** Returns the agent guide, with this deployment's base URL filled in. */
export const getServiceDocumentation = implementTool({
  definition,
  async run({ ctx }) {
    return GUIDE.replaceAll('{base_url}', ctx.baseUrl)
  },
})
