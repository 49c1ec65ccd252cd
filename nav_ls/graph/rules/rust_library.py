"""What Rust's library does to types: containers, wrappers, iterators, and what their methods hand on.

A method of something from outside is `Foreign("Type.method", ((receiver,), type arguments...))`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nav_ls.graph.values import UNKNOWN, Foreign, Instance, Value, Values, merge
from nav_ls.graph.view import View
from nav_ls.syntax.facts import NONE

if TYPE_CHECKING:
    from nav_ls.graph.infer import Inference

SEQUENCES = frozenset(
    "slice Vec VecDeque HashSet BTreeSet BinaryHeap LinkedList SmallVec ArrayVec IndexSet FxHashSet AHashSet".split()
)
MAPS = frozenset("HashMap BTreeMap IndexMap DashMap FxHashMap AHashMap".split())
WRAPPERS = frozenset(
    "Box Rc Arc Cow Pin Ref RefMut MutexGuard RwLockReadGuard RwLockWriteGuard Guard Lazy LazyLock LazyCell "
    "ManuallyDrop Reverse NonNull PeekMut".split()
)
"""Types that deref to their argument."""
HOLDERS = frozenset("Wrapping Saturating Reverse".split())
"""Structs whose field `.0` is their argument."""
RANGES = frozenset("Range RangeInclusive RangeFrom RangeTo RangeToInclusive".split())
WRAPPERS_OWN = frozenset(
    "clone new pin from downgrade ptr_eq strong_count try_unwrap into_inner leak into_raw from_raw make_mut get_mut "
    "as_ref as_mut deref deref_mut to_owned into_owned to_mut".split()
)
GUARDS_OWN = frozenset("unwrap expect unwrap_or_else map ok is_ok is_err".split())
"""What the result of a lock has (the locks of some crates yield the guard itself)."""
CELLS = frozenset("Mutex RwLock RefCell Cell OnceCell OnceLock UnsafeCell Weak AtomicPtr ArcSwap".split())
ITERATORS = frozenset(
    "Iterator IntoIterator DoubleEndedIterator ExactSizeIterator FusedIterator Peekable IntoIter Iter IterMut Drain "
    "ParallelIterator Stream Rev Skip Take".split()
)
PRIMITIVES = frozenset("bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64".split())
BARE = PRIMITIVES | {"tuple", "slice"}
"""Types that a macro writes impls for, one by one."""
CONVERSIONS = frozenset("Into AsRef AsMut TryInto TryFrom From Borrow BorrowMut Deref DerefMut ToOwned".split())
KNOWN = (
    SEQUENCES
    | MAPS
    | WRAPPERS
    | CELLS
    | PRIMITIVES
    | HOLDERS
    | RANGES
    | frozenset({"Option", "Result", "String", "iter", "tuple", "Poll", "Future", "JoinHandle", "function"})
    | CONVERSIONS
)
CONTAINERS = KNOWN - frozenset({"iter", "tuple", "function"})
"""Those of them that are names of types: `std::iter` is a module."""
PRELUDE = PRIMITIVES | frozenset(
    "Vec String Option Some None Result Ok Err Box Clone Copy Send Sync Sized Drop Fn FnMut FnOnce drop ToOwned "
    "Iterator IntoIterator Extend DoubleEndedIterator ExactSizeIterator Default PartialEq Eq PartialOrd Ord AsRef "
    "AsMut Into From ToString TryFrom TryInto FromIterator Debug std core alloc Unpin".split()
)
MACROS = frozenset(
    "println print eprintln eprint format write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq "
    "debug_assert_ne vec todo unimplemented unreachable matches cfg env include include_str dbg concat stringify "
    "thread_local compile_error line column file module_path".split()
)
KEEPING = frozenset(
    "clone to_owned borrow borrow_mut as_ref as_mut by_ref deref deref_mut into_iter cloned into_owned to_vec".split()
)
"""Methods of the library that yield what they are called on (or a reference to it)."""
ITERATING = frozenset(
    "map filter filter_map for_each enumerate zip chain rev skip take skip_while take_while peekable by_ref collect "
    "count last nth fold find find_map position any all min max min_by max_by min_by_key max_by_key sum product "
    "flat_map flatten cloned copied inspect step_by partition try_fold try_for_each map_while scan next fuse cycle "
    "unzip reduce eq size_hint".split()
)
CONVERTING = frozenset({"from", "try_from"})
_ADAPTORS = frozenset(
    "Fuse Rev Skip Take Peekable StepBy Chain Cycle SkipWhile TakeWhile Inspect Filter Cloned Copied".split()
)
ITERATING_TRAITS = frozenset(
    "Iterator IntoIterator DoubleEndedIterator ExactSizeIterator FusedIterator ParallelIterator".split()
)
_SLICE = frozenset(
    "len is_empty first last get get_mut get_unchecked get_unchecked_mut swap reverse iter iter_mut windows chunks "
    "chunks_exact chunks_mut rchunks split_at split_at_mut split_first split_last splitn contains starts_with "
    "ends_with strip_prefix strip_suffix binary_search binary_search_by binary_search_by_key rotate_left rotate_right "
    "fill fill_with copy_from_slice clone_from_slice copy_within sort sort_by sort_by_key sort_unstable "
    "sort_unstable_by sort_unstable_by_key to_vec into_vec repeat concat join as_ptr as_mut_ptr "
    "partition_point select_nth_unstable".split()
)
_VEC = _SLICE | frozenset(
    "new with_capacity capacity reserve reserve_exact shrink_to_fit shrink_to into_boxed_slice truncate as_slice "
    "as_mut_slice set_len swap_remove insert remove retain retain_mut dedup dedup_by dedup_by_key push pop append "
    "drain clear split_off resize resize_with leak extend_from_slice extend_from_within splice".split()
)
_STR = frozenset(
    "len is_empty is_char_boundary as_bytes as_ptr get get_mut get_unchecked split_at chars char_indices bytes "
    "split_whitespace lines contains starts_with ends_with find rfind split split_inclusive split_terminator rsplit "
    "splitn rsplitn split_once rsplit_once matches rmatches match_indices trim trim_start trim_end trim_matches "
    "strip_prefix strip_suffix trim_start_matches trim_end_matches parse replace replacen to_lowercase to_uppercase "
    "repeat is_ascii to_ascii_lowercase to_ascii_uppercase eq_ignore_ascii_case escape_debug escape_default".split()
)
_HASHED = frozenset(
    "new with_capacity capacity keys values values_mut iter iter_mut len is_empty drain retain clear reserve entry get "
    "get_mut get_key_value contains_key insert remove remove_entry into_keys into_values".split()
)
_HASH_SET = frozenset(
    "new with_capacity capacity iter len is_empty drain retain clear reserve contains get insert replace remove take "
    "difference symmetric_difference intersection union is_disjoint is_subset is_superset".split()
)
_BYTES = frozenset(f"{verb}_{order}_bytes" for verb in ("to", "from") for order in ("be", "le", "ne"))
_INTEGER = _BYTES | frozenset(
    "count_ones count_zeros leading_zeros trailing_zeros leading_ones trailing_ones rotate_left rotate_right swap_bytes "
    "reverse_bits from_be from_le to_be to_le pow isqrt div_euclid rem_euclid div_ceil ilog ilog2 ilog10 abs_diff midpoint "
    "is_power_of_two next_power_of_two next_multiple_of from_str_radix min_value max_value".split()
)
_WAYS = "checked saturating wrapping overflowing".split()
_INTEGER |= frozenset(
    f"{way}_{verb}"
    for way in _WAYS
    for verb in "add sub mul div rem neg shl shr pow abs div_euclid rem_euclid next_power_of_two".split()
)
_SIGNED = _INTEGER | frozenset("abs signum is_positive is_negative unsigned_abs".split())
_ASCII = frozenset(
    "is_ascii is_ascii_alphabetic is_ascii_alphanumeric is_ascii_control is_ascii_digit is_ascii_graphic "
    "is_ascii_hexdigit is_ascii_lowercase is_ascii_punctuation is_ascii_uppercase is_ascii_whitespace "
    "to_ascii_lowercase to_ascii_uppercase make_ascii_lowercase make_ascii_uppercase eq_ignore_ascii_case".split()
)
_FLOAT = _BYTES | frozenset(
    "is_nan is_infinite is_finite is_subnormal is_normal is_sign_positive is_sign_negative classify to_bits from_bits "
    "total_cmp clamp max min abs signum copysign recip to_degrees to_radians to_int_unchecked next_up next_down".split()
)
COUNTS = frozenset("BITS RADIX DIGITS MANTISSA_DIGITS".split())
"""Constants of numbers that are no numbers of their type."""
FLOAT_OF_STD = frozenset(
    "floor ceil round round_ties_even trunc fract mul_add powi powf sqrt exp exp2 ln log log2 log10 cbrt hypot sin cos tan "
    "asin acos atan atan2 sin_cos exp_m1 ln_1p sinh cosh tanh asinh acosh atanh div_euclid rem_euclid".split()
)
"""What floats have in `std` only: a crate that goes without it may bring traits for them."""
_CHAR = _ASCII | frozenset(
    "is_digit to_digit from_digit from_u32 escape_debug escape_default escape_unicode len_utf8 len_utf16 encode_utf8 "
    "encode_utf16 is_alphabetic is_lowercase is_uppercase is_whitespace is_alphanumeric is_control is_numeric "
    "to_lowercase to_uppercase".split()
)
INHERENT: dict[str, frozenset[str]] = {
    **dict.fromkeys("u16 u32 u64 u128 usize".split(), _INTEGER),
    **dict.fromkeys("i8 i16 i32 i64 i128 isize".split(), _SIGNED),
    **dict.fromkeys(("f32", "f64"), _FLOAT),
    "u8": _INTEGER | _ASCII | {"escape_ascii"},
    "char": _CHAR,
    "bool": frozenset({"then", "then_some"}),
    "slice": _SLICE,
    "Vec": _VEC,
    "VecDeque": _VEC - _SLICE
    | frozenset(
        "len is_empty get get_mut swap iter iter_mut range contains front front_mut back back_mut pop_front pop_back "
        "push_front push_back rotate_left rotate_right make_contiguous as_slices binary_search".split()
    ),
    "str": _STR,
    "String": _STR
    | frozenset(
        "new with_capacity from_utf8 from_utf8_lossy into_bytes as_str as_mut_str push_str push pop capacity reserve "
        "truncate remove retain insert insert_str clear drain into_boxed_str split_off".split()
    ),
    "HashMap": _HASHED,
    "BTreeMap": _HASHED
    | frozenset("first_key_value last_key_value pop_first pop_last range range_mut append split_off".split()),
    "HashSet": _HASH_SET,
    "BTreeSet": _HASH_SET | frozenset("first last pop_first pop_last range append split_off".split()),
    "Option": frozenset(
        "is_some is_some_and is_none is_none_or as_ref as_mut as_slice expect unwrap unwrap_or unwrap_or_else "
        "unwrap_or_default map inspect map_or map_or_else ok_or ok_or_else as_deref as_deref_mut iter iter_mut and "
        "and_then filter or or_else xor insert get_or_insert get_or_insert_with take take_if replace zip unzip copied "
        "cloned transpose flatten".split()
    ),
    "Result": frozenset(
        "is_ok is_ok_and is_err is_err_and ok err as_ref as_mut map map_or map_or_else map_err inspect inspect_err "
        "as_deref iter iter_mut expect unwrap unwrap_or unwrap_or_else unwrap_or_default expect_err unwrap_err and "
        "and_then or or_else copied cloned transpose flatten".split()
    ),
    "Cell": frozenset("new set swap replace into_inner get update take as_ptr get_mut".split()),
    "RefCell": frozenset(
        "new into_inner replace swap borrow try_borrow borrow_mut try_borrow_mut as_ptr get_mut take".split()
    ),
    "Mutex": frozenset("new lock try_lock is_poisoned into_inner get_mut".split()),
    "RwLock": frozenset("new read try_read write try_write into_inner get_mut".split()),
}
"""Type → what it has itself: a trait of the repository that offers the same name is not meant."""
TARGETS = {"[]": "slice", "()": "tuple"}
_SAME_ITER = frozenset(
    "filter skip take skip_while take_while rev chain peekable by_ref cloned copied inspect step_by fuse cycle into_iter "
    "iter sorted sorted_by dedup par_iter into_par_iter".split()
)
_ITER_OPTION = frozenset("next last nth find max min max_by min_by max_by_key min_by_key peek reduce next_back".split())
_OPTION_SAME = frozenset(
    "as_ref as_mut as_deref as_deref_mut take cloned copied or or_else filter xor replace inspect clone as_pin_mut".split()
)
_UNWRAP = frozenset(
    "unwrap expect unwrap_or unwrap_or_else unwrap_or_default unwrap_unchecked insert get_or_insert get_or_insert_with "
    "into_ok".split()
)
_SEQ_OPTION = frozenset(
    "first last get get_mut pop pop_front pop_back front back first_mut last_mut peek take iter_max".split()
)
_SEQ_ITER = frozenset("iter iter_mut into_iter drain par_iter union intersection difference".split())
_SEQ_SAME = frozenset("clone as_ref as_mut split_off borrow deref concat".split())
_SEQ_SLICE = frozenset("as_slice as_mut_slice into_boxed_slice make_contiguous".split())
_SEQ_VECTOR = frozenset("to_vec to_owned into_vec into_sorted_vec".split())
_SEQ_ELEMENT = frozenset("[] remove swap_remove get_unchecked get_unchecked_mut".split())
_SEQ_CHUNKS = frozenset("chunks windows chunks_exact split chunks_mut rchunks".split())


def converts(value: Foreign) -> bool:
    """Is it a conversion's method (`borrow` of `T: Borrow<X>`) of which it is told what it yields?"""
    receiver = value.args[0] if value.args else ()
    return value.name.partition(".")[0] in CONVERSIONS and any(isinstance(v, Foreign) and v.args for v in receiver)


