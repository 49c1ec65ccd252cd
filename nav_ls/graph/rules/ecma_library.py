"""What the library of JavaScript does to types, as far as values of the repository pass through it."""

from __future__ import annotations

from collections.abc import Callable

from nav_ls.graph.values import UNKNOWN, Foreign, Values, merge

GLOBALS = frozenset(
    """
    Array ArrayBuffer AggregateError Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError
    FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl Iterator JSON
    Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String
    Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet
    arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat
    parseInt undefined unescape
    console process Buffer global require __dirname __filename setTimeout setInterval setImmediate clearTimeout
    clearInterval clearImmediate queueMicrotask structuredClone fetch URL URLSearchParams TextEncoder TextDecoder
    AbortController AbortSignal Event EventTarget MessageChannel MessagePort MessageEvent performance Blob File FormData
    Headers Request Response ReadableStream WritableStream TransformStream WebSocket crypto atob btoa WebAssembly
    window document navigator location history localStorage sessionStorage self top parent frames alert confirm prompt
    requestAnimationFrame cancelAnimationFrame requestIdleCallback getComputedStyle matchMedia XMLHttpRequest Worker
    Node Element HTMLElement SVGElement Document DocumentFragment Text Comment NodeList MutationObserver CustomEvent
    IntersectionObserver ResizeObserver DOMParser Image Audio FileReader KeyboardEvent MouseEvent PointerEvent
    EventSource Notification ServiceWorker caches indexedDB screen customElements ShadowRoot Range Selection
    describe it test expect beforeEach afterEach beforeAll afterAll before after suite setup teardown context specify
    jest vi vitest jasmine chai sinon cy Cypress QUnit xit xdescribe fit fdescribe assert Deno Bun
    """.split()
)
"""Names that the language, its hosts and the usual test runners bind, unless the program does."""

GLOBAL_TYPES = frozenset(
    """
    Record Partial Required Readonly Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType
    InstanceType ThisParameterType OmitThisParameter ThisType Uppercase Lowercase Capitalize Uncapitalize Awaited
    ReadonlyArray ReadonlyMap ReadonlySet Iterable IterableIterator AsyncIterable AsyncIterableIterator AsyncIterator
    Generator AsyncGenerator PromiseLike ArrayLike PropertyKey PropertyDescriptor TemplateStringsArray RegExpMatchArray
    NodeJS JSX React Timeout BufferEncoding HTMLElementTagNameMap EventListener NoInfer ArrayBufferLike
    """.split()
)
_SAME = frozenset({"Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable", "Exclude", "Extract", "NoInfer"})
_LISTS = {
    "ReadonlyArray": "Array",
    "ArrayLike": "Array",
    "Iterable": "Array",
    "IterableIterator": "Array",
    "Iterator": "Array",
    "AsyncIterable": "Array",
    "AsyncIterator": "Array",
    "AsyncIterableIterator": "Array",
    "AsyncGenerator": "Generator",
    "ReadonlyMap": "Map",
    "WeakMap": "Map",
    "ReadonlySet": "Set",
    "WeakSet": "Set",
    "PromiseLike": "Promise",
}
HOLDERS = frozenset({"Array", "Set", "Map", "Promise", "Generator"})
_SAME_LIST = frozenset(
    "filter slice concat reverse sort splice toSorted toReversed toSpliced with fill copyWithin add values".split()
)
_ONE = frozenset({"find", "findLast", "pop", "shift", "at", "next"})
_OVER = frozenset("map forEach filter find findIndex findLast findLastIndex some every flatMap".split())
_SCALARS = {
    "join": "string",
    "push": "number",
    "unshift": "number",
    "indexOf": "number",
    "lastIndexOf": "number",
    "findIndex": "number",
    "some": "boolean",
    "every": "boolean",
    "includes": "boolean",
    "has": "boolean",
    "delete": "boolean",
    "length": "number",
    "size": "number",
}
_IDENTITIES = frozenset(
    {
        "Object.freeze",
        "Object.seal",
        "Object.preventExtensions",
        "Object.create",
        "structuredClone",
        "Object.setPrototypeOf",
    }
)
Change = Callable[[Values], Values]


def same_type(name: str) -> str:
    """What a library type is to us: "same" | "awaited" | "result" | "instance" | "parameters", else its container's name."""
    if name in _SAME:
        return "same"
    if name == "Awaited":
        return "awaited"
    if name == "ReturnType":
        return "result"
    if name == "InstanceType":
        return "instance"
    if name in ("Parameters", "ConstructorParameters"):
        return "parameters"
    return _LISTS.get(name, name)


def member(value: Foreign, name: str) -> Values:
    """A member of something from outside."""
    base = value.name
    if base == "tuple":
        return (Foreign("Array." + name, (merge(*value.args) if value.args else UNKNOWN,)),)
    if base == "function" and name in ("call", "apply"):
        return (value,)
    if base == "Record" and len(value.args) > 1:
        return value.args[1]
    if base in HOLDERS:
        if name in ("length", "size"):
            return (Foreign("number"),)
        return (Foreign(f"{base}.{name}", value.args),)
    return (Foreign(f"{base}.{name}"[:120]),)


