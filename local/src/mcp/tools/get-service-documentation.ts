import { getServiceDocumentation as definition } from '@gatehouse/contract'
import { readDocumentation } from '../../api/documentation.ts'
import { implementTool } from './tool.ts'

/** What is different on this machine, before the guide that is the same for everybody. */
const HERE = `You are talking to the local MCP server, on the user's own machine. Where the guide below says something else, this holds:

- Every tool but this one takes \`project_root\`: the absolute path of the project. \`tenant_id\` and \`coh_management_key\` are read from its \`.service\` file, so you never send, see or repeat a key.
- \`create_tenant\` writes \`.service\` itself (mode 0600, listed in \`.gitignore\` first) and answers with the path. A project that has its tenant already keeps it.
- If the user has signed in on this machine (\`npx @gatehouse/local init --account\`), \`create_tenant\` creates a tenant that they own.

`

export const getServiceDocumentation = implementTool({
  definition,
  async run({ service }) {
    return { documentation: HERE + (await readDocumentation(service)) }
  },
})
