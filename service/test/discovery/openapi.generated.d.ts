export interface paths {
    "/api/genesis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createGuestTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mcp/bootstrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["bootstrapTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/claim/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/wait": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["waitForClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resources/social-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["provisionSocialLogin"];
        delete: operations["removeSocialLogin"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listResources"];
        put?: never;
        post: operations["provisionResources"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete: operations["deleteUsers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["blockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["unblockUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readUserMetadata"];
        put: operations["replaceUserMetadata"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["replaceUserClaims"];
        post?: never;
        delete: operations["deleteUserClaims"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mergeUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/users/{id}/identities/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeUserIdentity"];
        options?: never;
        head?: never;
        patch: operations["pinUserIdentity"];
        trace?: never;
    };
    "/api/social-login/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUserSessions"];
        put?: never;
        post?: never;
        delete: operations["endUserSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/sessions/{sid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endUserSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/removals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRemovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["importUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/api/social-login/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvitations"];
        put?: never;
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDomains"];
        put?: never;
        post: operations["addDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/domains/{host}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/domains/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/brand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readBrand"];
        put: operations["setBrand"];
        post?: never;
        delete: operations["deleteBrand"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/brand/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["setLogo"];
        post?: never;
        delete: operations["deleteLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/providers/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["replaceProvider"];
        post?: never;
        delete: operations["removeProvider"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/providers/{provider}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/webhooks/{webhookId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{webhookId}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/observability": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readObservability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/insights/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readInsights"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feedback/service": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["leaveFeedback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeDiscountReport"];
        put?: never;
        post: operations["reportForDiscount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/google": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exchangeLoginCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/id-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createIdToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["linkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/.well-known/openid-configuration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readOpenIdConfiguration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readEdgeSession"];
        put?: never;
        post: operations["openEdgeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLoginProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/edge/auth/{tenantId}/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startProviderLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/social-login/test-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createTestSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/test-status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setTestStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["registerClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["authorize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/oauth/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["revokeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readProtectedResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/oauth-authorization-server": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readAuthorizationServer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mcp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/tenants/{tenant_id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadCredentials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp/manage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** @deprecated */
        post: operations["retiredMcpManage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AccountUsage: {
            stored_users: components["schemas"]["Allowance"];
            events_this_minute: components["schemas"]["Allowance"];
            events_this_month: components["schemas"]["Allowance"];
        };
        Allowance: {
            used: number;
            limit: number | null;
        };
        AuditEntry: {
            id: number;
            at_ms: number;
            actor: string;
            /** @enum {string} */
            action: "claim.requested" | "tenant.claimed" | "tenant.keys_replaced" | "tenant.renamed" | "tenant.suspended" | "tenant.lifted" | "tenant.sessions_ended" | "tenant.deleted" | "social_login.provisioned" | "social_login.removed" | "settings.changed" | "provider.changed" | "provider.removed" | "provider.tested" | "session.ended" | "user.blocked" | "user.unblocked" | "user.deleted" | "user.sessions_ended" | "user.metadata_changed" | "user.claims_changed" | "user.identity_added" | "user.identity_removed" | "user.identity_pinned" | "user.merged" | "user.removal_requested" | "user.removal_withdrawn" | "user.consent_forgotten" | "invitation.created" | "invitation.deleted" | "users.exported" | "users.imported" | "brand.changed" | "brand.deleted" | "brand.logo_changed" | "brand.logo_deleted" | "domain.added" | "domain.verified" | "domain.lapsed" | "domain.deleted" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.replayed";
            target: string | null;
            request_id: string;
        };
        AuthEvent: {
            id: number;
            /** @enum {string} */
            event: "login_started" | "consent_denied" | "authorize" | "login_failed" | "token_refreshed" | "logout";
            user_id: number | null;
            email: string | null;
            redirect_uri: string | null;
            return_to: string | null;
            metadata: {
                /** @enum {string} */
                stage?: "token_exchange" | "userinfo" | "user_upsert";
                /** @enum {string} */
                error_code?: "busy" | "timeout" | "unreachable" | "redirected" | "answer_too_large" | "malformed_answer" | "provider_error" | "invalid_id_token" | "insecure_endpoint" | "subject_mismatch" | "subject_invalid" | "subject_too_long" | "email_missing" | "email_unverified" | "email_invalid" | "not_allowed" | "not_invited" | "user_limit" | "user_blocked" | "storage_error" | "unexpected" | "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "server_error" | "temporarily_unavailable" | "invalid_token" | "insufficient_scope" | "interaction_required" | "login_required" | "account_selection_required" | "consent_required" | "admin_policy_enforced" | "org_internal" | "disallowed_useragent" | "redirect_uri_mismatch" | "deleted_client";
                /** @enum {string} */
                by?: "user" | "provider";
                /** @enum {string} */
                reason?: "user" | "refresh_reuse" | "code_reuse" | "owner" | "person" | "operator";
                provider?: components["schemas"]["ProviderName"];
                /** @constant */
                new_user?: true;
            } & {
                [key: string]: unknown;
            };
            created_at_ms: number;
        };
        Brand: {
            name: string;
            privacy_url: string | null;
            terms_url: string | null;
            accent: ("gray" | "blue" | "indigo" | "purple" | "pink" | "red" | "orange" | "green") | null;
            logo: {
                url: string;
                size: number;
            } | null;
            shown_on: string[];
        };
        BrandSettings: {
            name: string;
            privacy_url?: string | null;
            terms_url?: string | null;
            accent?: ("gray" | "blue" | "indigo" | "purple" | "pink" | "red" | "orange" | "green") | null;
        };
        ClaimLink: {
            tenant_id: string;
            approval_url: string;
            confirmation_code: string;
            /** Format: date-time */
            expires_at: string;
            tenant_expires_at: string | null;
            wait: {
                url: string;
                token: string;
                auth_header: string;
                /** Format: date-time */
                expires_at: string;
                interval_seconds: number;
            };
        };
        CredentialsFile: {
            /** @constant */
            filename: ".service";
            content: string;
        };
        Domain: {
            host: string;
            registrable_domain: string | null;
            /** @enum {string} */
            status: "pending" | "verified" | "lapsed";
            method: ("dns" | "file") | null;
            dns: {
                /** @constant */
                type: "TXT";
                name: string;
                value: string;
            } | null;
            file: {
                url: string;
                content: string;
            };
            verified_at: string | null;
            checked_at: string | null;
            next_check_at: string | null;
            missed_checks: number;
            /** Format: date-time */
            created_at: string;
        };
        DomainCheck: {
            domain: components["schemas"]["Domain"];
            found: {
                /** @enum {string} */
                dns: "found" | "other" | "absent";
                /** @enum {string} */
                file: "found" | "other" | "absent";
            };
        };
        ImportResult: {
            line: number;
            /** @enum {string} */
            result: "created" | "exists" | "invalid" | "user_limit";
            user_id?: number;
            problem?: string;
            warning?: string;
        };
        ImportedUser: {
            id?: number;
            issuer?: string;
            subject: string;
            email: string;
            name?: string | null;
            picture?: string | null;
            /** Format: date-time */
            first_seen?: string;
            /** Format: date-time */
            last_seen?: string;
            blocked?: boolean;
            metadata?: {
                [key: string]: unknown;
            };
            claims?: {
                [key: string]: string | number | boolean | string[];
            };
            identities?: {
                issuer: string;
                subject: string;
                email: string;
                name: string | null;
                picture: string | null;
                pinned: boolean;
                /** Format: date-time */
                last_seen: string;
            }[];
        };
        Invitation: {
            id: string;
            url?: string;
            email: string | null;
            claims: {
                [key: string]: string | number | boolean | string[];
            };
            uses: number;
            used: number;
            /** @enum {string} */
            status: "open" | "used" | "expired";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        NewInvitation: {
            email?: string;
            claims?: {
                [key: string]: string | number | boolean | string[];
            };
            expires_in?: number;
            uses?: number;
        };
        NewTenant: {
            tenant_id: string;
            coh_management_key: string;
            coh_application_key: string;
            /** @enum {string} */
            status: "ephemeral" | "claimed";
            expires_at: string | null;
            /** @enum {string} */
            tenant_lifecycle: "ephemeral" | "claimed";
            /** @enum {string} */
            runtime_profile: "v1-1" | "v1-2";
            base_url: string;
            credentials_file: components["schemas"]["CredentialsFile"];
        };
        OAuthTokens: {
            access_token: string;
            /** @constant */
            token_type: "Bearer";
            expires_in: number;
            refresh_token: string;
            scope: string;
            /** @enum {string} */
            principal_type: "account" | "guest";
            resource: string;
        };
        Provider: {
            name: components["schemas"]["ProviderName"];
            /** @enum {string} */
            mode: "shared" | "own";
            client_id: string | null;
            issuer?: string;
            display_name?: string;
            redirect_uri: string;
            /** @enum {string} */
            status: "pending" | "active" | "failing";
            tested_at: string | null;
            login_url: string;
            in_use: {
                /** @enum {string} */
                mode: "shared" | "own";
                client_id: string | null;
            } | null;
        };
        ProviderClient: {
            /** @enum {string} */
            mode?: "shared" | "own";
            client_id?: string;
            client_secret?: string;
            directory?: string;
            team_id?: string;
            key_id?: string;
            private_key?: string;
            issuer?: string;
            display_name?: string;
            redirect_uri?: string;
        };
        ProviderName: string;
        Refusal: {
            /** @enum {string} */
            step: "start" | "callback" | "exchange";
            code: string;
            count: number;
            first_at_ms: number;
            last_at_ms: number;
            sent?: string;
            closest?: string;
            differs?: string;
            meaning: string;
            fix: string;
        };
        RegisteredClient: {
            client_id: string;
            client_id_issued_at: number;
            client_name?: string;
            redirect_uris: string[];
            grant_types: string[];
            response_types: string[];
            /** @constant */
            token_endpoint_auth_method: "none";
            scope: string;
        };
        RemovalRequest: {
            user_id: number;
            email: string;
            /** Format: date-time */
            requested_at: string;
            /** Format: date-time */
            due_at: string;
        };
        ResourceResult: {
            /** @constant */
            resource: "social-login";
            /** @constant */
            status: "active";
            login_url: string;
            callback_urls: string[];
            /** @constant */
            events_table: "social_login_events";
            events_endpoint: string;
            refresh_leeway_seconds?: number;
            warnings?: string[];
        };
        SocialLoginConfiguration: {
            callback_urls?: string[];
            callback_url?: string;
            refresh_leeway_seconds?: number;
        };
        SocialLoginResource: {
            login_url: string;
            callback_urls: string[];
            /** @constant */
            events_table: "social_login_events";
            events_endpoint: string;
            refresh_leeway_seconds?: number;
            warnings?: string[];
        };
        SocialLoginSettings: {
            refresh_leeway_seconds: number;
            /** @enum {string} */
            callback_mode: "either" | "code";
            remember_consent: boolean;
            allowed_domains: string[];
            allowed_emails: string[];
            first_user_claims: {
                [key: string]: string | number | boolean | string[];
            } | null;
            /** @enum {string} */
            admission: "open" | "invited";
            id_tokens: {
                audiences: string[];
                claims?: {
                    [key: string]: string | number | boolean | string[];
                };
            } | null;
        };
        SocialLoginSettingsChange: {
            refresh_leeway_seconds?: number;
            /** @enum {string} */
            callback_mode?: "either" | "code";
            remember_consent?: boolean;
            allowed_domains?: string[];
            allowed_emails?: string[];
            first_user_claims?: {
                [key: string]: string | number | boolean | string[];
            } | null;
            /** @enum {string} */
            admission?: "open" | "invited";
            id_tokens?: {
                audiences: string[];
                claims?: {
                    [key: string]: string | number | boolean | string[];
                };
            } | null;
        };
        TenantStatus: {
            tenant_id: string;
            /** @enum {string} */
            status: "ephemeral" | "claimed" | "paused" | "suspended" | "expired";
            /** @enum {string} */
            lifecycle: "ephemeral" | "claimed";
            /** Format: date-time */
            created_at: string;
            expires_at: string | null;
            seconds_left: number | null;
            /** @enum {string} */
            runtime_profile: "v1-1" | "v1-2";
            /** @enum {string} */
            tier: "ephemeral" | "free" | "plus" | "pro";
            pause_reason: ("lifetime_events" | "stored_users") | null;
            suspension?: {
                reason: string;
                /** Format: date-time */
                since: string;
            };
            resources: {
                /** @constant */
                resource: "social-login";
                /** @constant */
                status: "active";
            }[];
            usage: {
                stored_users: components["schemas"]["Allowance"];
                events_this_minute: components["schemas"]["Allowance"];
                events_this_month: components["schemas"]["Allowance"];
                login_starts_this_minute: components["schemas"]["Allowance"];
                login_starts_this_month: components["schemas"]["Allowance"];
                authenticated_events_this_minute: components["schemas"]["Allowance"];
                authenticated_events_this_month: components["schemas"]["Allowance"];
                events_lifetime: components["schemas"]["Allowance"];
            };
            /** @constant */
            unlimited?: true;
            next_limit: {
                /** @enum {string} */
                allowance: "stored_users" | "events_this_minute" | "events_this_month" | "events_lifetime";
                used: number;
                limit: number;
                left: number;
                warning: string | null;
            } | null;
            disabled_webhooks?: {
                id: string;
                /** @enum {string} */
                reason: "owner" | "gone" | "failing" | "secret_unreadable";
            }[];
            failing_providers?: {
                name: components["schemas"]["ProviderName"];
                client_id: string;
                warning: string;
            }[];
            recent_refusals?: components["schemas"]["Refusal"][];
            claim: {
                url_endpoint: string;
            } | null;
        };
        TokenPair: {
            access_token: string;
            refresh_token: string;
        };
        User: {
            id: number;
            email: string;
            name: string | null;
            picture: string | null;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
        };
        UserDetails: {
            id: number;
            email: string;
            name: string | null;
            picture: string | null;
            /** Format: date-time */
            first_seen: string;
            /** Format: date-time */
            last_seen: string;
            metadata?: {
                [key: string]: unknown;
            };
            claims?: {
                [key: string]: string | number | boolean | string[];
            };
            blocked?: boolean;
            identities?: {
                provider: components["schemas"]["ProviderName"] | null;
                issuer: string;
                subject: string;
                email: string;
                pinned: boolean;
            }[];
        };
        UserSession: {
            id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_refreshed_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        VerifiedUser: {
            id: number;
            email: string;
            name: string | null;
            picture: string | null;
        };
        Webhook: {
            id: string;
            url: string;
            events: ("social_login.login_started" | "social_login.consent_denied" | "social_login.authorize" | "social_login.login_failed" | "social_login.token_refreshed" | "social_login.logout" | "user.created" | "user.updated" | "user.deleted" | "user.removal_requested")[];
            /** @enum {string} */
            status: "active" | "disabled";
            disabled_reason: ("owner" | "gone" | "failing" | "secret_unreadable") | null;
            failing_since: string | null;
            cursor: number;
            waiting_retries: number;
            replay: {
                after: number;
                until: number;
            } | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookChange: {
            url?: string;
            events?: ("social_login.login_started" | "social_login.consent_denied" | "social_login.authorize" | "social_login.login_failed" | "social_login.token_refreshed" | "social_login.logout" | "user.created" | "user.updated" | "user.deleted" | "user.removal_requested")[];
            /** @enum {string} */
            status?: "active" | "disabled";
        };
        WebhookDelivery: {
            id: number;
            type: string;
            event_id: number | null;
            attempt: number;
            at_ms: number;
            delivered: boolean;
            status: number | null;
            ms: number;
            error: ("timeout" | "unreachable" | "tls") | null;
        };
        WebhookReplay: {
            after?: number;
            until?: number;
            event_ids?: number[];
        };
        WebhookTestResult: {
            delivered: boolean;
            status: number | null;
            ms: number;
            error: ("timeout" | "unreachable" | "tls") | null;
        };
        Error: {
            error: {
                /** @enum {string} */
                code: "invalidRequest" | "invalidRedirectUri" | "redirectUriRequired" | "invalidReturnTo" | "codeChallengeRequired" | "webhookUrlRefused" | "missingCredentials" | "invalidCredentials" | "invalidRefreshToken" | "invalidCode" | "refreshTokenSuperseded" | "refreshTokenReused" | "invalidAccessToken" | "signInFailed" | "bannedUserAgent" | "wrongKeyKind" | "insufficientScope" | "accountRequired" | "tenantPaused" | "tenantSuspended" | "callbackHostBlocked" | "projectLimit" | "userLimit" | "userBlocked" | "importRequiresClaim" | "ownerRequired" | "providerNotEnabled" | "notProvisioned" | "observabilityRequiresClaim" | "loginOtherBrowser" | "decisionNotOurs" | "linkOtherBrowser" | "claimUnknown" | "tenantNotFound" | "idTokensOff" | "invitationNotFound" | "webhookNotFound" | "brandNotFound" | "domainNotFound" | "providerNotFound" | "userNotFound" | "identityNotFound" | "sessionNotFound" | "unknownRoute" | "methodNotAllowed" | "alreadyClaimed" | "noSharedClient" | "providerLimit" | "onlyIdentity" | "linkRefused" | "mergeRefused" | "invitationLimit" | "webhookLimit" | "domainLimit" | "loginOver" | "linkOver" | "endpointRetired" | "tenantExpired" | "invitationUsed" | "invitationExpired" | "metadataChanged" | "bodyTooLarge" | "unsupportedMediaType" | "rateLimited" | "internalError" | "temporarilyUnavailable" | "outcomeUnknown";
                message: string;
                retryable: boolean;
                request_id: string;
                docs_url: string;
                details?: Record<string, never>;
            };
        };
        OAuthError: {
            error: string;
            error_description: string;
        };
    };
    responses: {
        "accountRequired.insufficientScope.projectLimit": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "insufficientScope" | "accountRequired" | "projectLimit";
                    };
                };
            };
        };
        alreadyClaimed: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "alreadyClaimed";
                    };
                };
            };
        };
        bannedUserAgent: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "bannedUserAgent";
                    };
                };
            };
        };
        bodyTooLarge: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "bodyTooLarge";
                    };
                };
            };
        };
        brandNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "brandNotFound";
                    };
                };
            };
        };
        "callbackHostBlocked.notProvisioned.providerNotEnabled.tenantPaused.tenantSuspended": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "notProvisioned" | "tenantPaused" | "tenantSuspended" | "callbackHostBlocked" | "providerNotEnabled";
                    };
                };
            };
        };
        "callbackHostBlocked.notProvisioned.tenantPaused.tenantSuspended": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "notProvisioned" | "tenantPaused" | "tenantSuspended" | "callbackHostBlocked";
                    };
                };
            };
        };
        "callbackHostBlocked.tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "tenantSuspended" | "callbackHostBlocked";
                    };
                };
            };
        };
        "codeChallengeRequired.invalidRedirectUri.invalidRequest.invalidReturnTo.redirectUriRequired": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRequest" | "invalidRedirectUri" | "redirectUriRequired" | "invalidReturnTo" | "codeChallengeRequired";
                    };
                };
            };
        };
        domainLimit: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "domainLimit";
                    };
                };
            };
        };
        domainNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "domainNotFound";
                    };
                };
            };
        };
        endpointRetired: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                Link: components["headers"]["Migration"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "endpointRetired";
                    };
                };
            };
        };
        "idTokensOff.tenantNotFound": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantNotFound" | "idTokensOff";
                    };
                };
            };
        };
        "identityNotFound.userNotFound": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "userNotFound" | "identityNotFound";
                    };
                };
            };
        };
        "importRequiresClaim.notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "tenantSuspended" | "notProvisioned" | "importRequiresClaim";
                    };
                };
            };
        };
        internalError: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "internalError";
                    };
                };
            };
        };
        invalidAccessToken: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidAccessToken";
                    };
                };
            };
        };
        "invalidAccessToken.missingCredentials": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "missingCredentials" | "invalidAccessToken";
                    };
                };
            };
        };
        invalidCode: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidCode";
                    };
                };
            };
        };
        "invalidCredentials.missingCredentials": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "missingCredentials" | "invalidCredentials";
                    };
                };
            };
        };
        "invalidRedirectUri.invalidRequest": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRequest" | "invalidRedirectUri";
                    };
                };
            };
        };
        "invalidRedirectUri.invalidRequest.redirectUriRequired": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRequest" | "invalidRedirectUri" | "redirectUriRequired";
                    };
                };
            };
        };
        "invalidRefreshToken.refreshTokenReused.refreshTokenSuperseded": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRefreshToken" | "refreshTokenSuperseded" | "refreshTokenReused";
                    };
                };
            };
        };
        invalidRequest: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRequest";
                    };
                };
            };
        };
        "invalidRequest.webhookUrlRefused": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalidRequest" | "webhookUrlRefused";
                    };
                };
            };
        };
        "invitationExpired.invitationUsed.tenantExpired": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantExpired" | "invitationUsed" | "invitationExpired";
                    };
                };
            };
        };
        invitationLimit: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invitationLimit";
                    };
                };
            };
        };
        invitationNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invitationNotFound";
                    };
                };
            };
        };
        mergeRefused: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "mergeRefused";
                    };
                };
            };
        };
        metadataChanged: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "metadataChanged";
                    };
                };
            };
        };
        missingCredentials: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "missingCredentials";
                    };
                };
            };
        };
        "noSharedClient.providerLimit": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "noSharedClient" | "providerLimit";
                    };
                };
            };
        };
        notProvisioned: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "notProvisioned";
                    };
                };
            };
        };
        "notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "tenantSuspended" | "notProvisioned" | "ownerRequired";
                    };
                };
            };
        };
        "notProvisioned.ownerRequired.tenantPaused.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "notProvisioned" | "ownerRequired";
                    };
                };
            };
        };
        "notProvisioned.providerNotEnabled.tenantPaused.tenantSuspended": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "notProvisioned" | "tenantPaused" | "tenantSuspended" | "providerNotEnabled";
                    };
                };
            };
        };
        "notProvisioned.tenantPaused.tenantSuspended": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "notProvisioned" | "tenantPaused" | "tenantSuspended";
                    };
                };
            };
        };
        "notProvisioned.tenantPaused.tenantSuspended.userBlocked.userLimit.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantSuspended" | "tenantPaused" | "notProvisioned" | "userLimit" | "userBlocked";
                    };
                };
            };
        };
        "notProvisioned.tenantPaused.tenantSuspended.userBlocked.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "notProvisioned" | "tenantSuspended" | "userBlocked";
                    };
                };
            };
        };
        "notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "notProvisioned" | "tenantSuspended";
                    };
                };
            };
        };
        "notProvisioned.tenantPaused.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "notProvisioned";
                    };
                };
            };
        };
        "observabilityRequiresClaim.tenantPaused.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "observabilityRequiresClaim" | "tenantPaused";
                    };
                };
            };
        };
        onlyIdentity: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "onlyIdentity";
                    };
                };
            };
        };
        "outcomeUnknown.temporarilyUnavailable": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "outcomeUnknown" | "temporarilyUnavailable";
                    };
                };
            };
        };
        "ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "ownerRequired" | "tenantSuspended";
                    };
                };
            };
        };
        "ownerRequired.tenantPaused.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "ownerRequired";
                    };
                };
            };
        };
        providerNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "providerNotFound";
                    };
                };
            };
        };
        "providerNotFound.tenantNotFound": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantNotFound" | "providerNotFound";
                    };
                };
            };
        };
        rateLimited: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "rateLimited";
                    };
                };
            };
        };
        sessionNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "sessionNotFound";
                    };
                };
            };
        };
        temporarilyUnavailable: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "temporarilyUnavailable";
                    };
                };
            };
        };
        tenantExpired: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantExpired";
                    };
                };
            };
        };
        tenantNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantNotFound";
                    };
                };
            };
        };
        "tenantPaused.tenantSuspended": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "tenantPaused" | "tenantSuspended";
                    };
                };
            };
        };
        "tenantPaused.tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused" | "tenantSuspended";
                    };
                };
            };
        };
        "tenantPaused.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantPaused";
                    };
                };
            };
        };
        "tenantSuspended.wrongKeyKind": {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind" | "tenantSuspended";
                    };
                };
            };
        };
        unsupportedMediaType: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "unsupportedMediaType";
                    };
                };
            };
        };
        userNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "userNotFound";
                    };
                };
            };
        };
        webhookLimit: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "webhookLimit";
                    };
                };
            };
        };
        webhookNotFound: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "webhookNotFound";
                    };
                };
            };
        };
        wrongKeyKind: {
            headers: {
                "API-Version": components["headers"]["ApiVersion"];
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "wrongKeyKind";
                    };
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        ApiVersion: "1";
        RequestId: string;
        RateLimitPolicy: string;
        RateLimit: string;
        RetryAfter: string;
        NextPage: string;
        TotalCount: string;
        ETag: string;
        Challenge: string;
        Deprecation: string;
        Sunset: string;
        Migration: string;
        Location: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createGuestTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "coh_management_key": "svc_man_000000000000000000000000000000000000EXAMPL",
                     *       "coh_application_key": "svc_app_000000000000000000000000000000000000EXAMPL",
                     *       "status": "ephemeral",
                     *       "expires_at": "2026-11-18T12:00:00.000Z",
                     *       "tenant_lifecycle": "ephemeral",
                     *       "runtime_profile": "v1-1",
                     *       "base_url": "https://login.example.com",
                     *       "credentials_file": {
                     *         "filename": ".service",
                     *         "content": "# Credentials of this project. Keep them secret: anyone who has this file can manage the project.\n# Keep the file mode 0600 (chmod 600 .service), list it in .gitignore, and never commit it.\nbase_url=https://login.example.com\ntenant_id=swift-fox-running-k3qd7\ncoh_management_key=svc_man_000000000000000000000000000000000000EXAMPL\ncoh_application_key=svc_app_000000000000000000000000000000000000EXAMPL\nexpires_at=2026-11-18T12:00:00.000Z\ntenant_lifecycle=ephemeral\nruntime_profile=v1-1\n"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewTenant"];
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["bannedUserAgent"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    readStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "status": "ephemeral",
                     *       "lifecycle": "ephemeral",
                     *       "created_at": "2026-11-15T12:00:00.000Z",
                     *       "expires_at": "2026-11-18T12:00:00.000Z",
                     *       "seconds_left": 258600,
                     *       "runtime_profile": "v1-1",
                     *       "tier": "ephemeral",
                     *       "pause_reason": null,
                     *       "resources": [
                     *         {
                     *           "resource": "social-login",
                     *           "status": "active"
                     *         }
                     *       ],
                     *       "usage": {
                     *         "stored_users": {
                     *           "used": 1,
                     *           "limit": 1000
                     *         },
                     *         "events_this_minute": {
                     *           "used": 0,
                     *           "limit": 5
                     *         },
                     *         "events_this_month": {
                     *           "used": 2,
                     *           "limit": null
                     *         },
                     *         "login_starts_this_minute": {
                     *           "used": 0,
                     *           "limit": 3
                     *         },
                     *         "login_starts_this_month": {
                     *           "used": 1,
                     *           "limit": null
                     *         },
                     *         "authenticated_events_this_minute": {
                     *           "used": 0,
                     *           "limit": 5
                     *         },
                     *         "authenticated_events_this_month": {
                     *           "used": 1,
                     *           "limit": null
                     *         },
                     *         "events_lifetime": {
                     *           "used": 2,
                     *           "limit": 100
                     *         }
                     *       },
                     *       "next_limit": {
                     *         "allowance": "events_lifetime",
                     *         "used": 2,
                     *         "limit": 100,
                     *         "left": 98,
                     *         "warning": null
                     *       },
                     *       "claim": {
                     *         "url_endpoint": "https://login.example.com/api/claim/url"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["TenantStatus"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["wrongKeyKind"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    bootstrapTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "confirmed": true,
                 *       "idempotency_key": "notes-app-2026"
                 *     }
                 */
                "application/json": {
                    /** @constant */
                    confirmed: true;
                    idempotency_key: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "coh_management_key": "svc_man_000000000000000000000000000000000000EXAMPL",
                     *       "coh_application_key": "svc_app_000000000000000000000000000000000000EXAMPL",
                     *       "status": "claimed",
                     *       "expires_at": null,
                     *       "tenant_lifecycle": "claimed",
                     *       "runtime_profile": "v1-1",
                     *       "base_url": "https://login.example.com",
                     *       "credentials_file": {
                     *         "filename": ".service",
                     *         "content": "# Credentials of this project. Keep them secret: anyone who has this file can manage the project.\n# Keep the file mode 0600 (chmod 600 .service), list it in .gitignore, and never commit it.\nbase_url=https://login.example.com\ntenant_id=swift-fox-running-k3qd7\ncoh_management_key=svc_man_000000000000000000000000000000000000EXAMPL\ncoh_application_key=svc_app_000000000000000000000000000000000000EXAMPL\nexpires_at=\ntenant_lifecycle=claimed\nruntime_profile=v1-1\n"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewTenant"];
                };
            };
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "coh_management_key": "svc_man_000000000000000000000000000000000000EXAMPL",
                     *       "coh_application_key": "svc_app_000000000000000000000000000000000000EXAMPL",
                     *       "status": "claimed",
                     *       "expires_at": null,
                     *       "tenant_lifecycle": "claimed",
                     *       "runtime_profile": "v1-1",
                     *       "base_url": "https://login.example.com",
                     *       "credentials_file": {
                     *         "filename": ".service",
                     *         "content": "# Credentials of this project. Keep them secret: anyone who has this file can manage the project.\n# Keep the file mode 0600 (chmod 600 .service), list it in .gitignore, and never commit it.\nbase_url=https://login.example.com\ntenant_id=swift-fox-running-k3qd7\ncoh_management_key=svc_man_000000000000000000000000000000000000EXAMPL\ncoh_application_key=svc_app_000000000000000000000000000000000000EXAMPL\nexpires_at=\ntenant_lifecycle=claimed\nruntime_profile=v1-1\n"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewTenant"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidAccessToken.missingCredentials"];
            403: components["responses"]["accountRequired.insufficientScope.projectLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @example 0 */
                after?: number;
                /** @example 50 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "actions": [
                     *         {
                     *           "id": 1,
                     *           "at_ms": 1794744000000,
                     *           "actor": "key:1f0c9a2b",
                     *           "action": "social_login.provisioned",
                     *           "target": null,
                     *           "request_id": "req_EXAMPLE"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        actions: components["schemas"]["AuditEntry"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    requestClaim: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "approval_url": "https://login.example.com/c/EXAMPLE",
                     *       "confirmation_code": "K7QD",
                     *       "expires_at": "2026-11-15T12:30:00.000Z",
                     *       "tenant_expires_at": "2026-11-18T12:00:00.000Z",
                     *       "wait": {
                     *         "url": "https://login.example.com/api/wait",
                     *         "token": "svc_wt_EXAMPLE",
                     *         "auth_header": "Bearer svc_wt_EXAMPLE",
                     *         "expires_at": "2026-11-15T12:35:00.000Z",
                     *         "interval_seconds": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ClaimLink"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantSuspended.wrongKeyKind"];
            409: components["responses"]["alreadyClaimed"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    waitForClaim: {
        parameters: {
            query?: {
                /** @example 0 */
                timeout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "pending",
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "next": "No decision yet. Call again; the user opens the approval_url and compares the confirmation code."
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        status: "pending" | "approved" | "denied" | "expired";
                        tenant_id: string;
                        next: string;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    provisionSocialLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callback_urls": [
                 *         "http://localhost:3000/auth/callback"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SocialLoginConfiguration"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google",
                     *       "callback_urls": [
                     *         "http://localhost:3000/auth/callback"
                     *       ],
                     *       "events_table": "social_login_events",
                     *       "events_endpoint": "https://login.example.com/api/social-login/events"
                     *     }
                     */
                    "application/json": components["schemas"]["SocialLoginResource"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["callbackHostBlocked.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    removeSocialLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "resource": "social-login",
                     *       "status": "deleted"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        /** @constant */
                        resource: "social-login";
                        /** @constant */
                        status: "deleted";
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listResources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resources": [
                     *         {
                     *           "resource": "social-login",
                     *           "status": "active",
                     *           "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google",
                     *           "callback_urls": [
                     *             "http://localhost:3000/auth/callback"
                     *           ],
                     *           "events_table": "social_login_events",
                     *           "events_endpoint": "https://login.example.com/api/social-login/events"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        resources: components["schemas"]["ResourceResult"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    provisionResources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "resources": [
                 *         "social-login"
                 *       ],
                 *       "configurations": {
                 *         "social-login": {
                 *           "callback_urls": [
                 *             "http://localhost:3000/auth/callback"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    resources: "social-login"[];
                    configurations: {
                        "social-login": components["schemas"]["SocialLoginConfiguration"];
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resources": [
                     *         {
                     *           "resource": "social-login",
                     *           "status": "active",
                     *           "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google",
                     *           "callback_urls": [
                     *             "http://localhost:3000/auth/callback"
                     *           ],
                     *           "events_table": "social_login_events",
                     *           "events_endpoint": "https://login.example.com/api/social-login/events"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        resources: components["schemas"]["ResourceResult"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["callbackHostBlocked.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @example 0 */
                after?: number;
                /** @example 50 */
                limit?: number;
                user_id?: number;
                event?: "login_started" | "consent_denied" | "authorize" | "login_failed" | "token_refreshed" | "logout";
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "id": 1,
                     *           "event": "login_started",
                     *           "user_id": null,
                     *           "email": null,
                     *           "redirect_uri": "http://localhost:3000/auth/callback",
                     *           "return_to": null,
                     *           "metadata": {},
                     *           "created_at_ms": 1794744060000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        events: components["schemas"]["AuthEvent"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                after?: number;
                /** @example 100 */
                limit?: number;
                email?: string;
                q?: string;
                blocked?: unknown;
                count?: unknown;
                include?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    "X-Total-Count": components["headers"]["TotalCount"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "users": [
                     *         {
                     *           "id": 1,
                     *           "email": "ada@example.com",
                     *           "name": "Ada Lovelace",
                     *           "picture": "https://lh3.googleusercontent.com/a/ada",
                     *           "first_seen": "2026-11-15T12:01:00.000Z",
                     *           "last_seen": "2026-11-15T12:01:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        users: components["schemas"]["UserDetails"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: {
                include?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z",
                     *         "blocked": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z",
                     *         "blocked": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readUserMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metadata": {
                     *         "plan": "pro"
                     *       }
                     *     }
                     */
                    "application/json": {
                        metadata: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    replaceUserMetadata: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "metadata": {
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": {
                    metadata: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metadata": {
                     *         "plan": "pro"
                     *       }
                     *     }
                     */
                    "application/json": {
                        metadata: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            412: components["responses"]["metadataChanged"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    replaceUserClaims: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "claims": {
                 *         "role": "admin",
                 *         "plan": "pro"
                 *       },
                 *       "end_sessions": false
                 *     }
                 */
                "application/json": {
                    claims: {
                        [key: string]: string | number | boolean | string[];
                    };
                    /** @default false */
                    end_sessions?: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "claims": {
                     *         "role": "admin",
                     *         "plan": "pro"
                     *       }
                     *     }
                     */
                    "application/json": {
                        claims: {
                            [key: string]: string | number | boolean | string[];
                        };
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteUserClaims: {
        parameters: {
            query?: {
                end_sessions?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    mergeUsers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": 2
                 *     }
                 */
                "application/json": {
                    from: number;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z",
                     *         "identities": [
                     *           {
                     *             "provider": "google",
                     *             "issuer": "https://accounts.google.com",
                     *             "subject": "110248495921238986420",
                     *             "email": "ada@example.com",
                     *             "pinned": false
                     *           },
                     *           {
                     *             "provider": "github",
                     *             "issuer": "https://github.com",
                     *             "subject": "583231",
                     *             "email": "ada@engine.example.com",
                     *             "pinned": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            409: components["responses"]["mergeRefused"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    removeUserIdentity: {
        parameters: {
            query?: {
                subject?: string;
            };
            header?: never;
            path: {
                id: string;
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z",
                     *         "identities": [
                     *           {
                     *             "provider": "google",
                     *             "issuer": "https://accounts.google.com",
                     *             "subject": "110248495921238986420",
                     *             "email": "ada@example.com",
                     *             "pinned": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.userBlocked.wrongKeyKind"];
            404: components["responses"]["identityNotFound.userNotFound"];
            409: components["responses"]["onlyIdentity"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    pinUserIdentity: {
        parameters: {
            query?: {
                subject?: string;
            };
            header?: never;
            path: {
                id: string;
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pinned": true
                 *     }
                 */
                "application/json": {
                    pinned: boolean;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada",
                     *         "first_seen": "2026-11-15T12:01:00.000Z",
                     *         "last_seen": "2026-11-15T12:01:00.000Z",
                     *         "identities": [
                     *           {
                     *             "provider": "google",
                     *             "issuer": "https://accounts.google.com",
                     *             "subject": "110248495921238986420",
                     *             "email": "ada@example.com",
                     *             "pinned": true
                     *           },
                     *           {
                     *             "provider": "github",
                     *             "issuer": "https://github.com",
                     *             "subject": "583231",
                     *             "email": "ada@engine.example.com",
                     *             "pinned": false
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        user: components["schemas"]["UserDetails"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["identityNotFound.userNotFound"];
            409: components["responses"]["onlyIdentity"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listUserSessions: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": 1,
                     *           "created_at": "2026-11-15T12:01:00.000Z",
                     *           "last_refreshed_at": "2026-11-15T12:31:00.000Z",
                     *           "expires_at": "2026-12-15T12:31:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        sessions: components["schemas"]["UserSession"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    endUserSessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "ended": 1
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        ended: number;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["userNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    endUserSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["sessionNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listRemovals: {
        parameters: {
            query?: {
                /** @example 0 */
                after?: number;
                /** @example 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removals": [
                     *         {
                     *           "user_id": 1,
                     *           "email": "ada@example.com",
                     *           "requested_at": "2026-11-15T12:00:00.000Z",
                     *           "due_at": "2026-12-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        removals: components["schemas"]["RemovalRequest"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    exportUsers: {
        parameters: {
            query?: {
                format?: "ndjson" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    importUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "created": 1,
                     *       "existing": 0,
                     *       "failed": 0,
                     *       "results": [
                     *         {
                     *           "line": 1,
                     *           "result": "created",
                     *           "user_id": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        created: number;
                        existing: number;
                        failed: number;
                        results: components["schemas"]["ImportResult"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["importRequiresClaim.notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refresh_leeway_seconds": 0,
                     *       "callback_mode": "either",
                     *       "remember_consent": false,
                     *       "allowed_domains": [],
                     *       "allowed_emails": [],
                     *       "first_user_claims": null,
                     *       "admission": "open",
                     *       "id_tokens": null
                     *     }
                     */
                    "application/json": components["schemas"]["SocialLoginSettings"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "allowed_domains": [
                 *         "example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SocialLoginSettingsChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refresh_leeway_seconds": 0,
                     *       "callback_mode": "either",
                     *       "remember_consent": false,
                     *       "allowed_domains": [
                     *         "example.com"
                     *       ],
                     *       "allowed_emails": [],
                     *       "first_user_claims": null,
                     *       "admission": "open",
                     *       "id_tokens": null
                     *     }
                     */
                    "application/json": components["schemas"]["SocialLoginSettings"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitations": [
                     *         {
                     *           "id": "inv_EXAMPLEEXAMPLE00",
                     *           "email": "ada@example.com",
                     *           "claims": {
                     *             "role": "editor"
                     *           },
                     *           "uses": 1,
                     *           "used": 0,
                     *           "status": "open",
                     *           "created_at": "2026-11-15T12:05:00.000Z",
                     *           "expires_at": "2026-11-22T12:05:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        invitations: components["schemas"]["Invitation"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "claims": {
                 *         "role": "editor"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitation": {
                     *         "id": "inv_EXAMPLEEXAMPLE00",
                     *         "email": "ada@example.com",
                     *         "claims": {
                     *           "role": "editor"
                     *         },
                     *         "uses": 1,
                     *         "used": 0,
                     *         "status": "open",
                     *         "created_at": "2026-11-15T12:05:00.000Z",
                     *         "expires_at": "2026-11-22T12:05:00.000Z",
                     *         "url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google?invitation=svc_in_EXAMPLE"
                     *       }
                     *     }
                     */
                    "application/json": {
                        invitation: components["schemas"]["Invitation"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            409: components["responses"]["invitationLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                invitationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["invitationNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listDomains: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domains": [
                     *         {
                     *           "host": "app.example.com",
                     *           "registrable_domain": "example.com",
                     *           "status": "pending",
                     *           "method": null,
                     *           "dns": {
                     *             "type": "TXT",
                     *             "name": "_gatehouse.example.com",
                     *             "value": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *           },
                     *           "file": {
                     *             "url": "https://app.example.com/.well-known/gatehouse.txt",
                     *             "content": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *           },
                     *           "verified_at": null,
                     *           "checked_at": null,
                     *           "next_check_at": null,
                     *           "missed_checks": 0,
                     *           "created_at": "2026-11-15T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        domains: components["schemas"]["Domain"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["ownerRequired.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    addDomain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "host": "app.example.com"
                 *     }
                 */
                "application/json": {
                    host: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": {
                     *         "host": "app.example.com",
                     *         "registrable_domain": "example.com",
                     *         "status": "pending",
                     *         "method": null,
                     *         "dns": {
                     *           "type": "TXT",
                     *           "name": "_gatehouse.example.com",
                     *           "value": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *         },
                     *         "file": {
                     *           "url": "https://app.example.com/.well-known/gatehouse.txt",
                     *           "content": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *         },
                     *         "verified_at": null,
                     *         "checked_at": null,
                     *         "next_check_at": null,
                     *         "missed_checks": 0,
                     *         "created_at": "2026-11-15T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        domain: components["schemas"]["Domain"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            409: components["responses"]["domainLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    checkDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "domain": {
                     *         "host": "app.example.com",
                     *         "registrable_domain": "example.com",
                     *         "status": "verified",
                     *         "method": "dns",
                     *         "dns": {
                     *           "type": "TXT",
                     *           "name": "_gatehouse.example.com",
                     *           "value": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *         },
                     *         "file": {
                     *           "url": "https://app.example.com/.well-known/gatehouse.txt",
                     *           "content": "gatehouse-verification=EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                     *         },
                     *         "verified_at": "2026-11-15T12:05:00.000Z",
                     *         "checked_at": "2026-11-15T12:05:00.000Z",
                     *         "next_check_at": "2026-11-22T12:05:00.000Z",
                     *         "missed_checks": 0,
                     *         "created_at": "2026-11-15T12:00:00.000Z"
                     *       },
                     *       "found": {
                     *         "dns": "found",
                     *         "file": "absent"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DomainCheck"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["domainNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["domainNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readBrand: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "name": "Example Notes",
                     *         "privacy_url": null,
                     *         "terms_url": null,
                     *         "accent": "indigo",
                     *         "logo": null,
                     *         "shown_on": [
                     *           "app.example.com"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        brand: components["schemas"]["Brand"] | null;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    setBrand: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Example Notes",
                 *       "accent": "indigo"
                 *     }
                 */
                "application/json": components["schemas"]["BrandSettings"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "name": "Example Notes",
                     *         "privacy_url": null,
                     *         "terms_url": null,
                     *         "accent": "indigo",
                     *         "logo": null,
                     *         "shown_on": [
                     *           "app.example.com"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        brand: components["schemas"]["Brand"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteBrand: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    setLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "brand": {
                     *         "name": "Example Notes",
                     *         "privacy_url": null,
                     *         "terms_url": null,
                     *         "accent": "indigo",
                     *         "logo": {
                     *           "url": "https://login.example.com/logo/swift-fox-running-k3qd7/EXAMPLE.png",
                     *           "size": 64
                     *         },
                     *         "shown_on": [
                     *           "app.example.com"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        brand: components["schemas"]["Brand"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["brandNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "providers": [
                     *         {
                     *           "name": "google",
                     *           "mode": "own",
                     *           "client_id": "1234567890-example.apps.googleusercontent.com",
                     *           "redirect_uri": "https://login.example.com/auth/google/callback",
                     *           "status": "pending",
                     *           "tested_at": null,
                     *           "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google",
                     *           "in_use": {
                     *             "mode": "shared",
                     *             "client_id": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        providers: components["schemas"]["Provider"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    replaceProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_id": "1234567890-example.apps.googleusercontent.com",
                 *       "client_secret": "GOCSPX-EXAMPLE"
                 *     }
                 */
                "application/json": components["schemas"]["ProviderClient"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "provider": {
                     *         "name": "google",
                     *         "mode": "own",
                     *         "client_id": "1234567890-example.apps.googleusercontent.com",
                     *         "redirect_uri": "https://login.example.com/auth/google/callback",
                     *         "status": "pending",
                     *         "tested_at": null,
                     *         "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google",
                     *         "in_use": {
                     *           "mode": "shared",
                     *           "client_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        provider: components["schemas"]["Provider"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.ownerRequired.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["providerNotFound"];
            409: components["responses"]["noSharedClient.providerLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    removeProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["providerNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    testProvider: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true,
                     *       "error_code": null
                     *     }
                     */
                    "application/json": {
                        accepted: boolean;
                        error_code: ("busy" | "timeout" | "unreachable" | "redirected" | "answer_too_large" | "malformed_answer" | "provider_error" | "invalid_id_token" | "insecure_endpoint" | "subject_mismatch" | "subject_invalid" | "subject_too_long" | "email_missing" | "email_unverified" | "email_invalid" | "not_allowed" | "not_invited" | "user_limit" | "user_blocked" | "storage_error" | "unexpected" | "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "server_error" | "temporarily_unavailable" | "invalid_token" | "insufficient_scope" | "interaction_required" | "login_required" | "account_selection_required" | "consent_required" | "admin_policy_enforced" | "org_internal" | "disallowed_useragent" | "redirect_uri_mismatch" | "deleted_client") | null;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["providerNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "wh_EXAMPLEEXAMPLE00",
                     *           "url": "https://app.example.com/webhooks/gatehouse",
                     *           "events": [
                     *             "social_login.consent_denied",
                     *             "social_login.authorize",
                     *             "social_login.login_failed",
                     *             "social_login.logout"
                     *           ],
                     *           "status": "active",
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "cursor": 2,
                     *           "waiting_retries": 0,
                     *           "replay": null,
                     *           "created_at": "2026-11-15T12:05:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://app.example.com/webhooks/gatehouse"
                 *     }
                 */
                "application/json": {
                    url: string;
                    events?: ("social_login.login_started" | "social_login.consent_denied" | "social_login.authorize" | "social_login.login_failed" | "social_login.token_refreshed" | "social_login.logout" | "user.created" | "user.updated" | "user.deleted" | "user.removal_requested")[];
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "wh_EXAMPLEEXAMPLE00",
                     *         "url": "https://app.example.com/webhooks/gatehouse",
                     *         "events": [
                     *           "social_login.consent_denied",
                     *           "social_login.authorize",
                     *           "social_login.login_failed",
                     *           "social_login.logout"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "cursor": 2,
                     *         "waiting_retries": 0,
                     *         "replay": null,
                     *         "created_at": "2026-11-15T12:05:00.000Z"
                     *       },
                     *       "secret": "whsec_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAM"
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                        secret: string;
                    };
                };
            };
            400: components["responses"]["invalidRequest.webhookUrlRefused"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            409: components["responses"]["webhookLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    readWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "wh_EXAMPLEEXAMPLE00",
                     *         "url": "https://app.example.com/webhooks/gatehouse",
                     *         "events": [
                     *           "social_login.consent_denied",
                     *           "social_login.authorize",
                     *           "social_login.login_failed",
                     *           "social_login.logout"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "cursor": 2,
                     *         "waiting_retries": 0,
                     *         "replay": null,
                     *         "created_at": "2026-11-15T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "wh_EXAMPLEEXAMPLE00",
                     *         "url": "https://app.example.com/webhooks/gatehouse",
                     *         "events": [
                     *           "social_login.consent_denied",
                     *           "social_login.authorize",
                     *           "social_login.login_failed",
                     *           "social_login.logout"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "cursor": 2,
                     *         "waiting_retries": 0,
                     *         "replay": null,
                     *         "created_at": "2026-11-15T12:05:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["invalidRequest.webhookUrlRefused"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "secret": "whsec_EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAM",
                     *       "previous_until": "2026-11-16T12:05:00.000Z"
                     *     }
                     */
                    "application/json": {
                        secret: string;
                        /** Format: date-time */
                        previous_until: string;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true,
                     *       "status": 200,
                     *       "ms": 41,
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                after?: number;
                limit?: number;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Link: components["headers"]["NextPage"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deliveries": [
                     *         {
                     *           "id": 1,
                     *           "type": "social_login.authorize",
                     *           "event_id": 2,
                     *           "attempt": 1,
                     *           "at_ms": 1794744061000,
                     *           "delivered": true,
                     *           "status": 200,
                     *           "ms": 41,
                     *           "error": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "after": 0
                 *     }
                 */
                "application/json": components["schemas"]["WebhookReplay"];
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "wh_EXAMPLEEXAMPLE00",
                     *         "url": "https://app.example.com/webhooks/gatehouse",
                     *         "events": [
                     *           "social_login.consent_denied",
                     *           "social_login.authorize",
                     *           "social_login.login_failed",
                     *           "social_login.logout"
                     *         ],
                     *         "status": "active",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "cursor": 2,
                     *         "waiting_retries": 0,
                     *         "replay": {
                     *           "after": 0,
                     *           "until": 2
                     *         },
                     *         "created_at": "2026-11-15T12:05:00.000Z"
                     *       },
                     *       "deliveries": 2
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                        deliveries: number;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            404: components["responses"]["webhookNotFound"];
            409: components["responses"]["webhookLimit"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listRefusals: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "refusals": [
                     *         {
                     *           "step": "start",
                     *           "code": "invalidRedirectUri",
                     *           "count": 3,
                     *           "first_at_ms": 1794744000000,
                     *           "last_at_ms": 1794744060000,
                     *           "sent": "http://localhost:3001/auth/callback",
                     *           "closest": "http://localhost:3000/auth/callback",
                     *           "differs": "port",
                     *           "meaning": "`redirect_uri` matches no registered callback URL.",
                     *           "fix": "Send redirect_uri=http://localhost:3000/auth/callback, or add http://localhost:3001/auth/callback to the registered URLs (`provision --add`; POST /api/resources/social-login replaces the whole list)."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        refusals: components["schemas"]["Refusal"][];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readObservability: {
        parameters: {
            query?: {
                include?: "recent_events";
                tenant_id?: string;
                since?: number;
                /** @example 1 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "auth": {
                     *         "mode": "management_key",
                     *         "via_tenant_id": "swift-fox-running-k3qd7"
                     *       },
                     *       "summary": {
                     *         "projects": 1,
                     *         "stored_users": 1,
                     *         "active_sessions": 1
                     *       },
                     *       "tenants": [
                     *         {
                     *           "tenant_id": "swift-fox-running-k3qd7",
                     *           "claimed_at": "2026-11-15T12:10:00.000Z",
                     *           "runtime_profile": "v1-1",
                     *           "stored_users": 1,
                     *           "active_sessions": 1
                     *         }
                     *       ],
                     *       "usage": {
                     *         "stored_users": {
                     *           "used": 1,
                     *           "limit": 5000
                     *         },
                     *         "events_this_minute": {
                     *           "used": 0,
                     *           "limit": 30
                     *         },
                     *         "events_this_month": {
                     *           "used": 2,
                     *           "limit": 5000
                     *         }
                     *       },
                     *       "recent_events": [
                     *         {
                     *           "source": "auth",
                     *           "tenant_id": "swift-fox-running-k3qd7",
                     *           "at_ms": 1794744061000,
                     *           "event": "authorize",
                     *           "user_id": 1,
                     *           "email": "ada@example.com"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        auth: {
                            /** @constant */
                            mode: "management_key";
                            via_tenant_id: string;
                        };
                        summary: {
                            projects: number;
                            stored_users: number;
                            active_sessions: number;
                        };
                        tenants: {
                            tenant_id: string;
                            /** Format: date-time */
                            claimed_at: string;
                            runtime_profile: string;
                            stored_users: number;
                            active_sessions: number;
                        }[];
                        usage: components["schemas"]["AccountUsage"];
                        recent_events?: ({
                            /** @constant */
                            source: "auth";
                            tenant_id: string;
                            at_ms: number;
                            /** @enum {string} */
                            event: "login_started" | "consent_denied" | "authorize" | "login_failed" | "token_refreshed" | "logout";
                            user_id: number | null;
                            email: string | null;
                            /** @enum {string} */
                            error_code?: "busy" | "timeout" | "unreachable" | "redirected" | "answer_too_large" | "malformed_answer" | "provider_error" | "invalid_id_token" | "insecure_endpoint" | "subject_mismatch" | "subject_invalid" | "subject_too_long" | "email_missing" | "email_unverified" | "email_invalid" | "not_allowed" | "not_invited" | "user_limit" | "user_blocked" | "storage_error" | "unexpected" | "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "server_error" | "temporarily_unavailable" | "invalid_token" | "insufficient_scope" | "interaction_required" | "login_required" | "account_selection_required" | "consent_required" | "admin_policy_enforced" | "org_internal" | "disallowed_useragent" | "redirect_uri_mismatch" | "deleted_client";
                        } | {
                            /** @constant */
                            source: "api";
                            tenant_id: string;
                            at_ms: number;
                            method: string;
                            route: string;
                            status: number;
                            duration_ms: number;
                            request_id: string;
                        } | {
                            /** @constant */
                            source: "webhook";
                            tenant_id: string;
                            at_ms: number;
                            webhook_id: string;
                            event_id: number | null;
                            attempt: number;
                            delivered: boolean;
                            status: number | null;
                            error: ("timeout" | "unreachable" | "tls") | null;
                            duration_ms: number;
                        } | {
                            /** @constant */
                            source: "deploy";
                            tenant_id: string;
                            at_ms: number;
                        })[];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["observabilityRequiresClaim.tenantPaused.wrongKeyKind"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readInsights: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account": {
                     *         "email": "ada@example.com",
                     *         "tier": "free",
                     *         "usage": {
                     *           "stored_users": {
                     *             "used": 1,
                     *             "limit": 5000
                     *           },
                     *           "events_this_minute": {
                     *             "used": 0,
                     *             "limit": 30
                     *           },
                     *           "events_this_month": {
                     *             "used": 2,
                     *             "limit": 5000
                     *           }
                     *         }
                     *       },
                     *       "projects": [
                     *         {
                     *           "tenant_id": "swift-fox-running-k3qd7",
                     *           "created_at": "2026-11-15T12:00:00.000Z",
                     *           "claimed_at": "2026-11-15T12:10:00.000Z",
                     *           "users": {
                     *             "total": 1,
                     *             "recent": [
                     *               {
                     *                 "id": 1,
                     *                 "email": "ada@example.com",
                     *                 "name": "Ada Lovelace",
                     *                 "picture": "https://lh3.googleusercontent.com/a/ada",
                     *                 "first_seen": "2026-11-15T12:01:00.000Z",
                     *                 "last_seen": "2026-11-15T12:01:00.000Z"
                     *               }
                     *             ]
                     *           },
                     *           "active_sessions": 1,
                     *           "activity": [
                     *             {
                     *               "event": "authorize",
                     *               "user_id": 1,
                     *               "email": "ada@example.com",
                     *               "created_at_ms": 1794744061000
                     *             }
                     *           ],
                     *           "daily": [
                     *             {
                     *               "day": "2026-11-15",
                     *               "logins": 1,
                     *               "refreshes": 0,
                     *               "logouts": 0,
                     *               "failures": 0
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        account: {
                            email: string;
                            /** @enum {string} */
                            tier: "ephemeral" | "free" | "plus" | "pro";
                            usage: components["schemas"]["AccountUsage"];
                        };
                        projects: {
                            tenant_id: string;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            claimed_at: string;
                            users: {
                                total: number;
                                recent: components["schemas"]["User"][];
                            };
                            active_sessions: number;
                            activity: {
                                /** @enum {string} */
                                event: "login_started" | "consent_denied" | "authorize" | "login_failed" | "token_refreshed" | "logout";
                                user_id: number | null;
                                email: string | null;
                                created_at_ms: number;
                                /** @enum {string} */
                                error_code?: "busy" | "timeout" | "unreachable" | "redirected" | "answer_too_large" | "malformed_answer" | "provider_error" | "invalid_id_token" | "insecure_endpoint" | "subject_mismatch" | "subject_invalid" | "subject_too_long" | "email_missing" | "email_unverified" | "email_invalid" | "not_allowed" | "not_invited" | "user_limit" | "user_blocked" | "storage_error" | "unexpected" | "invalid_request" | "invalid_client" | "invalid_grant" | "unauthorized_client" | "unsupported_grant_type" | "unsupported_response_type" | "invalid_scope" | "server_error" | "temporarily_unavailable" | "invalid_token" | "insufficient_scope" | "interaction_required" | "login_required" | "account_selection_required" | "consent_required" | "admin_policy_enforced" | "org_internal" | "disallowed_useragent" | "redirect_uri_mismatch" | "deleted_client";
                            }[];
                            daily: {
                                /** Format: date */
                                day: string;
                                logins: number;
                                refreshes: number;
                                logouts: number;
                                failures: number;
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["missingCredentials"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    leaveFeedback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "feedback": "The error for a wrong redirect_uri named the part that differed. Thank you."
                 *     }
                 */
                "application/json": {
                    feedback: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    describeDiscountReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "endpoint": "POST https://login.example.com/api/feedback",
                     *       "requires": {
                     *         "user_authorized": true,
                     *         "minimum_characters": 200,
                     *         "maximum_characters": 20000,
                     *         "one_report_every_days": 30,
                     *         "claimed_tenant": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        description: string;
                        endpoint: string;
                        requires: {
                            /** @constant */
                            user_authorized: true;
                            minimum_characters: number;
                            maximum_characters: number;
                            one_report_every_days: number;
                            /** @constant */
                            claimed_tenant: true;
                        };
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    reportForDiscount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "feedback": "We added sign-in to a notes app. Provisioning took one call and worked the first time. One thing cost us time: the error for a wrong redirect_uri named the part that differed, but we still looked in the wrong place for a while, because our proxy had added a trailing slash.",
                 *       "user_authorized": true
                 *     }
                 */
                "application/json": {
                    feedback: string;
                    /** @constant */
                    user_authorized: true;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "accepted_for_discount": true,
                     *       "feedback_token": "EXAMPLE"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                        accepted_for_discount: boolean;
                        feedback_token?: string;
                        rejection_reason?: string;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    startLogin: {
        parameters: {
            query?: {
                redirect_uri?: string;
                return_to?: string;
                login_hint?: string;
                prompt?: "select_account" | "auto";
                ui_locales?: string;
                invitation?: string;
                response_type?: "code";
                code_challenge?: string;
                code_challenge_method?: "S256";
            };
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["codeChallengeRequired.invalidRedirectUri.invalidRequest.invalidReturnTo.redirectUriRequired"];
            403: components["responses"]["callbackHostBlocked.notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["invitationExpired.invitationUsed.tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
            default: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    exchangeLoginCode: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "code": "svc_ac_EXAMPLE",
                 *       "code_verifier": "EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA"
                 *     }
                 */
                "application/json": {
                    code: string;
                    code_verifier: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "refresh_token": "svc_rt_EXAMPLE"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            400: components["responses"]["invalidRedirectUri.invalidRequest"];
            401: components["responses"]["invalidCode"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            500: components["responses"]["internalError"];
            503: components["responses"]["outcomeUnknown.temporarilyUnavailable"];
        };
    };
    verifyAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE"
                 *     }
                 */
                "application/json": {
                    access_token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": true,
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        valid: true;
                        user: components["schemas"]["VerifiedUser"];
                    } | {
                        /** @constant */
                        valid: false;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
            };
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "svc_rt_EXAMPLE"
                 *     }
                 */
                "application/json": {
                    refresh_token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "refresh_token": "svc_rt_EXAMPLE"
                     *     }
                     */
                    "application/json": components["schemas"]["TokenPair"];
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidRefreshToken.refreshTokenReused.refreshTokenSuperseded"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "refresh_token": "svc_rt_EXAMPLE"
                 *     }
                 */
                "application/json": {
                    refresh_token: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        success: true;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["notProvisioned"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    createIdToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                 *       "audience": "my-database"
                 *     }
                 */
                "application/json": {
                    access_token: string;
                    audience?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id_token": "eyJhbGciOiJFUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "expires_in": 300
                     *     }
                     */
                    "application/json": {
                        id_token: string;
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidAccessToken"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["idTokensOff.tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    linkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                 *       "provider": "github"
                 *     }
                 */
                "application/json": {
                    access_token: string;
                    provider: components["schemas"]["ProviderName"];
                    redirect_uri?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "link_url": "https://base-url.invalid/auth/link/EXAMPLE.EXAMPLE",
                     *       "expires_in": 300
                     *     }
                     */
                    "application/json": {
                        link_url: string;
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["invalidRedirectUri.invalidRequest.redirectUriRequired"];
            401: components["responses"]["invalidAccessToken"];
            403: components["responses"]["notProvisioned.providerNotEnabled.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readOpenIdConfiguration: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "issuer": "https://login.example.com/edge/auth/swift-fox-running-k3qd7",
                     *       "jwks_uri": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/.well-known/jwks.json",
                     *       "id_token_signing_alg_values_supported": [
                     *         "ES256"
                     *       ],
                     *       "subject_types_supported": [
                     *         "public"
                     *       ],
                     *       "claims_supported": [
                     *         "sub",
                     *         "email",
                     *         "name"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        issuer: string;
                        jwks_uri: string;
                        id_token_signing_alg_values_supported: string[];
                        subject_types_supported: string[];
                        claims_supported: string[];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["notProvisioned"];
            404: components["responses"]["idTokensOff.tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readJwks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "kty": "EC",
                     *           "crv": "P-256",
                     *           "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
                     *           "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
                     *           "kid": "EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXAMPLE0EXA",
                     *           "alg": "ES256",
                     *           "use": "sig"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        keys: {
                            /** @constant */
                            kty: "EC";
                            /** @constant */
                            crv: "P-256";
                            x: string;
                            y: string;
                            kid: string;
                            /** @constant */
                            alg: "ES256";
                            /** @constant */
                            use: "sig";
                        }[];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["notProvisioned"];
            404: components["responses"]["idTokensOff.tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    readEdgeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "expires_at": "2026-11-15T12:02:00.000Z"
                     *     }
                     */
                    "application/json": {
                        tenant_id: string;
                        /** Format: date-time */
                        expires_at: string;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended"];
            410: components["responses"]["tenantExpired"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    openEdgeSession: {
        parameters: {
            query?: {
                key?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "svc_es_EXAMPLE",
                     *       "token_type": "Bearer",
                     *       "expires_in": 60
                     *     }
                     */
                    "application/json": {
                        token: string;
                        /** @constant */
                        token_type: "Bearer";
                        expires_in: number;
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantPaused.tenantSuspended.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    listLoginProviders: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenantId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "providers": [
                     *         {
                     *           "name": "google",
                     *           "display_name": "Google",
                     *           "login_url": "https://login.example.com/edge/auth/swift-fox-running-k3qd7/google"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        providers: {
                            name: components["schemas"]["ProviderName"];
                            display_name: string;
                            login_url: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended"];
            404: components["responses"]["tenantNotFound"];
            410: components["responses"]["tenantExpired"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    startProviderLogin: {
        parameters: {
            query?: {
                redirect_uri?: string;
                return_to?: string;
                login_hint?: string;
                prompt?: "select_account" | "auto";
                ui_locales?: string;
                invitation?: string;
                response_type?: "code";
                code_challenge?: string;
                code_challenge_method?: "S256";
            };
            header?: never;
            path: {
                tenantId: string;
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            302: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["codeChallengeRequired.invalidRedirectUri.invalidRequest.invalidReturnTo.redirectUriRequired"];
            403: components["responses"]["callbackHostBlocked.notProvisioned.providerNotEnabled.tenantPaused.tenantSuspended"];
            404: components["responses"]["providerNotFound.tenantNotFound"];
            410: components["responses"]["invitationExpired.invitationUsed.tenantExpired"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
            default: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    createTestSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "access_token_seconds": 60
                 *     }
                 */
                "application/json": {
                    email: string;
                    name?: string;
                    picture?: string;
                    subject?: string;
                    access_token_seconds?: number;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "access_token": "eyJhbGciOiJIUzI1NiJ9.EXAMPLE.EXAMPLE",
                     *       "refresh_token": "svc_rt_EXAMPLE",
                     *       "user": {
                     *         "id": 1,
                     *         "email": "ada@example.com",
                     *         "name": "Ada Lovelace",
                     *         "picture": "https://lh3.googleusercontent.com/a/ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        access_token: string;
                        refresh_token: string;
                        user: components["schemas"]["VerifiedUser"];
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["notProvisioned.tenantPaused.tenantSuspended.userBlocked.userLimit.wrongKeyKind"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    setTestStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "paused"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    status: "paused" | "expired";
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tenant_id": "swift-fox-running-k3qd7",
                     *       "status": "paused"
                     *     }
                     */
                    "application/json": {
                        tenant_id: string;
                        /** @enum {string} */
                        status: "paused" | "expired";
                    };
                };
            };
            400: components["responses"]["invalidRequest"];
            401: components["responses"]["invalidCredentials.missingCredentials"];
            403: components["responses"]["tenantSuspended.wrongKeyKind"];
            409: components["responses"]["alreadyClaimed"];
            410: components["responses"]["tenantExpired"];
            413: components["responses"]["bodyTooLarge"];
            415: components["responses"]["unsupportedMediaType"];
            429: components["responses"]["rateLimited"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
        };
    };
    registerClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    redirect_uris: string[];
                    client_name?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredClient"];
                };
            };
            400: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_redirect_uri" | "invalid_client_metadata" | "invalid_request";
                    };
                };
            };
            413: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
            429: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "too_many_requests";
                    };
                };
            };
            500: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "server_error";
                    };
                };
            };
            503: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "temporarily_unavailable";
                    };
                };
            };
        };
    };
    authorize: {
        parameters: {
            query: {
                response_type: "code";
                client_id: string;
                redirect_uri: string;
                code_challenge: string;
                code_challenge_method: "S256";
                state?: string;
                scope?: string;
                resource?: string;
                account_required?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            303: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request" | "invalid_client" | "invalid_scope" | "invalid_target" | "unsupported_response_type";
                    };
                };
            };
            429: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "too_many_requests";
                    };
                };
            };
            500: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "server_error";
                    };
                };
            };
            503: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "temporarily_unavailable";
                    };
                };
            };
            default: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** @enum {string} */
                    grant_type: "authorization_code" | "refresh_token";
                    client_id: string;
                    code?: string;
                    redirect_uri?: string;
                    code_verifier?: string;
                    refresh_token?: string;
                    scope?: string;
                    resource?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthTokens"];
                };
            };
            400: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request" | "invalid_grant" | "invalid_scope" | "invalid_target" | "unsupported_grant_type";
                    };
                };
            };
            401: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_client";
                    };
                };
            };
            413: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
            500: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "server_error";
                    };
                };
            };
            503: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "temporarily_unavailable";
                    };
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    token: string;
                    client_id?: string;
                    token_type_hint?: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
            413: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
            500: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "server_error";
                    };
                };
            };
            503: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "temporarily_unavailable";
                    };
                };
            };
        };
    };
    readProtectedResource: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        resource: string;
                        authorization_servers: string[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            405: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
        };
    };
    readAuthorizationServer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        issuer: string;
                        authorization_endpoint: string;
                        token_endpoint: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            405: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OAuthError"] & {
                        /** @enum {unknown} */
                        error?: "invalid_request";
                    };
                };
            };
        };
    };
    mcp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            403: {
                headers: {
                    "WWW-Authenticate": components["headers"]["Challenge"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    downloadCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tenant_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["missingCredentials"];
            404: components["responses"]["tenantNotFound"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
            default: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    retiredMcpManage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            410: components["responses"]["endpointRetired"];
            500: components["responses"]["internalError"];
            503: components["responses"]["temporarilyUnavailable"];
            default: {
                headers: {
                    "API-Version": components["headers"]["ApiVersion"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    Link: components["headers"]["Migration"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        reasons: string[];
                    };
                };
            };
        };
    };
}
