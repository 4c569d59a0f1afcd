import { handleCallback } from '@gatehouse/sdk'
import type { RequestHandler } from '@sveltejs/kit'
import { client } from '../../../lib/server/gatehouse'

export const GET: RequestHandler = ({ request }) => handleCallback(request, { client, home: '/notes' })
