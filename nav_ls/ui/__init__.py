"""The graph page in a browser: a face that serves one page on loopback and hands its questions to the nav server."""
