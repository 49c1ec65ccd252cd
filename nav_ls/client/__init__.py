"""Standard library only: find or start the server, speak LSP frames with it, bridge stdio to its socket."""
