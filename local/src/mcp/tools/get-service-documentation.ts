import { getServiceDocumentation as definition } from '@gatehouse/contract'
import { readDocumentation } from '../../api/documentation.ts'
import { commandLine } from '../../invocation.ts'
import { implementTool } from './tool.ts'

/** The differences of the local server, in front of the hosted guide. */
const localDifferences =
  (): string => `This is the local MCP server, on the user's own machine. It differs from the guide below:

- Every other tool takes \`project_root\`, the absolute path of the project, and reads \`tenant_id\` and the key from its \`.service\` file: you never send or see a key.
- \`create_tenant\` writes \`.service\` itself and returns the path. A project that already has a tenant keeps it. It also writes \`GATEHOUSE_SECRET\` of the app to \`.service.secret\`, which the recipes read.
- After \`${commandLine('init --account')}\` the user's account owns the tenants that \`create_tenant\` creates.

`

export const getServiceDocumentation = implementTool({
  definition,
  async run({ service }) {
    return localDifferences() + (await readDocumentation(service))
  },
})
