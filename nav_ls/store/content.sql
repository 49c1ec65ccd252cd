-- What costs money or minutes to make again, by content: shared by all branches, kept when a graph is rebuilt.

CREATE TABLE vectors (
  text_hash BLOB NOT NULL,          -- of the embedded text
  model TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (text_hash, model)
);

CREATE TABLE prose (
  content_hash TEXT NOT NULL,
  prompt TEXT NOT NULL,             -- version of the prompt
  model TEXT NOT NULL,
  data BLOB NOT NULL,
  UNIQUE (content_hash, prompt, model)
);
