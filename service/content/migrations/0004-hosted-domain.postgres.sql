-- The Workspace of the account with which a login in progress was identified, so that the consent decides by the settings of
-- that moment. '': a consumer account. null: not identified, or by the previous release.
alter table login_attempts add column hosted_domain text;
