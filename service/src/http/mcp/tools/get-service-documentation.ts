import { readFileSync } from 'node:fs'
import { getServiceDocumentation as definition } from '@gatehouse/contract'
import { CONTENT } from '../../../folders.ts'
import { implementTool } from './tool.ts'

const GUIDE = readFileSync(new URL('agent-guide.md', CONTENT), 'utf8')

/** Returns the agent guide, with this deployment's base URL filled in. */
export const getServiceDocumentation = implementTool({
  definition,
  async run({ ctx }) {
    return GUIDE.replaceAll('{base_url}', ctx.baseUrl)
  },
})