def seen_as(name: str) -> tuple[str, ...]:
    """The names under which impl blocks may be written for a type from outside."""
    if name == "slice":
        return ("[]",)
    if name == "Vec":
        return ("Vec", "[]")
    if name == "String":
        return ("String", "str")
    if name == "tuple":
        return ("()",)
    last = name.rpartition("::")[2]
    return (last,) if last and "." not in last else ()


def applied(name: str, types: tuple[Values, ...], element: Callable[[Values], Values]) -> Foreign | None:
    """`Iter<T>`, `std::iter::Fuse<I>`: the iterator that a type stands for; None where it is none."""
    module, _, last = name.rpartition("::")
    if last in _ADAPTORS and (last in ITERATORS or module.endswith("::iter")):
        inner = types[0] if types else UNKNOWN
        return Foreign("iter", (element(inner),))
    return Foreign("iter", types) if last in ITERATORS else None


def is_iterator(value: Foreign) -> bool | None:
    """Is it an iterator?  None where nothing tells."""
    if value.name == "iter":
        return True
    return False if value.name in CONTAINERS - WRAPPERS else None


def filled(value: Value, items: Values) -> Value:
    """A container that `items` were put in, if nothing says what it holds."""
    if not isinstance(value, Foreign) or any(value.args):
        return value
    if value.name in MAPS:
        return Foreign(value.name, (UNKNOWN, items))
    return Foreign(value.name, (items,)) if value.name in SEQUENCES else value


