-- Once, on the primary: sudo -u postgres psql < setup.sql. Then set both passwords: \password spoton, \password replicator
CREATE ROLE spoton LOGIN;
CREATE ROLE replicator LOGIN REPLICATION;
CREATE DATABASE spoton OWNER spoton ENCODING 'UTF8' TEMPLATE template0;
-- Every role could connect otherwise.
REVOKE CONNECT ON DATABASE spoton FROM PUBLIC;
