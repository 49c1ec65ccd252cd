// The graph page is one page for the editor's panel and for `nav ui`: it is copied in, not written twice.  So is the licence.
import { cpSync, mkdirSync } from "node:fs";

mkdirSync("dist/ui", { recursive: true });
cpSync("../../nav_ls/ui/page", "dist/ui", { recursive: true });
cpSync("../../LICENSE", "LICENSE");
