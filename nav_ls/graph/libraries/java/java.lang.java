package java.lang;

import java.util.*;
import java.util.function.*;
import java.util.stream.*;
import java.lang.reflect.*;
import java.lang.annotation.Annotation;
import java.io.*;
import java.net.URL;
import java.nio.charset.Charset;

class Object {
    Object() {}
    boolean equals(Object other);
    int hashCode();
    String toString();
    Class<?> getClass();
    void notify();
    void notifyAll();
    void wait();
    void wait(long millis);
    Object clone();
    void finalize();
}
interface Comparable<T> { int compareTo(T other); }
interface Runnable { void run(); }
interface AutoCloseable { void close(); }
interface Cloneable {}
interface Appendable {
    Appendable append(CharSequence text);
    Appendable append(CharSequence text, int start, int end);
    Appendable append(char c);
}
interface Readable {}
interface Iterable<T> {
    Iterator<T> iterator();
    default void forEach(Consumer<? super T> action) {}
    default Spliterator<T> spliterator() {}
}
interface CharSequence {
    int length();
    char charAt(int index);
    CharSequence subSequence(int start, int end);
    String toString();
    default boolean isEmpty() {}
    default IntStream chars() {}
    default IntStream codePoints() {}
    static int compare(CharSequence a, CharSequence b) {}
}
class Record {}
class Enum<E> implements Comparable<E>, Serializable {
    String name();
    int ordinal();
    int compareTo(E other);
    Class<E> getDeclaringClass();
}
class String implements CharSequence, Comparable<String>, Serializable {
    static Comparator<String> CASE_INSENSITIVE_ORDER;
    String() {}
    String(String other) {}
    String(char[] value) {}
    String(char[] value, int offset, int count) {}
    String(int[] codePoints, int offset, int count) {}
    String(byte[] bytes) {}
    String(byte[] bytes, Charset charset) {}
    String(byte[] bytes, String charset) {}
    String(byte[] bytes, int offset, int length) {}
    String(byte[] bytes, int offset, int length, Charset charset) {}
    String(byte[] bytes, int offset, int length, String charset) {}
    String(StringBuilder builder) {}
    String(StringBuffer buffer) {}
    int length();
    boolean isEmpty();
    boolean isBlank();
    char charAt(int index);
    int codePointAt(int index);
    int codePointBefore(int index);
    int codePointCount(int start, int end);
    int offsetByCodePoints(int index, int offset);
    void getChars(int start, int end, char[] target, int at);
    byte[] getBytes();
    byte[] getBytes(String charset);
    byte[] getBytes(Charset charset);
    boolean equals(Object other);
    boolean contentEquals(CharSequence other);
    boolean equalsIgnoreCase(String other);
    int compareTo(String other);
    int compareToIgnoreCase(String other);
    boolean regionMatches(int offset, String other, int otherOffset, int length);
    boolean regionMatches(boolean ignoreCase, int offset, String other, int otherOffset, int length);
    boolean startsWith(String prefix);
    boolean startsWith(String prefix, int offset);
    boolean endsWith(String suffix);
    int hashCode();
    int indexOf(int ch);
    int indexOf(int ch, int from);
    int indexOf(String text);
    int indexOf(String text, int from);
    int lastIndexOf(int ch);
    int lastIndexOf(int ch, int from);
    int lastIndexOf(String text);
    int lastIndexOf(String text, int from);
    String substring(int start);
    String substring(int start, int end);
    CharSequence subSequence(int start, int end);
    String concat(String other);
    String replace(char a, char b);
    String replace(CharSequence a, CharSequence b);
    boolean matches(String regex);
    boolean contains(CharSequence text);
    String replaceFirst(String regex, String with);
    String replaceAll(String regex, String with);
    String[] split(String regex);
    String[] split(String regex, int limit);
    static String join(CharSequence separator, CharSequence... parts);
    static String join(CharSequence separator, Iterable<? extends CharSequence> parts);
    String toLowerCase();
    String toLowerCase(Locale locale);
    String toUpperCase();
    String toUpperCase(Locale locale);
    String trim();
    String strip();
    String stripLeading();
    String stripTrailing();
    String stripIndent();
    String indent(int n);
    String repeat(int count);
    Stream<String> lines();
    IntStream chars();
    String toString();
    char[] toCharArray();
    String intern();
    String formatted(Object... args);
    <R> R transform(Function<? super String, ? extends R> f);
    static String format(String format, Object... args);
    static String format(Locale locale, String format, Object... args);
    static String valueOf(Object value);
    static String valueOf(char[] value);
    static String valueOf(char[] value, int offset, int count);
    static String copyValueOf(char[] value);
    static String valueOf(boolean value);
    static String valueOf(char value);
    static String valueOf(int value);
    static String valueOf(long value);
    static String valueOf(float value);
    static String valueOf(double value);
}
class AbstractStringBuilder implements CharSequence, Appendable {
    int length();
    int capacity();
    void ensureCapacity(int capacity);
    void trimToSize();
    void setLength(int length);
    char charAt(int index);
    int codePointAt(int index);
    void getChars(int start, int end, char[] target, int at);
    void setCharAt(int index, char c);
    String substring(int start);
    String substring(int start, int end);
    CharSequence subSequence(int start, int end);
    int indexOf(String text);
    int indexOf(String text, int from);
    int lastIndexOf(String text);
    int lastIndexOf(String text, int from);
    String toString();
}
class StringBuilder extends AbstractStringBuilder implements Comparable<StringBuilder>, Serializable {
    StringBuilder() {}
    StringBuilder(int capacity) {}
    StringBuilder(String text) {}
    StringBuilder(CharSequence text) {}
    int compareTo(StringBuilder other);
    StringBuilder append(Object value);
    StringBuilder append(String value);
    StringBuilder append(StringBuffer value);
    StringBuilder append(CharSequence value);
    StringBuilder append(CharSequence value, int start, int end);
    StringBuilder append(char[] value);
    StringBuilder append(char[] value, int offset, int length);
    StringBuilder append(boolean value);
    StringBuilder append(char value);
    StringBuilder append(int value);
    StringBuilder append(long value);
    StringBuilder append(float value);
    StringBuilder append(double value);
    StringBuilder appendCodePoint(int codePoint);
    StringBuilder delete(int start, int end);
    StringBuilder deleteCharAt(int index);
    StringBuilder replace(int start, int end, String text);
    StringBuilder insert(int offset, Object value);
    StringBuilder insert(int offset, String value);
    StringBuilder insert(int offset, char value);
    StringBuilder insert(int offset, int value);
    StringBuilder insert(int offset, long value);
    StringBuilder insert(int offset, boolean value);
    StringBuilder insert(int offset, CharSequence value);
    StringBuilder insert(int offset, char[] value);
    StringBuilder reverse();
}
class StringBuffer extends AbstractStringBuilder implements Comparable<StringBuffer>, Serializable {
    StringBuffer() {}
    StringBuffer(int capacity) {}
    StringBuffer(String text) {}
    StringBuffer(CharSequence text) {}
    int compareTo(StringBuffer other);
    StringBuffer append(Object value);
    StringBuffer append(String value);
    StringBuffer append(StringBuffer value);
    StringBuffer append(CharSequence value);
    StringBuffer append(CharSequence value, int start, int end);
    StringBuffer append(char[] value);
    StringBuffer append(char[] value, int offset, int length);
    StringBuffer append(boolean value);
    StringBuffer append(char value);
    StringBuffer append(int value);
    StringBuffer append(long value);
    StringBuffer append(float value);
    StringBuffer append(double value);
    StringBuffer delete(int start, int end);
    StringBuffer deleteCharAt(int index);
    StringBuffer replace(int start, int end, String text);
    StringBuffer insert(int offset, Object value);
    StringBuffer insert(int offset, String value);
    StringBuffer insert(int offset, char value);
    StringBuffer insert(int offset, int value);
    StringBuffer reverse();
}
class Number implements Serializable {
    int intValue();
    long longValue();
    float floatValue();
    double doubleValue();
    byte byteValue();
    short shortValue();
}
class Integer extends Number implements Comparable<Integer> {
    static int MIN_VALUE;
    static int MAX_VALUE;
    static int SIZE;
    static int BYTES;
    static Class<Integer> TYPE;
    Integer(int value) {}
    Integer(String value) {}
    static Integer valueOf(int value);
    static Integer valueOf(String value);
    static Integer valueOf(String value, int radix);
    static int parseInt(String value);
    static int parseInt(String value, int radix);
    static int parseUnsignedInt(String value);
    static Integer decode(String value);
    static String toString(int value);
    static String toString(int value, int radix);
    static String toHexString(int value);
    static String toBinaryString(int value);
    static String toOctalString(int value);
    static String toUnsignedString(int value);
    static int compare(int a, int b);
    static int compareUnsigned(int a, int b);
    static int hashCode(int value);
    static int max(int a, int b);
    static int min(int a, int b);
    static int sum(int a, int b);
    static int signum(int value);
    static int bitCount(int value);
    static int reverse(int value);
    static int highestOneBit(int value);
    static int numberOfLeadingZeros(int value);
    static int numberOfTrailingZeros(int value);
    static int rotateLeft(int value, int by);
    static int rotateRight(int value, int by);
    static long toUnsignedLong(int value);
    static Integer getInteger(String name);
    static Integer getInteger(String name, int other);
    int compareTo(Integer other);
    String toString();
}
class Long extends Number implements Comparable<Long> {
    static long MIN_VALUE;
    static long MAX_VALUE;
    static int SIZE;
    static int BYTES;
    static Class<Long> TYPE;
    Long(long value) {}
    Long(String value) {}
    static Long valueOf(long value);
    static Long valueOf(String value);
    static long parseLong(String value);
    static long parseLong(String value, int radix);
    static Long decode(String value);
    static String toString(long value);
    static String toString(long value, int radix);
    static String toHexString(long value);
    static String toBinaryString(long value);
    static int compare(long a, long b);
    static int hashCode(long value);
    static long max(long a, long b);
    static long min(long a, long b);
    static long sum(long a, long b);
    static int signum(long value);
    static int bitCount(long value);
    static long reverse(long value);
    static int numberOfLeadingZeros(long value);
    static int numberOfTrailingZeros(long value);
    int compareTo(Long other);
    String toString();
}
class Short extends Number implements Comparable<Short> {
    static short MIN_VALUE;
    static short MAX_VALUE;
    static Class<Short> TYPE;
    Short(short value) {}
    Short(String value) {}
    static Short valueOf(short value);
    static Short valueOf(String value);
    static short parseShort(String value);
    static Short decode(String value);
    static String toString(short value);
    static int compare(short a, short b);
    static int hashCode(short value);
    int compareTo(Short other);
}
class Byte extends Number implements Comparable<Byte> {
    static byte MIN_VALUE;
    static byte MAX_VALUE;
    static Class<Byte> TYPE;
    Byte(byte value) {}
    Byte(String value) {}
    static Byte valueOf(byte value);
    static Byte valueOf(String value);
    static byte parseByte(String value);
    static Byte decode(String value);
    static String toString(byte value);
    static int compare(byte a, byte b);
    static int toUnsignedInt(byte value);
    static int hashCode(byte value);
    int compareTo(Byte other);
}
class Float extends Number implements Comparable<Float> {
    static float MIN_VALUE;
    static float MAX_VALUE;
    static float NaN;
    static float POSITIVE_INFINITY;
    static float NEGATIVE_INFINITY;
    static Class<Float> TYPE;
    Float(float value) {}
    Float(double value) {}
    Float(String value) {}
    static Float valueOf(float value);
    static Float valueOf(String value);
    static float parseFloat(String value);
    static String toString(float value);
    static int compare(float a, float b);
    static boolean isNaN(float value);
    static boolean isInfinite(float value);
    static boolean isFinite(float value);
    static int floatToIntBits(float value);
    static int floatToRawIntBits(float value);
    static float intBitsToFloat(int value);
    static int hashCode(float value);
    boolean isNaN();
    boolean isInfinite();
    int compareTo(Float other);
}
class Double extends Number implements Comparable<Double> {
    static double MIN_VALUE;
    static double MAX_VALUE;
    static double NaN;
    static double POSITIVE_INFINITY;
    static double NEGATIVE_INFINITY;
    static Class<Double> TYPE;
    Double(double value) {}
    Double(String value) {}
    static Double valueOf(double value);
    static Double valueOf(String value);
    static double parseDouble(String value);
    static String toString(double value);
    static int compare(double a, double b);
    static boolean isNaN(double value);
    static boolean isInfinite(double value);
    static boolean isFinite(double value);
    static long doubleToLongBits(double value);
    static long doubleToRawLongBits(double value);
    static double longBitsToDouble(long value);
    static int hashCode(double value);
    static double max(double a, double b);
    static double min(double a, double b);
    static double sum(double a, double b);
    boolean isNaN();
    boolean isInfinite();
    int compareTo(Double other);
}
class Boolean implements Comparable<Boolean>, Serializable {
    static Boolean TRUE;
    static Boolean FALSE;
    static Class<Boolean> TYPE;
    Boolean(boolean value) {}
    Boolean(String value) {}
    static Boolean valueOf(boolean value);
    static Boolean valueOf(String value);
    static boolean parseBoolean(String value);
    static boolean getBoolean(String name);
    static String toString(boolean value);
    static int compare(boolean a, boolean b);
    static int hashCode(boolean value);
    static boolean logicalAnd(boolean a, boolean b);
    static boolean logicalOr(boolean a, boolean b);
    static boolean logicalXor(boolean a, boolean b);
    boolean booleanValue();
    int compareTo(Boolean other);
}
class Character implements Comparable<Character>, Serializable {
    static char MIN_VALUE;
    static char MAX_VALUE;
    static int MIN_RADIX;
    static int MAX_RADIX;
    static int MIN_CODE_POINT;
    static int MAX_CODE_POINT;
    static char MIN_HIGH_SURROGATE;
    static char MAX_HIGH_SURROGATE;
    static char MIN_LOW_SURROGATE;
    static char MAX_LOW_SURROGATE;
    static char MIN_SURROGATE;
    static char MAX_SURROGATE;
    static int MIN_SUPPLEMENTARY_CODE_POINT;
    static byte UNASSIGNED;
    static Class<Character> TYPE;
    Character(char value) {}
    char charValue();
    static Character valueOf(char value);
    static String toString(char value);
    static String toString(int codePoint);
    static boolean isDigit(char c);
    static boolean isDigit(int c);
    static boolean isLetter(char c);
    static boolean isLetter(int c);
    static boolean isLetterOrDigit(char c);
    static boolean isLetterOrDigit(int c);
    static boolean isWhitespace(char c);
    static boolean isWhitespace(int c);
    static boolean isSpaceChar(char c);
    static boolean isUpperCase(char c);
    static boolean isUpperCase(int c);
    static boolean isLowerCase(char c);
    static boolean isLowerCase(int c);
    static boolean isTitleCase(char c);
    static boolean isTitleCase(int c);
    static boolean isISOControl(char c);
    static boolean isJavaIdentifierStart(char c);
    static boolean isJavaIdentifierPart(char c);
    static boolean isHighSurrogate(char c);
    static boolean isLowSurrogate(char c);
    static boolean isSurrogate(char c);
    static boolean isSurrogatePair(char a, char b);
    static boolean isValidCodePoint(int c);
    static boolean isDefined(int c);
    static char toUpperCase(char c);
    static int toUpperCase(int c);
    static char toLowerCase(char c);
    static int toLowerCase(int c);
    static char toTitleCase(char c);
    static int toTitleCase(int c);
    static int toCodePoint(char a, char b);
    static char[] toChars(int c);
    static int toChars(int c, char[] target, int at);
    static int charCount(int c);
    static int codePointAt(CharSequence text, int index);
    static int codePointAt(char[] text, int index);
    static int getNumericValue(char c);
    static int getNumericValue(int c);
    static int getType(char c);
    static int getType(int c);
    static int digit(char c, int radix);
    static int digit(int c, int radix);
    static char forDigit(int digit, int radix);
    static char highSurrogate(int c);
    static char lowSurrogate(int c);
    static int compare(char a, char b);
    static int hashCode(char c);
    static char reverseBytes(char c);
    int compareTo(Character other);
}
class Void { static Class<Void> TYPE; }
class Math {
    static double PI;
    static double E;
    static int abs(int a);
    static long abs(long a);
    static float abs(float a);
    static double abs(double a);
    static int max(int a, int b);
    static long max(long a, long b);
    static float max(float a, float b);
    static double max(double a, double b);
    static int min(int a, int b);
    static long min(long a, long b);
    static float min(float a, float b);
    static double min(double a, double b);
    static double sqrt(double a);
    static double cbrt(double a);
    static double pow(double a, double b);
    static double exp(double a);
    static double log(double a);
    static double log10(double a);
    static double floor(double a);
    static double ceil(double a);
    static double rint(double a);
    static long round(double a);
    static int round(float a);
    static double random();
    static double sin(double a);
    static double cos(double a);
    static double tan(double a);
    static double atan(double a);
    static double atan2(double a, double b);
    static double hypot(double a, double b);
    static double signum(double a);
    static float signum(float a);
    static double toRadians(double a);
    static double toDegrees(double a);
    static int addExact(int a, int b);
    static long addExact(long a, long b);
    static int subtractExact(int a, int b);
    static long subtractExact(long a, long b);
    static int multiplyExact(int a, int b);
    static long multiplyExact(long a, long b);
    static int negateExact(int a);
    static int toIntExact(long a);
    static int floorDiv(int a, int b);
    static long floorDiv(long a, long b);
    static int floorMod(int a, int b);
    static long floorMod(long a, long b);
}
class System {
    static PrintStream out;
    static PrintStream err;
    static InputStream in;
    static long currentTimeMillis();
    static long nanoTime();
    static void arraycopy(Object from, int at, Object to, int start, int length);
    static int identityHashCode(Object value);
    static String getProperty(String key);
    static String getProperty(String key, String other);
    static String setProperty(String key, String value);
    static String clearProperty(String key);
    static Properties getProperties();
    static String getenv(String name);
    static Map<String, String> getenv();
    static String lineSeparator();
    static void exit(int status);
    static void gc();
    static void setOut(PrintStream out);
    static void setErr(PrintStream err);
    static void setIn(InputStream in);
    static Object getSecurityManager();
}
class Runtime {
    static Runtime getRuntime();
    int availableProcessors();
    long totalMemory();
    long freeMemory();
    long maxMemory();
    Process exec(String command);
    Process exec(String[] command);
    void addShutdownHook(Thread hook);
    void gc();
}
class Process {
    InputStream getInputStream();
    OutputStream getOutputStream();
    InputStream getErrorStream();
    int waitFor();
    int exitValue();
    void destroy();
    boolean isAlive();
}
class ProcessBuilder {
    ProcessBuilder(String... command) {}
    ProcessBuilder(List<String> command) {}
    ProcessBuilder directory(File folder);
    ProcessBuilder redirectErrorStream(boolean redirect);
    ProcessBuilder inheritIO();
    Map<String, String> environment();
    List<String> command();
    Process start();
}
class Thread implements Runnable {
    static int MIN_PRIORITY;
    static int NORM_PRIORITY;
    static int MAX_PRIORITY;
    Thread() {}
    Thread(Runnable target) {}
    Thread(Runnable target, String name) {}
    Thread(String name) {}
    Thread(ThreadGroup group, Runnable target) {}
    Thread(ThreadGroup group, String name) {}
    Thread(ThreadGroup group, Runnable target, String name) {}
    static Thread currentThread();
    static void sleep(long millis);
    static void sleep(java.time.Duration duration);
    static void yield();
    static boolean interrupted();
    static Map<Thread, StackTraceElement[]> getAllStackTraces();
    void start();
    void run();
    void interrupt();
    void join();
    void join(long millis);
    boolean isAlive();
    boolean isDaemon();
    boolean isInterrupted();
    void setDaemon(boolean daemon);
    void setName(String name);
    String getName();
    long getId();
    int getPriority();
    void setPriority(int priority);
    ThreadGroup getThreadGroup();
    StackTraceElement[] getStackTrace();
    ClassLoader getContextClassLoader();
    void setContextClassLoader(ClassLoader loader);
    UncaughtExceptionHandler getUncaughtExceptionHandler();
    void setUncaughtExceptionHandler(UncaughtExceptionHandler handler);
    static void setDefaultUncaughtExceptionHandler(UncaughtExceptionHandler handler);
    State getState();
    interface UncaughtExceptionHandler { void uncaughtException(Thread thread, Throwable error); }
    enum State { NEW, RUNNABLE, BLOCKED, WAITING, TIMED_WAITING, TERMINATED }
}
class ThreadGroup implements Thread.UncaughtExceptionHandler {
    ThreadGroup(String name) {}
    ThreadGroup(ThreadGroup parent, String name) {}
    String getName();
    ThreadGroup getParent();
    int activeCount();
    int activeGroupCount();
    int enumerate(Thread[] threads);
    int enumerate(Thread[] threads, boolean recurse);
    int enumerate(ThreadGroup[] groups);
    int enumerate(ThreadGroup[] groups, boolean recurse);
    boolean isDestroyed();
    void destroy();
    void uncaughtException(Thread thread, Throwable error);
}
class ThreadLocal<T> {
    ThreadLocal() {}
    T get();
    void set(T value);
    void remove();
    T initialValue();
    static <S> ThreadLocal<S> withInitial(Supplier<? extends S> supplier);
}
class InheritableThreadLocal<T> extends ThreadLocal<T> {}
class Class<T> implements Type, GenericDeclaration, AnnotatedElement, Serializable {
    static Class<?> forName(String name);
    static Class<?> forName(String name, boolean initialize, ClassLoader loader);
    T newInstance();
    T cast(Object value);
    boolean isInstance(Object value);
    boolean isAssignableFrom(Class<?> other);
    boolean isInterface();
    boolean isArray();
    boolean isPrimitive();
    boolean isEnum();
    boolean isRecord();
    boolean isAnnotation();
    boolean isAnonymousClass();
    boolean isLocalClass();
    boolean isMemberClass();
    boolean isSynthetic();
    boolean isHidden();
    boolean isSealed();
    boolean desiredAssertionStatus();
    String getName();
    String getSimpleName();
    String getCanonicalName();
    String getTypeName();
    String getPackageName();
    String toGenericString();
    int getModifiers();
    Package getPackage();
    ClassLoader getClassLoader();
    Class<?> getComponentType();
    Class<?> componentType();
    Class<?> arrayType();
    Class<?> getEnclosingClass();
    Class<?> getDeclaringClass();
    Method getEnclosingMethod();
    Class<? super T> getSuperclass();
    Type getGenericSuperclass();
    Class<?>[] getInterfaces();
    Type[] getGenericInterfaces();
    TypeVariable<Class<T>>[] getTypeParameters();
    Field[] getFields();
    Field[] getDeclaredFields();
    Field getField(String name);
    Field getDeclaredField(String name);
    Method[] getMethods();
    Method[] getDeclaredMethods();
    Method getMethod(String name, Class<?>... types);
    Method getDeclaredMethod(String name, Class<?>... types);
    Constructor<?>[] getConstructors();
    Constructor<?>[] getDeclaredConstructors();
    Constructor<T> getConstructor(Class<?>... types);
    Constructor<T> getDeclaredConstructor(Class<?>... types);
    Class<?>[] getClasses();
    Class<?>[] getDeclaredClasses();
    RecordComponent[] getRecordComponents();
    T[] getEnumConstants();
    <A extends Annotation> A getAnnotation(Class<A> type);
    <A extends Annotation> A[] getAnnotationsByType(Class<A> type);
    Annotation[] getAnnotations();
    Annotation[] getDeclaredAnnotations();
    boolean isAnnotationPresent(Class<? extends Annotation> type);
    <U> Class<? extends U> asSubclass(Class<U> type);
    URL getResource(String name);
    InputStream getResourceAsStream(String name);
    java.security.ProtectionDomain getProtectionDomain();
    Module getModule();
}
class Package { String getName(); String getImplementationVersion(); }
class Module { String getName(); boolean isNamed(); }
class ClassLoader {
    ClassLoader() {}
    ClassLoader(ClassLoader parent) {}
    Class<?> loadClass(String name);
    Class<?> loadClass(String name, boolean resolve);
    Class<?> findClass(String name);
    Class<?> findLoadedClass(String name);
    Class<?> defineClass(String name, byte[] bytes, int offset, int length);
    void resolveClass(Class<?> type);
    URL getResource(String name);
    Enumeration<URL> getResources(String name);
    InputStream getResourceAsStream(String name);
    ClassLoader getParent();
    static ClassLoader getSystemClassLoader();
}
class StackTraceElement implements Serializable {
    StackTraceElement(String type, String method, String file, int line) {}
    String getClassName();
    String getMethodName();
    String getFileName();
    int getLineNumber();
    boolean isNativeMethod();
}
class Throwable implements Serializable {
    Throwable() {}
    Throwable(String message) {}
    Throwable(String message, Throwable cause) {}
    Throwable(Throwable cause) {}
    String getMessage();
    String getLocalizedMessage();
    Throwable getCause();
    Throwable initCause(Throwable cause);
    void printStackTrace();
    void printStackTrace(PrintStream out);
    void printStackTrace(PrintWriter out);
    Throwable fillInStackTrace();
    StackTraceElement[] getStackTrace();
    void setStackTrace(StackTraceElement[] trace);
    void addSuppressed(Throwable error);
    Throwable[] getSuppressed();
}
class Exception extends Throwable { Exception() {} Exception(String m) {} Exception(String m, Throwable c) {} Exception(Throwable c) {} }
class RuntimeException extends Exception { RuntimeException() {} RuntimeException(String m) {} RuntimeException(String m, Throwable c) {} RuntimeException(Throwable c) {} }
class Error extends Throwable { Error() {} Error(String m) {} Error(String m, Throwable c) {} Error(Throwable c) {} }
class IllegalArgumentException extends RuntimeException { IllegalArgumentException() {} IllegalArgumentException(String m) {} IllegalArgumentException(String m, Throwable c) {} IllegalArgumentException(Throwable c) {} }
class IllegalStateException extends RuntimeException { IllegalStateException() {} IllegalStateException(String m) {} IllegalStateException(String m, Throwable c) {} IllegalStateException(Throwable c) {} }
class NumberFormatException extends IllegalArgumentException { NumberFormatException() {} NumberFormatException(String m) {} }
class NullPointerException extends RuntimeException { NullPointerException() {} NullPointerException(String m) {} }
class ClassCastException extends RuntimeException { ClassCastException() {} ClassCastException(String m) {} }
class IndexOutOfBoundsException extends RuntimeException { IndexOutOfBoundsException() {} IndexOutOfBoundsException(String m) {} IndexOutOfBoundsException(int index) {} }
class ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException { ArrayIndexOutOfBoundsException() {} ArrayIndexOutOfBoundsException(String m) {} ArrayIndexOutOfBoundsException(int index) {} }
class StringIndexOutOfBoundsException extends IndexOutOfBoundsException { StringIndexOutOfBoundsException() {} StringIndexOutOfBoundsException(String m) {} StringIndexOutOfBoundsException(int index) {} }
class NegativeArraySizeException extends RuntimeException { NegativeArraySizeException() {} NegativeArraySizeException(String m) {} }
class ArithmeticException extends RuntimeException { ArithmeticException() {} ArithmeticException(String m) {} }
class ArrayStoreException extends RuntimeException { ArrayStoreException() {} ArrayStoreException(String m) {} }
class UnsupportedOperationException extends RuntimeException { UnsupportedOperationException() {} UnsupportedOperationException(String m) {} UnsupportedOperationException(String m, Throwable c) {} UnsupportedOperationException(Throwable c) {} }
class SecurityException extends RuntimeException { SecurityException() {} SecurityException(String m) {} }
class ReflectiveOperationException extends Exception { ReflectiveOperationException() {} ReflectiveOperationException(String m) {} ReflectiveOperationException(String m, Throwable c) {} ReflectiveOperationException(Throwable c) {} }
class ClassNotFoundException extends ReflectiveOperationException { ClassNotFoundException() {} ClassNotFoundException(String m) {} ClassNotFoundException(String m, Throwable c) {} }
class NoSuchMethodException extends ReflectiveOperationException { NoSuchMethodException() {} NoSuchMethodException(String m) {} }
class NoSuchFieldException extends ReflectiveOperationException { NoSuchFieldException() {} NoSuchFieldException(String m) {} }
class InstantiationException extends ReflectiveOperationException { InstantiationException() {} InstantiationException(String m) {} }
class IllegalAccessException extends ReflectiveOperationException { IllegalAccessException() {} IllegalAccessException(String m) {} }
class CloneNotSupportedException extends Exception { CloneNotSupportedException() {} CloneNotSupportedException(String m) {} }
class InterruptedException extends Exception { InterruptedException() {} InterruptedException(String m) {} }
class AssertionError extends Error { AssertionError() {} AssertionError(Object detail) {} AssertionError(String m, Throwable c) {} }
class LinkageError extends Error { LinkageError() {} LinkageError(String m) {} }
class NoClassDefFoundError extends LinkageError { NoClassDefFoundError() {} NoClassDefFoundError(String m) {} }
class ExceptionInInitializerError extends LinkageError { ExceptionInInitializerError() {} ExceptionInInitializerError(Throwable t) {} Throwable getException(); }
class VirtualMachineError extends Error { VirtualMachineError() {} VirtualMachineError(String m) {} }
class StackOverflowError extends VirtualMachineError { StackOverflowError() {} StackOverflowError(String m) {} }
class OutOfMemoryError extends VirtualMachineError { OutOfMemoryError() {} OutOfMemoryError(String m) {} }
@interface Override {}
@interface Deprecated {}
@interface SuppressWarnings {}
@interface FunctionalInterface {}
@interface SafeVarargs {}
