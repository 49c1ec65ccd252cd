package java.util.zip;

import java.io.*;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.*;

interface Checksum { void update(int b); void update(byte[] b, int off, int len); default void update(byte[] b) {} long getValue(); void reset(); }
class CRC32 implements Checksum { CRC32(); void update(int b); void update(byte[] b, int off, int len); void update(byte[] b); long getValue(); void reset(); }
class CRC32C implements Checksum { CRC32C(); void update(int b); void update(byte[] b, int off, int len); long getValue(); void reset(); }
class Adler32 implements Checksum { Adler32(); void update(int b); void update(byte[] b, int off, int len); void update(byte[] b); long getValue(); void reset(); }
class CheckedInputStream extends FilterInputStream { CheckedInputStream(InputStream in, Checksum c); Checksum getChecksum(); }
class CheckedOutputStream extends FilterOutputStream { CheckedOutputStream(OutputStream out, Checksum c); Checksum getChecksum(); }
class DataFormatException extends Exception { DataFormatException(); DataFormatException(String s); }
class ZipException extends IOException { ZipException(); ZipException(String s); }
class Deflater { Deflater(); Deflater(int level); Deflater(int level, boolean nowrap); void setInput(byte[] b); void setInput(byte[] b, int off, int len); void finish(); boolean finished(); boolean needsInput(); int deflate(byte[] b); int deflate(byte[] b, int off, int len); void setLevel(int level); void setStrategy(int s); void setDictionary(byte[] b); long getBytesRead(); long getBytesWritten(); int getTotalIn(); int getTotalOut(); void reset(); void end(); }
class Inflater { Inflater(); Inflater(boolean nowrap); void setInput(byte[] b); void setInput(byte[] b, int off, int len); boolean finished(); boolean needsInput(); boolean needsDictionary(); int inflate(byte[] b); int inflate(byte[] b, int off, int len); void setDictionary(byte[] b); int getRemaining(); long getBytesRead(); long getBytesWritten(); void reset(); void end(); }
class DeflaterOutputStream extends FilterOutputStream { DeflaterOutputStream(OutputStream out); DeflaterOutputStream(OutputStream out, Deflater d); DeflaterOutputStream(OutputStream out, boolean flush); DeflaterOutputStream(OutputStream out, Deflater d, int size); void finish(); }
class DeflaterInputStream extends FilterInputStream { DeflaterInputStream(InputStream in); DeflaterInputStream(InputStream in, Deflater d); }
class InflaterInputStream extends FilterInputStream { InflaterInputStream(InputStream in); InflaterInputStream(InputStream in, Inflater i); InflaterInputStream(InputStream in, Inflater i, int size); }
class InflaterOutputStream extends FilterOutputStream { InflaterOutputStream(OutputStream out); InflaterOutputStream(OutputStream out, Inflater i); void finish(); }
class GZIPInputStream extends InflaterInputStream { GZIPInputStream(InputStream in); GZIPInputStream(InputStream in, int size); }
class GZIPOutputStream extends DeflaterOutputStream { GZIPOutputStream(OutputStream out); GZIPOutputStream(OutputStream out, int size); GZIPOutputStream(OutputStream out, boolean flush); }
class ZipEntry { ZipEntry(String name); ZipEntry(ZipEntry e); String getName(); long getSize(); void setSize(long n); long getCompressedSize(); void setCompressedSize(long n); long getCrc(); void setCrc(long crc); long getTime(); void setTime(long t); int getMethod(); void setMethod(int m); byte[] getExtra(); void setExtra(byte[] b); String getComment(); void setComment(String s); boolean isDirectory(); }
class ZipFile implements Closeable { ZipFile(String name); ZipFile(File file); ZipFile(File file, int mode); String getName(); String getComment(); ZipEntry getEntry(String name); InputStream getInputStream(ZipEntry e); Enumeration<? extends ZipEntry> entries(); Stream<? extends ZipEntry> stream(); int size(); void close(); }
class ZipInputStream extends InflaterInputStream { ZipInputStream(InputStream in); ZipEntry getNextEntry(); void closeEntry(); }
class ZipOutputStream extends DeflaterOutputStream { ZipOutputStream(OutputStream out); void putNextEntry(ZipEntry e); void closeEntry(); void setComment(String s); void setMethod(int m); void setLevel(int level); }
