-- What extraction found in a file, by content: shared by all branches and work trees, and made again at will.

CREATE TABLE facts (
  key BLOB NOT NULL UNIQUE,         -- hash over path, text and version of the extractor
  data BLOB NOT NULL                -- zlib over MessagePack
);
