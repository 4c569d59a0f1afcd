import { getServiceDocumentation as definition } from '@gatehouse/contract'
import { readDocumentation } from '../../api/documentation.ts'
import { implementTool } from './tool.ts'

/** The differences of the local server, in front of the hosted guide. */
const LOCAL_DIFFERENCES = `This is the local MCP server, on the user's own machine. It differs from the guide below:

- Every other tool takes \`project_root\`, the absolute path of the project. \`tenant_id\` and \`coh_management_key\` are read from its \`.service\` file, so you never send, see or repeat a key.
- \`create_tenant\` writes \`.service\` itself (mode 0600, listed in \`.gitignore\` first) and returns the path. A project that already has a tenant keeps it.
- If the user is signed in on this machine (\`npx @gatehouse/local init --account\`), their account owns the tenant that \`create_tenant\` creates.

`

export const getServiceDocumentation = implementTool({
  definition,
  async run({ service }) {
    return { documentation: LOCAL_DIFFERENCES + (await readDocumentation(service)) }
  },
})
