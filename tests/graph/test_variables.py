"""Variables, constants and fields: where they are read, written and called, across files."""

from __future__ import annotations

import pytest

from nav_ls.graph.link import Linker
from tests.cases.runner import Files

PYTHON = {
    "a.py": "MAX = 10\nhandler = make(print)\nfirst, *rest = MAX, 2\n\n\nclass C:\n    LIMIT = 3\n\n"
    "    def m(self):\n        local = 1\n        return self.LIMIT + local\n\n\ndef f():\n    pass\n\n\nf = wrap(f)\n",
    "b.py": "from a import MAX, C, f, handler\nfrom c import *\nimport a\n\n\ndef g(MIN):\n"
    "    a.MAX = MAX + MIN\n    handler(C.LIMIT)\n    f()\n    return OTHER\n",
    "c.py": "OTHER = 1\n_HIDDEN = 2\n",
}
TYPESCRIPT = {
    "a.ts": "export const SIZE = 3;\nconst inner = (x: number) => x;\nexport const wrapped = debounce(inner);\n"
    "export interface P { width: number; done: () => void }\nconst hidden = 1;\nexport { hidden as shown };\n",
    "b.ts": "export * from './a';\n",
    "c.ts": "import { SIZE, wrapped as w, P, shown } from './b';\nimport * as all from './b';\n"
    "export function g(p: P) {\n  w(SIZE);\n  all.wrapped(all.SIZE);\n  p.done();\n  return p.width + shown;\n}\n",
}
JAVASCRIPT = {
    "a.js": "const wrapped = memo(compute);\nmodule.exports.wrapped = wrapped;\n",
    "b.js": "const { wrapped } = require('./a');\nfunction g() { return wrapped(1); }\n",
}
GO = {
    "a.go": "package p\n\nconst Limit = 3\n\nvar Default = build()\n\ntype T struct{ Width int }\n",
    "b.go": "package p\n\nfunc g(t T) int {\n\tDefault()\n\treturn Limit + t.Width\n}\n",
}
C = {
    "a.h": "#define SIZE 4\nextern int limit;\nenum color { RED };\nextern int (*hook)(int);\n",
    "b.c": '#include "a.h"\nint m(int other) { return limit + other + SIZE + RED; }\n'
    "int n(int limit) { return hook(limit); }\nstatic int own = SIZE;\nint k(void) { return own; }\n",
    "c.c": "int p(void) { return limit + SIZE; }\n",
    "d.c": '#include "a.h"\nstruct point { int x; struct { int y; }; };\nstruct point origin;\n'
    "int q(struct point *p, int x) {\n  p->x = x;\n  p->y++;\n  if (origin.x) return p->x;\n"
    "  switch (x) { case RED: return 1; }\n}\n"
    "struct line { struct point from; };\n"
    "static struct point many[] = { { .x = 1 }, [1] = { .x = 2 } };\n"
    "struct line *r(void) { struct line l = { .from = { .x = 3 } }; return s((struct line){ .from = origin }); }\n",
}
CPP = {
    "store.h": "namespace db {\n"
    "constexpr int kLimit = 4;\n"
    "enum Mode { kRead, kWrite };\n"
    "enum class Level { Low };\n"
    "class Base {\n"
    " protected:\n"
    "  int size_ = kLimit;\n"
    "  static const int kMax = 3;\n"
    "};\n"
    "struct Link { Link* next; int depth; Link(int d) : depth(d) {} };\n"
    "class Store : public Base {\n"
    " public:\n"
    "  Store(int n);\n"
    "  int Get(int other);\n"
    "  int Own() const { return size_ + count_; }\n"
    "  template <class T> T As() { return T(count_); }\n"
    " private:\n"
    "  int count_;\n"
    "  Link link_;\n"
    "  Mode mode_;\n"
    "  static int made_;\n"
    "};\n"
    "}\n",
    "store.cc": '#include "store.h"\n'
    "namespace db {\n"
    "static int total = 0;\n"
    "int Store::made_ = 0;\n"
    "Store::Store(int n) : count_(n), link_(3) { made_++; }\n"
    "int Store::Get(int count_) {\n"
    "  size_ = count_ + kMax;\n"
    "  switch (mode_) { case kWrite: return link_.depth; }\n"
    "  auto f = [this](int d) { return d + total; };\n"
    "  return link_.next->depth + this->count_ + Base::kMax + kLimit + (int)Level::Low;\n"
    "}\n"
    "}\n",
    "main.cc": '#include "store.h"\n'
    "using namespace db;\n"
    "int main() { Link one(db::kLimit); if (one.depth) return kLimit + kRead; return Store::kMax; }\n",
}
PYTHON_FIELDS = {
    "a.py": "class A:\n    limit = 1\n\n"
    "    def __init__(self, app, size):\n"
    "        self.size, self.app = size, app\n"
    "        self.limit = 2\n"
    "        self.name = size\n\n"
    "    @property\n    def name(self):\n        return self.size\n\n"
    "    def run(self, size):\n"
    "        self.size += size\n"
    "        return self.app() + self.limit\n\n\n"
    "class B(A):\n"
    "    def run(self):\n"
    "        self.extra = self.app\n"
    "        return self.extra\n",
    "b.py": "from a import B\n\n\ndef f(b: B):\n    b.size = b.extra\n\n\n"
    "def g(b):\n    match b:\n        case B(size=1, extra=e):\n            return e\n",
}
JAVASCRIPT_FIELDS = {
    "a.js": "class A {\n  limit = 1;\n"
    "  constructor(size) { this.size = size; this.limit = 2; this.run = size; }\n"
    "  run(n) { this.size += n; return this.limit; }\n"
    "}\n"
    "class B extends A {\n  get() { this.extra = this.size; return this.extra; }\n}\n"
    "module.exports = { B };\n",
    "b.js": "const { B } = require('./a');\nconst b = new B(1);\nb.size = b.extra;\n",
}
TYPESCRIPT_FIELDS = {
    "a.ts": "class A { protected size = 1; }\n"
    "export class B extends A {\n  set(n: number) { this.size = n; return this.size; }\n}\n",
}
TYPESCRIPT_NAMES = {
    "a.ts": "export type Opts = { width: number; nested: { deep: string }; cb?: (x: Opts) => void };\n"
    "export type U = { kind: 'a'; a: number } | { kind: 'b'; b: string };\n"
    "export type Both = Opts & { extra: number };\n"
    "export class P { constructor(public name: string, opts: { far: number }) { opts.far++; } }\n"
    "class Q extends P { n() { return this.name; } }\n"
    "export interface Hooks { load(n: string): Opts; none(): Opts }\n",
    "b.ts": "import { Opts, U, Both, P, Hooks } from './a';\n"
    "function f(o: Opts, u: U, b: Both, part: Partial<Opts>) {\n"
    "  o.width = o.nested.deep.length; o.cb(o);\n"
    "  if (u.kind === 'a') use(u.a);\n"
    "  return use(b.extra, b.width, part.width);\n"
    "}\n"
    "function g({ width }: Opts, b: Both, p: P) {\n"
    "  const { extra: e = 1, nested: { deep } } = b;\n"
    "  return p.name + width + e + deep;\n"
    "}\n"
    "const hooks: Hooks = { load: () => ({ width: 1 }), none: () => ({ width: 2 }) };\n"
    "function h(width: number): Opts {\n"
    "  const all: Opts[] = [{ width, nested: { deep: '' } }];\n"
    "  return { width: f({ width: 1 }) };\n"
    "}\n",
}
RUBY_FIELDS = {
    "a.rb": "class Cart\n  def initialize(items)\n    @items = items\n    @total, @@made = 0, 1\n  end\n"
    "  def add(item)\n    @items << item\n    @total += 1\n  end\nend\n"
    "class Sub < Cart\n  def big? = @total > 10\nend\n",
    "b.rb": "require_relative 'a'\nclass Cart\n  def clear = @items.clear && @@made\nend\n"
    "class Other\n  def items = @items\nend\n",
}
GO_NAMES = {
    "a.go": "package p\n\ntype Base struct{ Name string; size int }\n\n"
    "type T struct {\n\tBase\n\tWidth, Height int\n\tnext *T\n}\n\n"
    "type Table map[string]int\n\nconst Max = 3\n\nvar total, ready = 0, false\n\nvar root T\n",
    "b.go": 'package p\n\nimport "fmt"\n\n'
    "func (t *T) Grow(Width int) {\n"
    "\tt.Width, total = Width, Max\n"
    "\tt.size++\n"
    "\tt.next.next.Height += 1\n"
    "\tt.Base.Name = fmt.Sprint(root.Name)\n"
    "\tfor ready {\n\t\tif Max := t.Height; Max > 2 {\n\t\t\ttotal = Max\n\t\t}\n\t}\n"
    "\tif t.next.ok() {\n\t\ttotal--\n\t}\n"
    "}\n\n"
    "func New(Width int) *T {\n"
    '\ta := []*T{{Width: Max}, {Base: Base{Name: "a"}}}\n'
    '\tb := map[string]T{"k": {Height: Width}}\n'
    "\td := map[int]int{Max: 1}\n"
    "\tc := Table{Max: 1}\n"
    "\treturn &T{Width: use(a, b, c), next: nil}\n"
    "}\n\n"
    "func (t *T) ok() bool { return t.next == nil }\n",
}
C_NAMES = {
    "a.h": "struct box { int w; struct { int h; } in; struct pt { int x, y; } at; };\n"
    "extern int limit;\n"
    "#define BASE 4\n"
    "#define ROOM (BASE * limit)\n"
    '#define GROW(b, by) do { int w = by; (b)->w += BASE + w; limit++; note("limit"); b->limit = by; } while (0)\n'
    "#define EACH(V) V(limit, 1) V(BASE, 2)\n"
    "#define PASTE(x) x##limit + #x /* limit */\n"
    "int w;\n",
    "b.c": '#include "a.h"\n'
    "int f(struct box *b) {\n"
    "  struct box c = { .in.h = 2, .at.x = 1, .w = 4 };\n"
    "  struct box many[2] = { [0].at.y = 5 };\n"
    "  if (b) { int limit = 2; c.w = limit; }\n"
    "  return limit;\n"
    "}\n"
    "int k(void) {\n"
    "  for (int limit = 0; limit < 3; limit++) {}\n"
    "  limit++;\n"
    "}\n",
}
CPP_NAMES = {
    "a.h": "class Base { protected: int size_; int other_; void run(); enum K { kA, kB }; };\n"
    "namespace lib { int total; enum E { eOne }; struct T { int q; }; }\n",
    "b.cc": '#include "a.h"\n'
    "class D : private Base {\n"
    " public:\n"
    "  using Base::size_;\n"
    "  int f(int n);\n"
    "  int n_;\n"
    "};\n"
    "int D::f(int n) {\n"
    "  if (n) { int size_ = 3; n_ = size_; }\n"
    "  size_ = n;\n"
    "  for (int n_ = 0; n_ < 3; n_++) { n += n_; }\n"
    "  for (int n_ : all) { n += n_; }\n"
    "  { auto [size_, n_] = two(); n = size_ + n_; }\n"
    "  return n_ + size_ + other_;\n"
    "}\n"
    "namespace app {\n"
    "using lib::total;\n"
    "using lib::T;\n"
    "int g(T t) { using lib::eOne; return total + eOne + t.q + D::kB; }\n"
    "}\n"
    "int main(D d) { return d.size_ + app::total; }\n",
}
JAVA = {
    "p/A.java": "package p;\n"
    "public class A {\n"
    "  public static final int MAX = 3;\n"
    "  protected int size = MAX;\n"
    "  private Runnable hook;\n"
    "  int f(int other) { size = other; hook.run(); return size + MAX + this.size; }\n"
    "  class In { int g() { return size; } }\n"
    "}\n",
    "p/B.java": "package p;\n"
    "import static p.A.MAX;\n"
    "import static p.Color.*;\n"
    "class B extends A {\n"
    "  int h() { return MAX + size + RED.ordinal(); }\n"
    "  int k(Color c) { switch (c) { case RED: return A.MAX; default: return Color.RED.x; } }\n"
    "}\n",
    "p/Color.java": "package p;\nenum Color { RED; int x; }\n",
}
CSHARP = {
    "A.cs": "namespace P;\n"
    "public class A {\n"
    "  public const int Max = 3;\n"
    "  protected int _size = Max;\n"
    "  public int Width { get; set; }\n"
    "  int F(int other) { _size = other; Width = 2; return _size + Max + Width; }\n"
    "  class In { int G() { return Max; } }\n"
    "}\n"
    "public enum Color { Red }\n",
    "B.cs": "using static P.A;\n"
    "namespace P;\n"
    "class B : A {\n"
    "  int H() { return Max + _size + (int)Color.Red + A.Max; }\n"
    "}\n"
    "class C { int K() => Max; }\n",
}
KOTLIN = {
    "p/A.kt": "package p\n"
    "const val MAX = 3\n"
    "var total = 0\n"
    "open class A(protected val size: Int) {\n"
    "  private var count = MAX\n"
    "  fun f(other: Int): Int { count = other; total += 1; return count + size + this.count + LIMIT }\n"
    "  companion object { const val LIMIT = 1 }\n"
    "}\n"
    "enum class Color { RED }\n",
    "q/B.kt": "package q\n"
    "import p.A\n"
    "import p.MAX\n"
    "import p.Color.RED\n"
    "import p.total as sum\n"
    "class B : A(1) {\n"
    "  fun g() = MAX + size + A.LIMIT + sum + RED.ordinal\n"
    "}\n"
    "class Node(var next: Node?, var depth: Int) {\n"
    "  fun set(n: Node, all: List<Node>) {\n"
    "    this.depth += 1\n"
    "    n.next.depth = 2\n"
    "    all[0].depth = 3\n"
    "    all.forEach { it.depth = 4 }\n"
    "  }\n"
    "}\n",
}
PHP = {
    "a.php": "<?php\n"
    "namespace P;\n"
    "const TOP = 1;\n"
    "class A {\n"
    "  const MAX = 3;\n"
    "  protected $size = self::MAX;\n"
    "  static $made = 0;\n"
    "  function f($other) { $this->size = $other; self::$made++; return $this->size + self::MAX + static::MAX + TOP; }\n"
    "}\n"
    "enum Color { case Red; }\n",
    "b.php": "<?php\n"
    "namespace P;\n"
    "class B extends A {\n"
    "  function g() { return $this->size + parent::MAX + A::MAX + A::$made + \\P\\TOP; }\n"
    "}\n"
    "function h(A $a) { return Color::Red; }\n",
}
RUST = {
    "Cargo.toml": '[package]\nname = "demo"\n',
    "src/lib.rs": "mod config;\nmod shape;\npub use config::MAX;\n",
    "src/config.rs": "pub const MAX: usize = 3;\npub static mut HITS: usize = MAX;\n"
    "pub mod deep { pub const INNER: usize = 1; }\n",
    "src/shape.rs": "use crate::config::{self, MAX};\n"
    "use crate::config::deep::*;\n"
    "pub struct Point { pub width: usize, next: Option<Box<Point>> }\n"
    "pub enum Shape { Dot, Box { side: usize }, Disc(usize) }\n"
    "impl Point {\n"
    "    const UNIT: usize = 1;\n"
    "    fn new(width: usize) -> Self { Self { width: width + MAX, next: None } }\n"
    "    fn grow(&mut self, width: usize) -> usize {\n"
    "        self.width = width + Self::UNIT + config::MAX + INNER;\n"
    "        self.width += 1;\n"
    '        println!("{}", self.width);\n'
    "        self.next.as_ref().unwrap().width\n"
    "    }\n"
    "    fn width(&self) -> usize { self.width }\n"
    "}\n"
    "fn area(p: &Point, shape: Shape, boxed: Box<Point>) -> usize {\n"
    "    let Point { width: w, .. } = p;\n"
    "    match shape {\n"
    "        Shape::Dot => boxed.width,\n"
    "        Shape::Box { side: s } => s,\n"
    "        Shape::Disc(r) => w + r + p.width(),\n"
    "    }\n"
    "}\n"
    "fn make() -> Shape { Shape::Box { side: crate::MAX } }\n",
}
RUST_NAMES = {
    "src/lib.rs": "pub struct Pair(pub f64, pub Point);\n"
    "pub struct Point { pub x: i32, pub y: i32 }\n"
    "pub enum Shape { Line { from: Point, to: i32 }, Dot(Point) }\n"
    "impl Pair {\n"
    "    fn add(self, o: Pair) -> Pair { Pair(self.0 + o.0, o.1) }\n"
    "    fn set(&mut self, v: f64) { self.0 = v; self.0 += 1.0; self.1.x = 2; }\n"
    "}\n"
    "impl Point {\n"
    "    fn new(x: i32, y: i32) -> Self { Self { x, y } }\n"
    "    fn swap(self) -> Point { let Point { x, y } = self; Point { x: y, y: x } }\n"
    "}\n"
    "fn line(from: Point, to: i32) -> Shape {\n"
    "    let pair = (1, 2);\n"
    "    if pair.0 > 1 { return Shape::Line { from, to }; }\n"
    "    let Shape::Line { from, .. } = other() else { panic!() };\n"
    "    Shape::Dot(from)\n"
    "}\n",
}
RUBY = {
    "lib/shop.rb": "module Shop\n  LIMIT = 3\n  class Base\n    KINDS = [LIMIT].freeze\n  end\nend\nTOP = 1\n",
    "lib/shop/cart.rb": "require 'shop'\n"
    "module Shop\n"
    "  class Cart < Base\n"
    "    LIMIT = 5\n"
    "    def full?(n)\n"
    "      n > LIMIT && KINDS.any? && TOP\n"
    "    end\n"
    "    def rest = Shop::LIMIT + ::TOP + self.class::LIMIT\n"
    "  end\n"
    "end\n",
    "main.rb": "require 'shop/cart'\nputs Shop::Cart::LIMIT, Shop::Cart::KINDS\nclass Other\n  def x = Shop::LIMIT\nend\n",
}
CASES = [
    (
        PYTHON,
        {
            "a.py:3 MAX": "references a.py:MAX exact",
            "a.py:11 LIMIT": "references a.py:C.LIMIT type",
            "b.py:1 MAX": "imports a.py:MAX exact",
            "b.py:1 handler": "imports a.py:handler exact",
            "b.py:7 MAX": "writes a.py:MAX exact",
            "b.py:7 MAX 2": "references a.py:MAX exact",
            "b.py:8 handler": "invokes a.py:handler exact",
            "b.py:8 LIMIT": "references a.py:C.LIMIT exact",
            "b.py:10 OTHER": "references c.py:OTHER exact",
        },
    ),
    (
        TYPESCRIPT,
        {
            "c.ts:1 SIZE": "imports a.ts:SIZE exact",
            "c.ts:1 wrapped": "imports a.ts:wrapped exact",
            "c.ts:1 shown": "imports a.ts:hidden exact",
            "c.ts:4 w": "invokes a.ts:wrapped exact",
            "c.ts:4 SIZE": "references a.ts:SIZE exact",
            "c.ts:5 wrapped": "invokes a.ts:wrapped exact",
            "c.ts:5 SIZE": "references a.ts:SIZE exact",
            "c.ts:6 done": "invokes a.ts:P.done type",
            "c.ts:7 width": "references a.ts:P.width type",
            "c.ts:7 shown": "references a.ts:hidden exact",
        },
    ),
    (
        JAVASCRIPT,
        {
            "a.js:2 wrapped": "writes a.js:wrapped exact",
            "a.js:2 wrapped 2": "references a.js:wrapped exact",
            "b.js:1 wrapped": "reads a.js:wrapped exact",
            "b.js:2 wrapped": "invokes a.js:wrapped exact",
        },
    ),
    (
        GO,
        {
            "b.go:4 Default": "invokes a.go:Default exact",
            "b.go:5 Limit": "references a.go:Limit exact",
            "b.go:5 Width": "references a.go:T.Width type",
        },
    ),
    (
        C,
        {
            "b.c:2 limit": "references a.h:limit exact",
            "b.c:2 SIZE": "references a.h:SIZE exact",
            "b.c:2 RED": "references a.h:color.RED exact",
            "b.c:3 hook": "invokes a.h:hook exact",
            "b.c:4 SIZE": "references a.h:SIZE exact",
            "b.c:5 own": "references b.c:own exact",
            "d.c:5 x": "writes d.c:point.x type",
            "d.c:6 y": "writes d.c:point.(struct).y type",
            "d.c:7 origin": "references d.c:origin exact",
            "d.c:7 x": "reads d.c:point.x type",
            "d.c:7 x 2": "reads d.c:point.x type",
            "d.c:8 RED": "references a.h:color.RED exact",
            "d.c:11 x": "writes d.c:point.x exact",
            "d.c:11 x 2": "writes d.c:point.x exact",
            "d.c:12 from": "writes d.c:line.from exact",
            "d.c:12 x": "writes d.c:point.x type",
            "d.c:12 from 2": "writes d.c:line.from exact",
            "d.c:12 origin": "references d.c:origin exact",
        },
    ),
    (
        CPP,
        {
            "store.h:7 kLimit": "references store.h:db.kLimit exact",
            "store.h:10 depth": "writes store.h:db.Link.depth type",
            "store.h:15 size_": "references store.h:db.Base.size_ exact",
            "store.h:15 count_": "references store.h:db.Store.count_ exact",
            "store.h:16 count_": "references store.h:db.Store.count_ exact",
            "store.cc:4 made_": "writes store.h:db.Store.made_ exact",
            "store.cc:5 count_": "writes store.h:db.Store.count_ type",
            "store.cc:5 link_": "writes store.h:db.Store.link_ type",
            "store.cc:5 made_": "writes store.h:db.Store.made_ exact",
            "store.cc:7 size_": "writes store.h:db.Base.size_ exact",
            "store.cc:7 kMax": "references store.h:db.Base.kMax exact",
            "store.cc:8 mode_": "references store.h:db.Store.mode_ exact",
            "store.cc:8 kWrite": "references store.h:db.Mode.kWrite exact",
            "store.cc:8 link_": "references store.h:db.Store.link_ exact",
            "store.cc:8 depth": "reads store.h:db.Link.depth type",
            "store.cc:9 total": "references store.cc:db.total exact",
            "store.cc:10 link_": "references store.h:db.Store.link_ exact",
            "store.cc:10 next": "reads store.h:db.Link.next type",
            "store.cc:10 depth": "reads store.h:db.Link.depth type",
            "store.cc:10 count_": "reads store.h:db.Store.count_ type",
            "store.cc:10 kMax": "references store.h:db.Base.kMax exact",
            "store.cc:10 kLimit": "references store.h:db.kLimit exact",
            "store.cc:10 Low": "references store.h:db.Level.Low exact",
            "main.cc:3 kLimit": "references store.h:db.kLimit exact",
            "main.cc:3 depth": "reads store.h:db.Link.depth type",
            "main.cc:3 kLimit 2": "references store.h:db.kLimit exact",
            "main.cc:3 kRead": "references store.h:db.Mode.kRead exact",
            "main.cc:3 kMax": "references store.h:db.Base.kMax exact",
        },
    ),
    (
        PYTHON_FIELDS,
        {
            "a.py:5 size": "writes a.py:A.size type",
            "a.py:5 app": "writes a.py:A.app type",
            "a.py:6 limit": "writes a.py:A.limit type",
            "a.py:11 size": "references a.py:A.size type",
            "a.py:14 size": "writes a.py:A.size type",
            "a.py:14 size 2": "reads a.py:A.size type",
            "a.py:15 app": "invokes a.py:A.app type",
            "a.py:15 limit": "references a.py:A.limit type",
            "a.py:20 extra": "writes a.py:B.extra type",
            "a.py:20 app": "references a.py:A.app type",
            "a.py:21 extra": "references a.py:B.extra type",
            "b.py:5 size": "writes a.py:A.size type",
            "b.py:5 extra": "references a.py:B.extra type",
            "b.py:10 size": "reads a.py:A.size type",
            "b.py:10 extra": "reads a.py:B.extra type",
        },
    ),
    (
        JAVASCRIPT_FIELDS,
        {
            "a.js:3 size": "writes a.js:A.size type",
            "a.js:3 limit": "writes a.js:A.limit type",
            "a.js:4 size": "reads a.js:A.size type",
            "a.js:4 size 2": "writes a.js:A.size type",
            "a.js:4 limit": "references a.js:A.limit type",
            "a.js:7 extra": "writes a.js:B.extra type",
            "a.js:7 size": "references a.js:A.size type",
            "a.js:7 extra 2": "references a.js:B.extra type",
            "b.js:3 b": "reads b.js:b exact",
            "b.js:3 b 2": "reads b.js:b exact",
            "b.js:3 size": "writes a.js:A.size type",
            "b.js:3 extra": "references a.js:B.extra type",
        },
    ),
    (
        TYPESCRIPT_FIELDS,
        {
            "a.ts:3 size": "writes a.ts:A.size type",
            "a.ts:3 size 2": "references a.ts:A.size type",
        },
    ),
    (
        TYPESCRIPT_NAMES,
        {
            "a.ts:4 far": "reads a.ts:P.constructor.(type).far type",
            "a.ts:4 far 2": "writes a.ts:P.constructor.(type).far type",
            "a.ts:5 name": "references a.ts:P.name type",
            "b.ts:3 width": "writes a.ts:Opts.width type",
            "b.ts:3 nested": "reads a.ts:Opts.nested type",
            "b.ts:3 deep": "reads a.ts:Opts.nested.deep type",
            "b.ts:3 cb": "invokes a.ts:Opts.cb type",
            "b.ts:4 kind": "references a.ts:U.kind type",
            "b.ts:4 kind 2": "references a.ts:U.kind type",
            "b.ts:4 a": "references a.ts:U.a type",
            "b.ts:5 extra": "references a.ts:Both.extra type",
            "b.ts:5 width": "references a.ts:Opts.width type",
            "b.ts:5 width 2": "references a.ts:Opts.width type",
            "b.ts:7 width": "reads a.ts:Opts.width type",
            "b.ts:8 extra": "reads a.ts:Both.extra type",
            "b.ts:8 nested": "reads a.ts:Opts.nested type",
            "b.ts:8 deep": "reads a.ts:Opts.nested.deep type",
            "b.ts:9 name": "references a.ts:P.name type",
            "b.ts:11 width": "writes a.ts:Opts.width type",
            "b.ts:11 width 2": "writes a.ts:Opts.width type",
            "b.ts:13 width": "writes a.ts:Opts.width type",
            "b.ts:13 nested": "writes a.ts:Opts.nested type",
            "b.ts:13 deep": "writes a.ts:Opts.nested.deep type",
            "b.ts:14 width": "writes a.ts:Opts.width type",
        },
    ),
    (
        RUBY_FIELDS,
        {
            "a.rb:3 @items": "writes a.rb:Cart.@items type",
            "a.rb:4 @total": "writes a.rb:Cart.@total type",
            "a.rb:4 @@made": "writes a.rb:Cart.@@made type",
            "a.rb:7 @items": "reads a.rb:Cart.@items type",
            "a.rb:8 @total": "writes a.rb:Cart.@total type",
            "a.rb:12 @total": "reads a.rb:Cart.@total type",
            "b.rb:3 @items": "reads a.rb:Cart.@items type",
            "b.rb:3 @@made": "reads a.rb:Cart.@@made type",
        },
    ),
    (
        GO_NAMES,
        {
            "b.go:6 Width": "writes a.go:T.Width type",
            "b.go:6 total": "writes a.go:total exact",
            "b.go:6 Max": "references a.go:Max exact",
            "b.go:7 size": "writes a.go:Base.size type",
            "b.go:8 next": "references a.go:T.next type",
            "b.go:8 next 2": "references a.go:T.next type",
            "b.go:8 Height": "writes a.go:T.Height type",
            "b.go:9 Base": "references a.go:T.Base type",
            "b.go:9 Name": "writes a.go:Base.Name type",
            "b.go:9 root": "references a.go:root exact",
            "b.go:9 Name 2": "references a.go:Base.Name type",
            "b.go:10 ready": "references a.go:ready exact",
            "b.go:11 Height": "references a.go:T.Height type",
            "b.go:12 total": "writes a.go:total exact",
            "b.go:15 next": "references a.go:T.next type",
            "b.go:16 total": "writes a.go:total exact",
            "b.go:21 Width": "writes a.go:T.Width exact",
            "b.go:21 Max": "references a.go:Max exact",
            "b.go:21 Base": "writes a.go:T.Base exact",
            "b.go:21 Name": "writes a.go:Base.Name exact",
            "b.go:22 Height": "writes a.go:T.Height exact",
            "b.go:23 Max": "references a.go:Max exact",
            "b.go:25 Width": "writes a.go:T.Width exact",
            "b.go:25 next": "writes a.go:T.next exact",
            "b.go:28 next": "references a.go:T.next type",
        },
    ),
    (
        C_NAMES,
        {
            "a.h:4 BASE": "references a.h:BASE exact",
            "a.h:4 limit": "references a.h:limit exact",
            "a.h:5 BASE": "references a.h:BASE exact",
            "a.h:5 limit": "references a.h:limit exact",
            "b.c:3 h": "writes a.h:box.(struct).h type",
            "b.c:3 in": "writes a.h:box.in exact",
            "b.c:3 at": "writes a.h:box.at exact",
            "b.c:3 x": "writes a.h:box.pt.x type",
            "b.c:3 w": "writes a.h:box.w exact",
            "b.c:4 at": "writes a.h:box.at exact",
            "b.c:4 y": "writes a.h:box.pt.y type",
            "b.c:5 w": "writes a.h:box.w type",
            "b.c:6 limit": "references a.h:limit exact",
            "b.c:10 limit": "writes a.h:limit exact",
        },
    ),
    (
        CPP_NAMES,
        {
            "b.cc:4 size_": "imports a.h:Base.size_ exact",
            "b.cc:9 n_": "writes b.cc:D.n_ exact",
            "b.cc:10 size_": "writes a.h:Base.size_ exact",
            "b.cc:14 n_": "references b.cc:D.n_ exact",
            "b.cc:14 size_": "references a.h:Base.size_ exact",
            "b.cc:14 other_": "references a.h:Base.other_ exact",
            "b.cc:17 total": "imports a.h:lib.total exact",
            "b.cc:19 eOne": "imports a.h:lib.E.eOne exact",
            "b.cc:19 total": "references a.h:lib.total exact",
            "b.cc:19 eOne 2": "references a.h:lib.E.eOne exact",
            "b.cc:19 q": "reads a.h:lib.T.q type",
            "b.cc:19 kB": "references a.h:Base.K.kB exact",
            "b.cc:21 size_": "reads a.h:Base.size_ type",
            "b.cc:21 total": "references a.h:lib.total exact",
        },
    ),
    (
        RUST,
        {
            "src/lib.rs:3 MAX": "imports src/config.rs:MAX exact",
            "src/config.rs:2 MAX": "references src/config.rs:MAX exact",
            "src/shape.rs:1 MAX": "imports src/config.rs:MAX exact",
            "src/shape.rs:7 width": "writes src/shape.rs:Point.width exact",
            "src/shape.rs:7 MAX": "references src/config.rs:MAX exact",
            "src/shape.rs:7 next": "writes src/shape.rs:Point.next exact",
            "src/shape.rs:9 width": "writes src/shape.rs:Point.width type",
            "src/shape.rs:9 UNIT": "references src/shape.rs:Point.UNIT exact",
            "src/shape.rs:9 MAX": "references src/config.rs:MAX exact",
            "src/shape.rs:9 INNER": "references src/config.rs:deep.INNER exact",
            "src/shape.rs:10 width": "writes src/shape.rs:Point.width type",
            "src/shape.rs:11 width": "reads src/shape.rs:Point.width type",
            "src/shape.rs:12 next": "reads src/shape.rs:Point.next type",
            "src/shape.rs:12 width": "reads src/shape.rs:Point.width type",
            "src/shape.rs:14 width": "reads src/shape.rs:Point.width type",
            "src/shape.rs:17 width": "reads src/shape.rs:Point.width exact",
            "src/shape.rs:19 Dot": "references src/shape.rs:Shape.Dot exact",
            "src/shape.rs:19 width": "reads src/shape.rs:Point.width type",
            "src/shape.rs:20 Box": "references src/shape.rs:Shape.Box exact",
            "src/shape.rs:20 side": "reads src/shape.rs:Shape.Box.side exact",
            "src/shape.rs:21 Disc": "references src/shape.rs:Shape.Disc exact",
            "src/shape.rs:24 Box": "references src/shape.rs:Shape.Box exact",
            "src/shape.rs:24 side": "writes src/shape.rs:Shape.Box.side exact",
            "src/shape.rs:24 MAX": "references src/config.rs:MAX exact",
        },
    ),
    (
        RUST_NAMES,
        {
            "src/lib.rs:5 0": "reads src/lib.rs:Pair.0 type",
            "src/lib.rs:5 0 2": "reads src/lib.rs:Pair.0 type",
            "src/lib.rs:5 1": "reads src/lib.rs:Pair.1 type",
            "src/lib.rs:6 0": "writes src/lib.rs:Pair.0 type",
            "src/lib.rs:6 0 2": "writes src/lib.rs:Pair.0 type",
            "src/lib.rs:6 1": "reads src/lib.rs:Pair.1 type",
            "src/lib.rs:6 x": "writes src/lib.rs:Point.x type",
            "src/lib.rs:9 x": "writes src/lib.rs:Point.x exact",
            "src/lib.rs:9 y": "writes src/lib.rs:Point.y exact",
            "src/lib.rs:10 x": "reads src/lib.rs:Point.x exact",
            "src/lib.rs:10 y": "reads src/lib.rs:Point.y exact",
            "src/lib.rs:10 x 2": "writes src/lib.rs:Point.x exact",
            "src/lib.rs:10 y 2": "writes src/lib.rs:Point.y exact",
            "src/lib.rs:14 Line": "references src/lib.rs:Shape.Line exact",
            "src/lib.rs:14 from": "writes src/lib.rs:Shape.Line.from exact",
            "src/lib.rs:14 to": "writes src/lib.rs:Shape.Line.to exact",
            "src/lib.rs:15 Line": "references src/lib.rs:Shape.Line exact",
            "src/lib.rs:15 from": "reads src/lib.rs:Shape.Line.from exact",
            "src/lib.rs:16 Dot": "invokes src/lib.rs:Shape.Dot exact",
        },
    ),
    (
        JAVA,
        {
            "p/A.java:4 MAX": "references p/A.java:A.MAX exact",
            "p/A.java:6 size": "writes p/A.java:A.size exact",
            "p/A.java:6 hook": "reads p/A.java:A.hook exact",
            "p/A.java:6 size 2": "reads p/A.java:A.size type",
            "p/A.java:6 MAX": "references p/A.java:A.MAX exact",
            "p/A.java:7 size": "references p/A.java:A.size exact",
            "p/B.java:5 MAX": "references p/A.java:A.MAX exact",
            "p/B.java:5 size": "references p/A.java:A.size exact",
            "p/B.java:5 RED": "reads p/Color.java:Color.RED exact",
            "p/B.java:6 RED": "references p/Color.java:Color.RED exact",
            "p/B.java:6 MAX": "reads p/A.java:A.MAX exact",
            "p/B.java:6 x": "reads p/Color.java:Color.x type",
            "p/B.java:6 RED 2": "reads p/Color.java:Color.RED exact",
        },
    ),
    (
        CSHARP,
        {
            "A.cs:4 Max": "references A.cs:P.A.Max exact",
            "A.cs:6 _size": "writes A.cs:P.A._size exact",
            "A.cs:6 _size 2": "references A.cs:P.A._size exact",
            "A.cs:6 Max": "references A.cs:P.A.Max exact",
            "A.cs:7 Max": "references A.cs:P.A.Max exact",
            "B.cs:4 Max": "references A.cs:P.A.Max exact",
            "B.cs:4 _size": "references A.cs:P.A._size exact",
            "B.cs:4 Red": "references A.cs:P.Color.Red exact",
            "B.cs:4 Max 2": "references A.cs:P.A.Max exact",
        },
    ),
    (
        KOTLIN,
        {
            "p/A.kt:5 MAX": "references p/A.kt:MAX exact",
            "p/A.kt:6 count": "writes p/A.kt:A.count exact",
            "p/A.kt:6 total": "writes p/A.kt:total exact",
            "p/A.kt:6 count 2": "references p/A.kt:A.count type",
            "p/A.kt:6 size": "references p/A.kt:A.size exact",
            "p/A.kt:6 LIMIT": "references p/A.kt:A.Companion.LIMIT exact",
            "q/B.kt:7 MAX": "references p/A.kt:MAX exact",
            "q/B.kt:7 size": "references p/A.kt:A.size exact",
            "q/B.kt:7 sum": "references p/A.kt:total exact",
            "q/B.kt:7 RED": "reads p/A.kt:Color.RED exact",
            "q/B.kt:11 depth": "writes q/B.kt:Node.depth type",
            "q/B.kt:12 next": "reads q/B.kt:Node.next type",
            "q/B.kt:12 depth": "writes q/B.kt:Node.depth type",
            "q/B.kt:13 depth": "writes q/B.kt:Node.depth type",
            "q/B.kt:14 depth": "writes q/B.kt:Node.depth type",
        },
    ),
    (
        PHP,
        {
            "a.php:6 MAX": "reads a.php:A.MAX exact",
            "a.php:8 size": "writes a.php:A.$size type",
            "a.php:8 $made": "writes a.php:A.$made exact",
            "a.php:8 size 2": "reads a.php:A.$size type",
            "a.php:8 MAX": "reads a.php:A.MAX exact",
            "a.php:8 MAX 2": "reads a.php:A.MAX exact",
            "b.php:4 size": "reads a.php:A.$size type",
            "b.php:4 MAX": "reads a.php:A.MAX type",
            "b.php:4 MAX 2": "reads a.php:A.MAX exact",
            "b.php:4 $made": "reads a.php:A.$made exact",
            "b.php:6 Red": "reads a.php:Color.Red exact",
        },
    ),
    (
        RUBY,
        {
            "lib/shop.rb:4 LIMIT": "references lib/shop.rb:Shop.LIMIT exact",
            "lib/shop/cart.rb:6 LIMIT": "references lib/shop/cart.rb:Shop.Cart.LIMIT exact",
            "lib/shop/cart.rb:6 KINDS": "references lib/shop.rb:Shop.Base.KINDS exact",
            "lib/shop/cart.rb:6 TOP": "references lib/shop.rb:TOP exact",
            "lib/shop/cart.rb:8 LIMIT": "references lib/shop.rb:Shop.LIMIT exact",
            "lib/shop/cart.rb:8 TOP": "references lib/shop.rb:TOP exact",
            "lib/shop/cart.rb:8 LIMIT 2": "references lib/shop/cart.rb:Shop.Cart.LIMIT exact",
            "main.rb:2 LIMIT": "references lib/shop/cart.rb:Shop.Cart.LIMIT exact",
            "main.rb:2 KINDS": "references lib/shop.rb:Shop.Base.KINDS exact",
            "main.rb:4 LIMIT": "references lib/shop.rb:Shop.LIMIT exact",
        },
    ),
]
KINDS = {"variable", "constant", "field", "enum_member"}


_LANGUAGES = [
    "python",
    "typescript",
    "javascript",
    "go",
    "c",
    "cpp",
    "python_fields",
    "javascript_fields",
    "typescript_fields",
    "typescript_names",
    "ruby_fields",
    "go_names",
    "c_names",
    "cpp_names",
    "rust",
    "rust_names",
    "java",
    "csharp",
    "kotlin",
    "php",
    "ruby",
]


@pytest.mark.parametrize(("files", "expected"), CASES, ids=_LANGUAGES)
def test_mentions_of_variables(files: dict[str, str], expected: dict[str, str]) -> None:
    source = Files({path: text.encode() for path, text in files.items()})
    linker = Linker(source)
    found: dict[str, str] = {}
    for path, text in files.items():
        for edge in linker.link(path).edges:
            target = linker.project.view(edge.callee[0])
            symbol = target.symbol(edge.callee[1]) if target is not None else None
            if symbol is None or symbol.kind not in KINDS:
                continue
            line = f"{path}:{text[: edge.start].count(chr(10)) + 1} {text[edge.start : edge.end]}"
            place = line if line not in found else f"{line} 2"
            found[place] = f"{edge.kind} {edge.callee[0]}:{symbol.qual} {edge.evidence}"
    assert found == expected