def callback(value: Foreign, place: int, first_given: Values, source: Values) -> Values:
    """The function type that a library function expects of its `place`-th argument."""
    base, _, method = value.name.rpartition(".")
    number = (Foreign("number"),)
    element = value.args[0] if value.args else UNKNOWN
    if value.name == "Array.from":
        return (Foreign("function", (UNKNOWN, source, number)),) if place == 1 else UNKNOWN
    if place != 0 and not (base == "Promise" and place == 1):
        return UNKNOWN
    if base == "Array" and method in _OVER:
        return (Foreign("function", (UNKNOWN, element, number, (Foreign("Array", (element,)),))),)
    if base == "Array" and method in ("sort", "toSorted"):
        return (Foreign("function", (UNKNOWN, element, element)),)
    if base == "Array" and method in ("reduce", "reduceRight"):
        return (Foreign("function", (UNKNOWN, first_given or element, element, number)),)
    if base == "Map" and method == "forEach":
        return (Foreign("function", (UNKNOWN, value.args[1] if len(value.args) > 1 else UNKNOWN, element)),)
    if base == "Set" and method == "forEach":
        return (Foreign("function", (UNKNOWN, element, element)),)
    if base == "Promise" and method == "then" and place == 0:
        return (Foreign("function", (UNKNOWN, element)),)
    return UNKNOWN


def called(value: Foreign, given: list[Values], results: list[Values], element: Change, awaited: Change) -> Values:
    """What calling something from outside yields.  `results`: what each argument yields if it is called."""
    base, _, method = value.name.rpartition(".")
    first = given[0] if given else UNKNOWN
    if value.args:
        made = _method(base, method, value, results, given)
        if made is not None:
            return made
    if value.name in _IDENTITIES or value.name == "Object.assign":
        return merge(*given) if value.name == "Object.assign" else first
    if value.name == "Promise.resolve":
        return (Foreign("Promise", (awaited(first),)),)
    if value.name in ("Promise.all", "Promise.race", "Promise.any", "Promise.allSettled"):
        return _all(method, first, element, awaited)
    if value.name == "Array.isArray":
        return (Foreign("is", ((Foreign("Array"), Foreign("tuple")),)),)
    if value.name == "Array.from":
        return (Foreign("Array", (results[1] if len(results) > 1 and results[1] else element(first),)),)
    if value.name == "Array.of":
        return (Foreign("Array", (merge(*given) if given else UNKNOWN,)),)
    if value.name in ("Object.values", "Object.entries"):
        values = merge(*(v.args[1] for v in first if isinstance(v, Foreign) and v.name == "Record" and len(v.args) > 1))
        pair = (Foreign("tuple", ((Foreign("string"),), values)),)
        return (Foreign("Array", (values if method == "values" else pair,)),)
    if value.name in ("Object.keys", "Object.getOwnPropertyNames"):
        return (Foreign("Array", ((Foreign("string"),),)),)
    return (Foreign(value.name[:100] + "()"),)


def _all(method: str, first: Values, element: Change, awaited: Change) -> Values:
    for value in first:
        if isinstance(value, Foreign) and value.name == "tuple" and method == "all":
            return (Foreign("Promise", ((Foreign("tuple", tuple(awaited(a) for a in value.args)),),)),)
    held = awaited(element(first))
    if method in ("race", "any"):
        return (Foreign("Promise", (held,)),)
    return (Foreign("Promise", ((Foreign("Array", (held if method == "all" else UNKNOWN,)),),)),)


def _method(base: str, method: str, value: Foreign, results: list[Values], given: list[Values]) -> Values | None:
    """Methods of containers; None where nothing is known."""
    args, result = value.args, results[0] if results else UNKNOWN
    if base == "Promise":
        if method == "then":
            return (Foreign("Promise", (result,)),)
        return (Foreign("Promise", args),) if method in ("catch", "finally") else None
    if base == "Map":
        return _map_method(method, args)
    if base not in HOLDERS:
        return None
    guarded = [v.args[0] for v in result if isinstance(v, Foreign) and v.name == "is"]
    if guarded and method in ("filter", "find", "findLast"):
        args = (merge(*guarded),)
    if method in ("map", "flatMap"):
        return (Foreign("Array", (result,)),)
    if method in _ONE:
        return args[0]
    if method in ("reduce", "reduceRight"):
        return given[1] if len(given) > 1 else result or args[0]
    if method == "entries":
        return (Foreign("Array", ((Foreign("tuple", ((Foreign("number"),), args[0])),),)),)
    if method == "flat":
        inner = merge(*(v.args[0] for v in args[0] if isinstance(v, Foreign) and v.args))
        return (Foreign("Array", (inner or args[0],)),)
    if method in _SAME_LIST:
        return (Foreign("Set" if method == "add" else "Array", args),)
    return (Foreign(_SCALARS[method]),) if method in _SCALARS else None


def _map_method(method: str, args: tuple[Values, ...]) -> Values | None:
    held = args[1] if len(args) > 1 else UNKNOWN
    if method == "get":
        return held
    if method == "values":
        return (Foreign("Array", (held,)),)
    if method == "keys":
        return (Foreign("Array", (args[0],)),)
    if method == "entries":
        return (Foreign("Array", ((Foreign("tuple", args),),)),)
    if method == "set":
        return (Foreign("Map", args),)
    return (Foreign("boolean"),) if method in ("has", "delete") else None
