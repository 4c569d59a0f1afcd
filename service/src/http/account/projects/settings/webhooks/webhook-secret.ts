/** Names the secret of an endpoint for the page that shows it once. */
export const secretOf = (tenantId: string, webhookId: string): string => `webhook:${tenantId}:${webhookId}`
