-- Servers of the Model Context Protocol: how each is started or reached, and the tools that it listed
-- last; and which of them the person trusts in which project, by the hash of all that they saw.
CREATE TABLE mcp_servers (
    name      TEXT    NOT NULL PRIMARY KEY,
    launch    TEXT    NOT NULL,
    enabled   INTEGER NOT NULL,
    tools     TEXT,
    listed_at INTEGER
) STRICT;
CREATE TABLE trusted_servers (
    project_id TEXT    NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL REFERENCES mcp_servers (name) ON DELETE CASCADE ON UPDATE CASCADE,
    sha256     TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (project_id, name)
) STRICT;
