-- One database per branch.  Ids of files and symbols are stable while their path and key stay.

CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value
) WITHOUT ROWID;

-- Every file that was looked at, with what tells whether it has changed.  skip: why it is not indexed, "" if it is.
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,           -- "" for files that are no code
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  ctime_ns INTEGER NOT NULL,
  inode INTEGER NOT NULL,
  read_ns INTEGER NOT NULL,         -- when it was read: a stat about as young as that proves nothing
  hash BLOB NOT NULL,               -- of its bytes
  facts BLOB NOT NULL,              -- key in content.db
  lines BLOB NOT NULL,              -- packed line table
  flags INTEGER NOT NULL,           -- see rows.FileFlag
  skip TEXT NOT NULL,
  problems TEXT NOT NULL            -- what kept it from being read whole, "" if nothing did
);

-- Definitions.  The one with key "" stands for its file: code at module level, imports of the module.
CREATE TABLE symbols (
  id INTEGER PRIMARY KEY,
  file_id INTEGER NOT NULL,
  key TEXT NOT NULL,                -- qualified name, "#n" for the n-th homonym of the file
  name TEXT NOT NULL,
  qual TEXT NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  name_start INTEGER NOT NULL,
  name_end INTEGER NOT NULL,
  parent TEXT NOT NULL,             -- key of the enclosing definition
  flags INTEGER NOT NULL,
  visibility TEXT NOT NULL,
  signature TEXT NOT NULL,
  doc TEXT NOT NULL,
  body_start INTEGER NOT NULL
);
CREATE UNIQUE INDEX symbols_by_key ON symbols (file_id, key);
CREATE INDEX symbols_by_name ON symbols (name);

-- Distinct names, for search by name.  Never shrinks: a name without symbols finds nothing.
CREATE TABLE names (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
);
CREATE VIRTUAL TABLE name_grams USING fts5 (
  name, content = 'names', content_rowid = 'id', tokenize = 'trigram', detail = 'none'
);
CREATE VIRTUAL TABLE name_words USING fts5 (
  words, content = '', tokenize = 'unicode61', detail = 'none', prefix = '1 2'
);

-- Sites that are bound to a definition.  Lines and columns come from files.lines.
CREATE TABLE edges (
  file_id INTEGER NOT NULL,
  start INTEGER NOT NULL,
  callee INTEGER NOT NULL,          -- symbols.id
  kind INTEGER NOT NULL,            -- rows.KINDS
  caller INTEGER NOT NULL,          -- symbols.id
  evidence INTEGER NOT NULL,        -- rows.EVIDENCE
  end INTEGER NOT NULL,
  PRIMARY KEY (file_id, start, callee, kind)
) WITHOUT ROWID;
CREATE INDEX edges_by_callee ON edges (callee);

-- Calls whose receiver is not known: possible callers by name.
CREATE TABLE unresolved (
  file_id INTEGER NOT NULL,
  start INTEGER NOT NULL,
  name TEXT NOT NULL,
  caller INTEGER NOT NULL,
  end INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (file_id, start, name)
) WITHOUT ROWID;
CREATE INDEX unresolved_by_name ON unresolved (name);

-- inherits | implements | embeds | overrides | imports.  dst 0: outside of the repository, named by dst_name.
CREATE TABLE relations (
  file_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,            -- rows.RELATIONS
  src INTEGER NOT NULL,
  dst INTEGER NOT NULL,
  dst_name TEXT NOT NULL,
  evidence INTEGER NOT NULL,
  PRIMARY KEY (file_id, kind, src, dst, dst_name)
) WITHOUT ROWID;
CREATE INDEX relations_by_dst ON relations (dst, kind);

-- What linking a file looked up in others: sorted 64-bit hashes of keys.
CREATE TABLE deps (
  file_id INTEGER PRIMARY KEY,
  keys BLOB NOT NULL
);

-- What search finds: whole definitions, and pieces of what stands between them or in files without any.
CREATE TABLE units (
  id INTEGER PRIMARY KEY,           -- file id * 65536 + place in the file
  symbol TEXT NOT NULL,             -- key of its definition, "" for none
  name TEXT NOT NULL,
  qual TEXT NOT NULL,
  kind TEXT NOT NULL,
  start INTEGER NOT NULL,
  end INTEGER NOT NULL,
  first_line INTEGER NOT NULL,      -- from 1
  last_line INTEGER NOT NULL,       -- included
  layer TEXT NOT NULL,
  framework TEXT NOT NULL,
  signature TEXT NOT NULL,
  shape BLOB NOT NULL,              -- hash over its code without white space: near-copies share it
  subject TEXT NOT NULL,            -- hash over the tokens of a definition: the key of its prose, "" for none
  prose BLOB NOT NULL,              -- hash of the prose that it was made with, empty for none
  content_hash BLOB NOT NULL,       -- of what its vector depends on: the key in content.db
  embedded_hash BLOB,               -- content_hash when it was last embedded
  words BLOB NOT NULL               -- zstd over the indexed terms, which taking them out of the index needs
);
CREATE INDEX units_by_name ON units (name);
CREATE INDEX units_by_content ON units (content_hash);
CREATE INDEX units_by_subject ON units (subject);

-- Which bytes of a file its units were made from, and by which rules.
CREATE TABLE unit_files (
  file_id INTEGER PRIMARY KEY,
  source BLOB NOT NULL,
  rules TEXT NOT NULL,
  units INTEGER NOT NULL,
  state INTEGER NOT NULL            -- another number whenever its units, or which of them have a vector, have changed
);

-- Texts that wait for their vector, by the content_hash of the units that they are of.
CREATE TABLE unit_texts (
  content_hash BLOB PRIMARY KEY,
  text TEXT NOT NULL
) WITHOUT ROWID;

CREATE VIRTUAL TABLE unit_words USING fts5 (name, place, body, content = '', tokenize = 'ascii');