def element_of(value: Foreign) -> Values | None:
    """What iterating yields; None: look inside of its first argument (wrappers)."""
    args = value.args
    if value.name in MAPS:
        return (Foreign("tuple", (args[0], args[1])),) if len(args) > 1 else UNKNOWN
    if value.name in WRAPPERS:
        return None
    if value.name in SEQUENCES or value.name in RANGES or value.name in ("iter", "Option", "Result"):
        return args[0] if args else UNKNOWN
    return (Foreign((value.name + "[]")[:100]),)


def call(infer: Inference, view: View, value: Foreign, args: tuple[int, ...]) -> Values:
    """What calling something from outside yields."""
    name = value.name
    first = args[0] if args else NONE
    name = name.removeprefix("?")
    if name == "function":
        return value.args[0] if value.args else UNKNOWN
    last = name.rpartition("::")[2]
    if last == "Some":
        return (Foreign("Option", (infer.eval(view, first),)),)
    if last == "Ok":
        return (Foreign("Result", (infer.eval(view, first), UNKNOWN)),)
    if last == "Err":
        return (Foreign("Result", (UNKNOWN, infer.eval(view, first))),)
    if "." in name and value.args and value.args[0]:
        base, _, method = name.rpartition(".")
        if base == "~same":
            return value.args[0]
        if base == "~new":
            made = value.args[0]
            return (Foreign("Result", (made, UNKNOWN)),) if method in ("try_from", "from_str") else made
        receiver = value.args[0][0]
        if isinstance(receiver, Foreign):
            found = _method(infer, view, receiver, method, args, value.args[1:])
            if found is not None:
                return found
    if last in ("take", "replace", "identity", "black_box") and args:
        return infer.eval(view, first)
    return (Foreign((name + "()")[:120]),)


