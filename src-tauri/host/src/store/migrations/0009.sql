-- Where the folder of a project was before: these places stay private, because what was said names them.
CREATE TABLE former_places (
    project_id TEXT NOT NULL,
    location   TEXT NOT NULL,
    PRIMARY KEY (project_id, location)
) STRICT;
