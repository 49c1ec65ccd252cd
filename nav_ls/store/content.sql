-- What costs money or minutes to make again, by content: shared by all branches, kept when a graph is rebuilt.
-- Each row is sealed (see content.py), and the whole is kept twice: here and in a copy beside it.

CREATE TABLE vectors (
  text_hash BLOB NOT NULL,          -- of the embedded text
  model TEXT NOT NULL,
  data BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (text_hash, model)
);

CREATE TABLE prose (
  content_hash TEXT NOT NULL,
  prompt TEXT NOT NULL,             -- version of the prompt
  model TEXT NOT NULL,
  data BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (content_hash, prompt, model)
);

-- Small things that must not be lost: batches that were handed in, conversations.
CREATE TABLE records (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  data BLOB NOT NULL,
  seal BLOB NOT NULL,
  UNIQUE (kind, name)
);

-- Tells this file from one that was made anew: who marked something as stored here has to look again.
CREATE TABLE identity (
  value BLOB NOT NULL
);