def _applied(infer: Inference, view: View, index: int) -> Values:
    """The result of a function that is handed over."""
    return merge(*(infer.result(view, f, ()) for f in infer.eval(view, index)), UNKNOWN) if index != NONE else UNKNOWN


def _option(values: Values) -> Values:
    return (Foreign("Option", (values,)),)


def _iter(values: Values) -> Values:
    return (Foreign("iter", (values,)),)


def _method(
    infer: Inference, view: View, receiver: Foreign, method: str, args: tuple[int, ...], types: tuple[Values, ...]
) -> Values | None:
    name = receiver.name
    inner = receiver.args[0] if receiver.args else UNKNOWN
    first = args[0] if args else NONE
    if method in ("new", "from", "with", "pin") and name in (WRAPPERS | CELLS) and args:
        return (Foreign(name, (infer.eval(view, first),)),)
    if method == "clone" and name in ("Rc", "Arc", "Box") and args:
        return infer.eval(view, first)
    if name not in CONVERSIONS and method in ("new", "with_capacity", "default", "clone", "to_owned", "by_ref"):
        return (receiver,) if name != "str" else (Foreign("String"),)
    if name in ("str", "String"):
        if method == "parse" and types:
            return (Foreign("Result", (types[0], UNKNOWN)),)
        return _text_method(name, method)
    if name in PRIMITIVES:
        return _number_method(receiver, method)
    if name in CONVERSIONS:  # of `T: Into<X>` and the like
        return (Foreign("Result", (inner, UNKNOWN)),) if name in ("TryInto", "TryFrom") else inner
    if method in ("len", "count", "capacity") and name in (SEQUENCES | MAPS | {"iter"}):
        return (Foreign("usize"),)
    if name in SEQUENCES:
        return _sequence_method(infer, view, receiver, inner, method, args)
    if name in MAPS:
        return _map_method(infer, view, receiver, method, args)
    if name == "iter":
        return _iter_method(infer, view, receiver, inner, method, args, types)
    if name == "Option":
        return _option_method(infer, view, receiver, inner, method, args)
    if name == "Result":
        return _result_method(infer, view, receiver, inner, method, args)
    if name in CELLS:
        return _cell_method(inner, method, name, infer, view, first)
    if name in WRAPPERS:
        if method in ("unwrap", "expect", "unwrap_or_else", "as_ref", "as_mut", "deref", "deref_mut"):
            return (receiver,)
        if method in ("get_mut", "try_unwrap"):
            return (Foreign("Option", (inner,)),)
        if method in ("make_mut", "into_inner", "leak"):
            return inner
        if method in ("to_mut", "into_owned"):
            return _owned(inner)
        if method == "downgrade":
            return (Foreign("Weak", (infer.eval(view, first) if args else inner,)),)
    if name in RANGES:
        if method in ("start", "end"):
            return inner
        return _iter_method(infer, view, Foreign("iter", receiver.args), inner, method, args, types)
    if name == "Entry":
        if method in ("or_insert", "or_insert_with", "or_default", "or_insert_with_key"):
            return inner
        if method == "and_modify":
            return (receiver,)
    if name == "bool" and method in ("then", "then_some"):
        return _option(_applied(infer, view, first) if method == "then" else infer.eval(view, first))
    return None


