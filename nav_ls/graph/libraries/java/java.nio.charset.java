package java.nio.charset;
abstract class Charset implements Comparable<Charset> { static Charset forName(String n); static Charset defaultCharset(); static boolean isSupported(String n); static java.util.SortedMap<String, Charset> availableCharsets(); String name(); String displayName(); java.util.Set<String> aliases(); java.nio.ByteBuffer encode(String s); java.nio.CharBuffer decode(java.nio.ByteBuffer b); CharsetEncoder newEncoder(); CharsetDecoder newDecoder(); boolean canEncode(); }
class StandardCharsets { static Charset UTF_8; static Charset US_ASCII; static Charset ISO_8859_1; static Charset UTF_16; static Charset UTF_16BE; static Charset UTF_16LE; }
abstract class CharsetEncoder { float maxBytesPerChar(); boolean canEncode(char c); }
abstract class CharsetDecoder {}
class UnsupportedCharsetException extends IllegalArgumentException { UnsupportedCharsetException(String n) {} }
class IllegalCharsetNameException extends IllegalArgumentException { IllegalCharsetNameException(String n) {} }
