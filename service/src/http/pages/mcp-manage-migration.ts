import { codeBlock } from './code-block.ts'
import { layout } from './layout.ts'
import { type Html, html } from './markup.ts'

/** Where every answer of the retired endpoint points to. */
export const MCP_MANAGE_MIGRATION_PATH = '/docs/migrations/mcp-manage'

export const mcpManageMigrationPage = ({ baseUrl }: { readonly baseUrl: string }): Html =>
  layout({
    kind: 'reading',
    title: 'From /mcp/manage to /mcp',
    body: html`
      <h1>From <code>/mcp/manage</code> to <code>/mcp</code></h1>
      <p class="lead">The MCP server for managing projects is now one endpoint. <code>/mcp/manage</code> answers <code>410</code> to every request.</p>
      <h2>What to do</h2>
      <ol>
        <li>In your MCP client, replace the old address with the new one. Nothing else in its settings changes.</li>
        <li>Sign in again if you were signed in. Tokens for the old address are refused at the new one, because each token is bound to one resource.</li>
        <li>If your client never asks you to sign in, use the address that ends in <code>?login</code>: it is the same server, and it asks.</li>
      </ol>
      ${codeBlock('The new addresses', `${baseUrl}/mcp\n${baseUrl}/mcp?login`)}
      <h2>What is different</h2>
      <ul>
        <li>Without signing in, the tools for a project take <code>tenant_id</code> and <code>coh_management_key</code> from its <code>.service</code> file as arguments. The <code>Authorization</code> header is for OAuth alone: a project’s key in it is answered <code>401</code>.</li>
        <li>After signing in they take <code>tenant_id</code> and no key, and reach what your account owns.</li>
        <li>There are six tools: <code>get_service_documentation</code>, <code>create_tenant</code>, <code>claim_tenant</code>, <code>tenant_status</code>, <code>provision_resource</code> and <code>give_feedback</code>.</li>
        <li>There are no sessions and no streams: only <code>POST</code>, and one JSON answer to each.</li>
      </ul>
      <h2>What stays</h2>
      <p>Projects, their keys, their people and their callback lists. Nothing has to be created again.</p>
    `,
  })
