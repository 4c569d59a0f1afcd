/** Names the key file of a new project for the page that shows it once. */
export const keyFileOf = (tenantId: string): string => `key-file:${tenantId}`