def _sequence_method(
    infer: Inference, view: View, receiver: Foreign, inner: Values, method: str, args: tuple[int, ...]
) -> Values | None:
    if method in _SEQ_ITER:
        return _iter(inner)
    if method in _SEQ_OPTION:
        return _option((cut(receiver),)) if args and _is_range(view, args[0]) else _option(inner)
    if method in _SEQ_SAME:
        return (receiver,)
    if method in _SEQ_SLICE:
        return (Foreign("slice", receiver.args),)
    if method in _SEQ_VECTOR:
        return (Foreign("Vec", receiver.args) if receiver.name in ("slice", "BinaryHeap") else receiver,)
    if method in _SEQ_ELEMENT:
        return inner
    if method in _SEQ_CHUNKS:
        return _iter((cut(receiver),))
    if method in ("split_at", "split_at_mut"):
        return (Foreign("tuple", ((cut(receiver),), (cut(receiver),))),)
    if method in ("split_first", "split_last", "split_first_mut", "split_last_mut"):
        return _option((Foreign("tuple", (inner, (cut(receiver),))),))
    if method == "from" and args:
        given = infer.eval(view, args[0])
        return tuple(Foreign("Vec", v.args) if isinstance(v, Foreign) and v.name == "slice" else v for v in given)
    return None


