import { handleLogout } from '@gatehouse/sdk'
import type { RequestHandler } from '@sveltejs/kit'
import { client } from '../../lib/server/gatehouse'

export const POST: RequestHandler = ({ request }) => handleLogout(request, { client })
