/**
 * The prefix of every kind of secret that the service issues. Secrets are minted with these prefixes only, and every
 * filter (log, MCP results, local client) derives its pattern from this list, so a new kind is redacted everywhere.
 */
export const SECRET_PREFIXES = {
  managementKey: 'svc_man_',
  applicationKey: 'svc_app_',
  refreshToken: 'svc_rt_',
  waitToken: 'svc_wt_',
  edgeToken: 'svc_es_',
  loginCode: 'svc_ac_',
  feedbackToken: 'svc_fb_',
  webhookSecret: 'whsec_',
  oauthCode: 'mcp_ac_',
  oauthAccessToken: 'mcp_at_',
  oauthRefreshToken: 'mcp_rt_',
} as const

export type SecretPrefix = (typeof SECRET_PREFIXES)[keyof typeof SECRET_PREFIXES]

/** Source of a regular expression that matches any of the prefixes. */
export const SECRET_PREFIX_PATTERN = `(?:${Object.values(SECRET_PREFIXES).join('|')})`
