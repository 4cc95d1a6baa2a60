-- Where the person is signed in: what lets this program ask a server in their name, for its address
-- alone.
CREATE TABLE server_accounts (
    name    TEXT NOT NULL PRIMARY KEY REFERENCES mcp_servers (name) ON DELETE CASCADE ON UPDATE CASCADE,
    url     TEXT NOT NULL,
    account TEXT NOT NULL,
    -- What the person was not allowed to do there: asked for when they sign in again.
    wanted  TEXT
) STRICT;
