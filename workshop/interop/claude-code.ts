import type { CodingAgent } from './coding-agent.ts'
import { MCP_SERVER } from './scripted-model.ts'

/** Sessions that share a home folder refresh one at a time, by a lock file in it. */
export const CLAUDE_CODE: CodingAgent = {
  name: 'Claude Code',
  program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}*/claude`,
  files: ({ mcp }) => ({
    '.claude.json': JSON.stringify({ mcpServers: { [MCP_SERVER]: { type: 'http', url: mcp } } }),
  }),
  env: ({ model }) => ({
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    // The first request to the model already has the tools of the MCP server.
    ENABLE_TOOL_SEARCH: 'false',
    MCP_CONNECTION_NONBLOCKING: '0',
  }),
  session: ['-p', 'Create a tenant.', '--allowedTools', `mcp__${MCP_SERVER}`],
  credentials: '.claude/.credentials.json',
}
