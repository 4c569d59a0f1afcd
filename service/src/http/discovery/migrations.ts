import { MCP_MANAGE_MIGRATION_PATH, mcpManageMigrationPage } from '../pages/mcp-manage-migration.ts'
import { page } from '../respond.ts'
import type { App, Surface } from '../surface.ts'

/** What to do instead, for each thing that was retired; `Link: rel="deprecation"` leads here (spec, Versioning 3). */
export function migrationRoutes(app: App, { ctx }: Surface): void {
  app.get(MCP_MANAGE_MIGRATION_PATH, (c) => {
    c.set('route', MCP_MANAGE_MIGRATION_PATH)
    return page(c, mcpManageMigrationPage({ baseUrl: ctx.baseUrl }))
  })
}
