import type { CodingAgent } from './coding-agent.ts'
import { MCP_SERVER } from './scripted-model.ts'

/** Sessions that share a home folder refresh one at a time, by a lock file in it. */
export const CODEX: CodingAgent = {
  name: 'Codex',
  program: `@openai/codex-${process.platform}-${process.arch}/vendor/*/bin/codex`,
  files: ({ mcp, model }) => ({
    '.codex/config.toml': `
model = "scripted"
model_provider = "scripted"
mcp_oauth_credentials_store = "file"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
[mcp_servers.${MCP_SERVER}]
url = "${mcp}"
# The session waits for the server, so that the first request to the model already has its tools.
required = true
`,
  }),
  env: () => ({}),
  session: ['exec', '--skip-git-repo-check', 'Create a tenant.'],
  credentials: '.codex/.credentials.json',
}