def cut(value: Foreign) -> Foreign:
    """A part of a sequence or text."""
    if value.name == "String":
        return Foreign("str")
    return Foreign("slice", value.args) if value.name == "Vec" else value


def _owned(values: Values) -> Values:
    """What `ToOwned` makes of borrowed values."""
    names = {"str": "String", "slice": "Vec"}
    return tuple(Foreign(names[v.name], v.args) if isinstance(v, Foreign) and v.name in names else v for v in values)


_TEXTS = frozenset(
    "as_str trim trim_start trim_end trim_end_matches trim_start_matches trim_matches as_mut_str as_ref deref".split()
)
_STRINGS = frozenset(
    "to_string to_owned to_uppercase to_lowercase replace repeat to_ascii_lowercase to_ascii_uppercase into_string "
    "into_owned from from_utf8_lossy clone".split()
)


def _text_method(name: str, method: str) -> Values | None:
    text: Values = (Foreign("str"),)
    if method in _TEXTS:
        return text
    if method in _STRINGS:
        return (Foreign("String"),)
    if method in ("as_bytes", "into_bytes"):
        return (Foreign("slice" if method == "as_bytes" else "Vec", ((Foreign("u8"),),)),)
    if method in ("len", "capacity"):
        return (Foreign("usize"),)
    if method in ("find", "rfind"):
        return _option((Foreign("usize"),))
    if method in ("get", "strip_prefix", "strip_suffix"):
        return _option(text)
    if method in ("split_once", "rsplit_once"):
        return _option((Foreign("tuple", (text, text)),))
    if method == "chars":
        return _iter((Foreign("char"),))
    if method == "bytes":
        return _iter((Foreign("u8"),))
    if method in ("char_indices", "match_indices"):
        second: Values = (Foreign("char"),) if method == "char_indices" else text
        return _iter((Foreign("tuple", ((Foreign("usize"),), second)),))
    if method in ("lines", "split", "splitn", "rsplit", "split_whitespace", "split_terminator"):
        return _iter(text)
    return None


def _number_method(receiver: Foreign, method: str) -> Values | None:
    if method.startswith(("checked_", "try_from")):
        kind = "Option" if method.startswith("checked_") else "Result"
        return (Foreign(kind, ((receiver,), UNKNOWN)),)
    if method.startswith(("wrapping_", "saturating_", "from", "swap_", "to_be", "to_le", "rotate_")) or method in (
        "abs",
        "pow",
        "min",
        "max",
        "clamp",
        "rem_euclid",
        "div_ceil",
        "next_power_of_two",
        "unsigned_abs",
        "to_ascii_lowercase",
        "to_ascii_uppercase",
    ):
        return (receiver,)
    if method in ("leading_zeros", "trailing_zeros", "count_ones", "ilog2"):
        return (Foreign("u32"),)
    if method in ("len_utf8", "len_utf16"):
        return (Foreign("usize"),)
    return None


