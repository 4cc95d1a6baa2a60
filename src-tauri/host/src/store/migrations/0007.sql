-- Which commands of which project the person has seen and trusts: by the hash of all that a hook says.
CREATE TABLE trusted_hooks (
    project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
    sha256     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (project_id, sha256)
) STRICT;
