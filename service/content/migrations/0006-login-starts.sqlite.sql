-- The login starts among the events of the minute and the month: they may use at most half of the limit. Those of the windows that
-- are current now were not counted; the limit of all events holds for these windows.
alter table event_counts add column minute_login_starts integer default 0 not null;
alter table event_counts add column month_login_starts integer default 0 not null;