def _is_range(view: View, index: int) -> bool:
    e = view.exprs[index]
    return len(e) > 1 and e[1] == "iter"


def _map_method(infer: Inference, view: View, receiver: Foreign, method: str, args: tuple[int, ...]) -> Values | None:
    key = receiver.args[0] if receiver.args else UNKNOWN
    value = receiver.args[1] if len(receiver.args) > 1 else UNKNOWN
    pair: Values = (Foreign("tuple", (key, value)),)
    if method in ("get", "get_mut", "remove", "insert"):
        return _option(value)
    if method in ("iter", "iter_mut", "into_iter", "drain", "range"):
        return _iter(pair)
    if method in ("values", "values_mut", "into_values"):
        return _iter(value)
    if method in ("keys", "into_keys"):
        return _iter(key)
    if method in ("first_key_value", "last_key_value", "pop_first", "pop_last", "remove_entry", "get_key_value"):
        return _option(pair)
    if method == "entry":
        return (Foreign("Entry", (value,)),)
    return value if method == "[]" else None


def _iter_method(
    infer: Inference,
    view: View,
    receiver: Foreign,
    inner: Values,
    method: str,
    args: tuple[int, ...],
    types: tuple[Values, ...],
) -> Values | None:
    first = args[0] if args else NONE
    if method in _SAME_ITER:
        return (receiver,)
    if method in _ITER_OPTION:
        return _option(inner)
    if method == "map":
        return _iter(_applied(infer, view, first))
    if method in ("filter_map", "map_while", "find_map", "flat_map"):
        made = infer.rules(view).element(infer, _applied(infer, view, first))
        return _option(made) if method == "find_map" else _iter(made)
    if method == "flatten":
        return _iter(infer.rules(view).element(infer, inner))
    if method == "enumerate":
        return _iter((Foreign("tuple", ((Foreign("usize"),), inner)),))
    if method == "zip":
        return _iter((Foreign("tuple", (inner, infer.rules(view).element(infer, infer.eval(view, first)))),))
    if method in ("collect", "try_collect"):
        return collected(types[0] if types else UNKNOWN, inner)
    if method in ("fold", "try_fold"):
        return infer.eval(view, first)
    if method == "partition":
        return (Foreign("tuple", ((Foreign("Vec", (inner,)),), (Foreign("Vec", (inner,)),))),)
    if method == "unzip":
        parts = inner[0].args if inner and isinstance(inner[0], Foreign) else ()
        return (Foreign("tuple", tuple((Foreign("Vec", (p,)),) for p in parts)),)
    return None


def collected(target: Values, element: Values) -> Values:
    """The container that `collect` builds, its unknown element filled in."""
    if not target:
        return (Foreign("Vec", (element,)),)
    out: list[Value] = []
    for value in target:
        if isinstance(value, Foreign) and value.name in ("Option", "Result"):
            parts = element[0].args if element and isinstance(element[0], Foreign) else ()
            inside = collected(value.args[0] if value.args else UNKNOWN, parts[0] if parts else UNKNOWN)
            out.append(Foreign(value.name, (inside, *value.args[1:])))
        elif isinstance(value, Foreign) and value.name in MAPS and not any(value.args):
            pair = element[0].args if element and isinstance(element[0], Foreign) else ()
            out.append(Foreign(value.name, tuple(pair)))
        elif isinstance(value, Foreign) and value.name in SEQUENCES and not any(value.args):
            out.append(Foreign(value.name, (element,)))
        else:
            out.append(value)
    return tuple(out)


