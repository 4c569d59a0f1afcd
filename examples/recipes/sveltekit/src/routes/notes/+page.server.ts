import type { ServerLoadEvent } from '@sveltejs/kit'

export const load = ({ locals }: ServerLoadEvent) => ({ notesOf: locals.user?.email })
