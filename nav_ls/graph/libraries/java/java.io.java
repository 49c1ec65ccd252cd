package java.io;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.Locale;
interface Serializable {}
interface Externalizable extends Serializable {}
interface Closeable extends AutoCloseable { void close(); }
interface Flushable { void flush(); }
interface FilenameFilter { boolean accept(File dir, String name); }
interface FileFilter { boolean accept(File f); }
interface ObjectOutput {}
interface ObjectInput {}
interface DataInput { int readInt(); long readLong(); byte readByte(); boolean readBoolean(); short readShort(); String readUTF(); void readFully(byte[] b); }
interface DataOutput { void writeInt(int v); void writeLong(long v); void writeByte(int v); void writeBoolean(boolean v); void writeUTF(String s); void write(byte[] b); }
abstract class InputStream implements Closeable { InputStream() {} int read(); int read(byte[] b); int read(byte[] b, int o, int n); byte[] readAllBytes(); byte[] readNBytes(int n); long skip(long n); int available(); void close(); void mark(int n); void reset(); boolean markSupported(); long transferTo(OutputStream o); }
abstract class OutputStream implements Closeable, Flushable { OutputStream() {} void write(int b); void write(byte[] b); void write(byte[] b, int o, int n); void flush(); void close(); }
abstract class Reader implements Readable, Closeable { Reader() {} Reader(Object lock) {} Object lock; int read(); int read(char[] b); int read(char[] b, int o, int n); int read(java.nio.CharBuffer b); long skip(long n); boolean ready(); void close(); void mark(int n); void reset(); long transferTo(Writer w); }
abstract class Writer implements Appendable, Closeable, Flushable { Writer() {} Object lock; void write(int c); void write(char[] b); void write(char[] b, int o, int n); void write(String s); void write(String s, int o, int n); Writer append(CharSequence s); Writer append(CharSequence s, int a, int b); Writer append(char c); void flush(); void close(); }
class FilterInputStream extends InputStream { FilterInputStream(InputStream in) {} InputStream in; }
class FilterOutputStream extends OutputStream { FilterOutputStream(OutputStream out) {} OutputStream out; }
class FilterReader extends Reader { FilterReader(Reader in) {} Reader in; }
class FilterWriter extends Writer { FilterWriter(Writer out) {} Writer out; }
class BufferedInputStream extends FilterInputStream { BufferedInputStream(InputStream in) {} BufferedInputStream(InputStream in, int n) {} }
class BufferedOutputStream extends FilterOutputStream { BufferedOutputStream(OutputStream o) {} BufferedOutputStream(OutputStream o, int n) {} }
class ByteArrayInputStream extends InputStream { ByteArrayInputStream(byte[] b) {} ByteArrayInputStream(byte[] b, int o, int n) {} }
class ByteArrayOutputStream extends OutputStream { ByteArrayOutputStream() {} ByteArrayOutputStream(int n) {} byte[] toByteArray(); int size(); void reset(); String toString(); String toString(String c); String toString(Charset c); void writeTo(OutputStream o); void writeBytes(byte[] b); }
class FileInputStream extends InputStream { FileInputStream(File f) {} FileInputStream(String f) {} }
class FileOutputStream extends OutputStream { FileOutputStream(File f) {} FileOutputStream(String f) {} FileOutputStream(File f, boolean a) {} FileOutputStream(String f, boolean a) {} }
class DataInputStream extends FilterInputStream implements DataInput { DataInputStream(InputStream in) {} }
class DataOutputStream extends FilterOutputStream implements DataOutput { DataOutputStream(OutputStream o) {} }
class ObjectInputStream extends InputStream implements ObjectInput { ObjectInputStream() {} ObjectInputStream(InputStream in) {} Object readObject(); void defaultReadObject(); int readInt(); boolean readBoolean(); long readLong(); Class<?> resolveClass(ObjectStreamClass d); }
class ObjectOutputStream extends OutputStream implements ObjectOutput { ObjectOutputStream(OutputStream o) {} void writeObject(Object o); void defaultWriteObject(); void writeInt(int v); void writeBoolean(boolean v); void writeLong(long v); }
class ObjectStreamClass { String getName(); }
class PushbackInputStream extends FilterInputStream { PushbackInputStream(InputStream in) {} void unread(int b); }
class InputStreamReader extends Reader { InputStreamReader(InputStream in) {} InputStreamReader(InputStream in, String c) {} InputStreamReader(InputStream in, Charset c) {} }
class OutputStreamWriter extends Writer { OutputStreamWriter(OutputStream o) {} OutputStreamWriter(OutputStream o, String c) {} OutputStreamWriter(OutputStream o, Charset c) {} }
class FileReader extends InputStreamReader { FileReader(File f) {} FileReader(String f) {} FileReader(File f, Charset c) {} FileReader(String f, Charset c) {} }
class FileWriter extends OutputStreamWriter { FileWriter(File f) {} FileWriter(String f) {} FileWriter(File f, boolean a) {} FileWriter(String f, boolean a) {} FileWriter(File f, Charset c) {} }
class StringReader extends Reader { StringReader(String s) {} }
class StringWriter extends Writer { StringWriter() {} StringWriter(int n) {} StringBuffer getBuffer(); StringWriter append(CharSequence s); StringWriter append(CharSequence s, int a, int b); StringWriter append(char c); String toString(); }
class CharArrayReader extends Reader { CharArrayReader(char[] c) {} CharArrayReader(char[] c, int o, int n) {} }
class CharArrayWriter extends Writer { CharArrayWriter() {} CharArrayWriter(int n) {} char[] toCharArray(); int size(); void reset(); }
class BufferedReader extends Reader { BufferedReader(Reader r) {} BufferedReader(Reader r, int n) {} String readLine(); java.util.stream.Stream<String> lines(); }
class LineNumberReader extends BufferedReader { LineNumberReader(Reader r) {} int getLineNumber(); }
class BufferedWriter extends Writer { BufferedWriter(Writer w) {} BufferedWriter(Writer w, int n) {} void newLine(); }
class PrintStream extends FilterOutputStream implements Appendable { PrintStream(OutputStream o) {} PrintStream(OutputStream o, boolean a) {} PrintStream(OutputStream o, boolean a, String c) {} PrintStream(OutputStream o, boolean a, Charset c) {} PrintStream(String f) {} PrintStream(File f) {} void print(Object o); void print(String s); void print(char c); void print(int i); void print(long l); void print(double d); void print(boolean b); void print(char[] s); void println(); void println(Object o); void println(String s); void println(char c); void println(int i); void println(long l); void println(double d); void println(boolean b); void println(char[] s); PrintStream printf(String f, Object... a); PrintStream printf(Locale l, String f, Object... a); PrintStream format(String f, Object... a); PrintStream append(CharSequence s); PrintStream append(char c); boolean checkError(); }
class PrintWriter extends Writer { PrintWriter(Writer w) {} PrintWriter(Writer w, boolean a) {} PrintWriter(OutputStream o) {} PrintWriter(OutputStream o, boolean a) {} PrintWriter(String f) {} PrintWriter(String f, String c) {} PrintWriter(File f) {} PrintWriter(File f, String c) {} void print(Object o); void print(String s); void print(char c); void print(int i); void print(long l); void print(boolean b); void println(); void println(Object o); void println(String s); void println(int i); void println(char c); PrintWriter printf(String f, Object... a); PrintWriter format(String f, Object... a); PrintWriter append(CharSequence s); PrintWriter append(char c); }
class File implements Serializable, Comparable<File> { static String separator; static char separatorChar; static String pathSeparator; static char pathSeparatorChar; File(String p) {} File(String d, String c) {} File(File d, String c) {} File(java.net.URI u) {} String getName(); String getParent(); File getParentFile(); String getPath(); String getAbsolutePath(); File getAbsoluteFile(); String getCanonicalPath(); File getCanonicalFile(); boolean exists(); boolean isFile(); boolean isDirectory(); boolean isHidden(); boolean isAbsolute(); boolean canRead(); boolean canWrite(); boolean canExecute(); long length(); long lastModified(); boolean setLastModified(long t); boolean delete(); void deleteOnExit(); boolean mkdir(); boolean mkdirs(); boolean createNewFile(); boolean renameTo(File f); String[] list(); String[] list(FilenameFilter f); File[] listFiles(); File[] listFiles(FilenameFilter f); File[] listFiles(FileFilter f); Path toPath(); java.net.URI toURI(); static File createTempFile(String a, String b); static File createTempFile(String a, String b, File d); int compareTo(File f); }
class RandomAccessFile implements DataOutput, DataInput, Closeable { RandomAccessFile(File f, String m) {} RandomAccessFile(String f, String m) {} void seek(long p); long length(); long getFilePointer(); int read(); }
class IOException extends Exception { IOException() {} IOException(String m) {} IOException(String m, Throwable t) {} IOException(Throwable t) {} }
class UncheckedIOException extends RuntimeException { UncheckedIOException(IOException e) {} UncheckedIOException(String m, IOException e) {} IOException getCause(); }
class FileNotFoundException extends IOException { FileNotFoundException() {} FileNotFoundException(String m) {} }
class EOFException extends IOException { EOFException() {} EOFException(String m) {} }
class InterruptedIOException extends IOException { InterruptedIOException() {} InterruptedIOException(String m) {} }
class UnsupportedEncodingException extends IOException { UnsupportedEncodingException() {} UnsupportedEncodingException(String m) {} }
class ObjectStreamException extends IOException {}
class NotSerializableException extends ObjectStreamException { NotSerializableException() {} NotSerializableException(String m) {} }
class InvalidObjectException extends ObjectStreamException { InvalidObjectException(String m) {} }
class StreamCorruptedException extends ObjectStreamException {}