def _option_method(
    infer: Inference, view: View, receiver: Foreign, inner: Values, method: str, args: tuple[int, ...]
) -> Values | None:
    first = args[0] if args else NONE
    if method in _UNWRAP:
        return inner or (infer.eval(view, first) if method == "unwrap_or" else _applied(infer, view, first))
    if method in _OPTION_SAME:
        return (receiver,)
    if method == "map":
        return _option(_applied(infer, view, first))
    if method in ("and_then", "and"):
        return _applied(infer, view, first)
    if method in ("ok_or", "ok_or_else"):
        failure = infer.eval(view, first) if method == "ok_or" else _applied(infer, view, first)
        return (Foreign("Result", (inner, failure)),)
    if method in ("map_or", "map_or_else"):
        return merge(_applied(infer, view, args[1]) if len(args) > 1 else UNKNOWN, infer.eval(view, first))
    if method in ("iter", "iter_mut", "into_iter"):
        return _iter(inner)
    if method == "zip":
        other = infer.rules(view).element(infer, infer.eval(view, first))
        return _option((Foreign("tuple", (inner, other)),))
    if method == "transpose":
        failure = inner[0].args[1] if inner and isinstance(inner[0], Foreign) and len(inner[0].args) > 1 else UNKNOWN
        success = inner[0].args[0] if inner and isinstance(inner[0], Foreign) and inner[0].args else UNKNOWN
        return (Foreign("Result", (_option(success), failure)),)
    return inner if method == "flatten" else None


def _result_method(
    infer: Inference, view: View, receiver: Foreign, inner: Values, method: str, args: tuple[int, ...]
) -> Values | None:
    first = args[0] if args else NONE
    failure = receiver.args[1] if len(receiver.args) > 1 else UNKNOWN
    if method in _UNWRAP:
        return inner
    if method in ("unwrap_err", "expect_err"):
        return failure
    if method == "ok":
        return _option(inner)
    if method == "err":
        return _option(failure)
    if method in _OPTION_SAME or method in ("context", "with_context", "inspect_err"):
        return (receiver,)
    if method == "map":
        return (Foreign("Result", (_applied(infer, view, first), failure)),)
    if method == "map_err":
        return (Foreign("Result", (inner, _applied(infer, view, first))),)
    if method in ("and_then", "or_else"):
        return _applied(infer, view, first)
    if method in ("map_or", "map_or_else"):
        return merge(_applied(infer, view, args[1]) if len(args) > 1 else UNKNOWN, infer.eval(view, first))
    if method in ("iter", "into_iter"):
        return _iter(inner)
    return None


def _cell_method(inner: Values, method: str, name: str, infer: Inference, view: View, first: int) -> Values | None:
    if method in ("lock", "read", "write", "borrow", "borrow_mut", "try_lock", "load"):
        guarded = (Foreign("Guard", (inner,)),)
        return _option(guarded) if method == "try_lock" else guarded
    if method in ("into_inner", "take", "replace", "get_mut"):
        return inner
    if method == "get":
        return _option(inner) if name in ("OnceCell", "OnceLock") else inner
    if method in ("get_or_init", "get_or_try_init"):
        return inner or _applied(infer, view, first)
    return _option(inner) if method == "upgrade" else None


def handed(
    infer: Inference,
    view: View,
    base: str,
    method: str,
    receiver: Values,
    args: tuple[int, ...],
    argument: int,
    parameter: int,
) -> Values:
    """What a method of the library hands to a parameter of the closure that it is given."""
    value = receiver[0] if receiver else None
    if not isinstance(value, Foreign):
        return receiver if base == "~same" and isinstance(value, Instance) else UNKNOWN
    inner = value.args[0] if value.args else UNKNOWN
    name = value.name
    if name in WRAPPERS:
        return handed(infer, view, base, method, inner, args, argument, parameter)
    if name in ("Option", "Poll"):
        return inner
    if name == "Result":
        failing = method in ("map_err", "unwrap_or_else", "or_else", "inspect_err") or (
            method == "map_or_else" and argument == 0
        )
        return (value.args[1] if len(value.args) > 1 else UNKNOWN) if failing else inner
    if name in MAPS:
        return value.args[parameter] if parameter < len(value.args) else UNKNOWN
    if name == "iter" or name in SEQUENCES:
        if method in ("fold", "try_fold", "scan"):
            return infer.eval(view, args[0]) if parameter == 0 and args else inner
        return inner
    if name in CELLS or name == "Entry":
        return inner
    return UNKNOWN
