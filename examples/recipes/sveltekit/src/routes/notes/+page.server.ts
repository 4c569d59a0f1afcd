import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals }) => ({ notesOf: locals.user?.email })
