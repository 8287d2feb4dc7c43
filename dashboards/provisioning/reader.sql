-- The role that Grafana reads single jobs with; run by whoever owns the tables, after
-- `stichwerk migrate`:
--   psql -v password=... -f dashboards/provisioning/reader.sql stichwerk
CREATE ROLE stichwerk_reader LOGIN PASSWORD :'password';
ALTER ROLE stichwerk_reader SET default_transaction_read_only = on;
ALTER ROLE stichwerk_reader SET statement_timeout = '30s';
GRANT USAGE ON SCHEMA public TO stichwerk_reader;
GRANT SELECT ON jobs, events, scores, observables, compilations, candidates TO stichwerk_reader;
