-- What extraction found in a file, by content: shared by all branches and work trees, and made again at will.

CREATE TABLE facts (
  key BLOB NOT NULL UNIQUE,         -- hash over path, text and version of the extractor
  summary BLOB NOT NULL,            -- what indexes over all files need
  data BLOB NOT NULL                -- checksum, zstd over MessagePack; of a manifest its text
);
