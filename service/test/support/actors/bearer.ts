import { ApiError } from '../../../src/domain/api-error.ts'
import { authenticateBearer } from '../../../src/operations/oauth/authenticate-bearer.ts'
import type { World } from '../world.ts'

/** Would this access token open the MCP endpoint now? */
export async function opens({ app }: Pick<World, 'app'>, accessToken: string): Promise<boolean> {
  try {
    await authenticateBearer(app.ctx, accessToken)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalidAccessToken') return false
    throw error
  }
}
