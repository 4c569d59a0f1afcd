import { ApiError } from '../../../src/domain/api-error.ts'
import { authenticateBearer } from '../../../src/operations/oauth/tokens.ts'
import type { World } from '../world.ts'

/** Whether the MCP endpoint accepts this access token. */
export async function isAccessTokenValid(
  { app }: Pick<World, 'app'>,
  accessToken: string,
): Promise<boolean> {
  try {
    await authenticateBearer(app.ctx, accessToken)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalidAccessToken') {
      return false
    }
    throw error
  }
}
