package java.nio.channels;

import java.io.*;
import java.net.*;
import java.nio.*;
import java.nio.charset.Charset;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.*;

interface Channel extends Closeable { boolean isOpen(); void close(); }
interface ReadableByteChannel extends Channel { int read(ByteBuffer b); }
interface WritableByteChannel extends Channel { int write(ByteBuffer b); }
interface ByteChannel extends ReadableByteChannel, WritableByteChannel {}
interface SeekableByteChannel extends ByteChannel { int read(ByteBuffer b); int write(ByteBuffer b); long position(); SeekableByteChannel position(long p); long size(); SeekableByteChannel truncate(long size); }
interface ScatteringByteChannel extends ReadableByteChannel { long read(ByteBuffer[] b); long read(ByteBuffer[] b, int off, int len); }
interface GatheringByteChannel extends WritableByteChannel { long write(ByteBuffer[] b); long write(ByteBuffer[] b, int off, int len); }
interface InterruptibleChannel extends Channel {}
interface NetworkChannel extends Channel { NetworkChannel bind(SocketAddress a); SocketAddress getLocalAddress(); }
interface AsynchronousChannel extends Channel {}
interface CompletionHandler<V, A> { void completed(V result, A attachment); void failed(Throwable t, A attachment); }
abstract class AbstractInterruptibleChannel implements Channel, InterruptibleChannel { void close(); boolean isOpen(); }
abstract class SelectableChannel extends AbstractInterruptibleChannel { SelectableChannel configureBlocking(boolean b); SelectionKey register(Selector s, int ops); SelectionKey register(Selector s, int ops, Object attachment); boolean isBlocking(); }
abstract class FileChannel extends AbstractInterruptibleChannel implements SeekableByteChannel, GatheringByteChannel, ScatteringByteChannel { static FileChannel open(Path p, OpenOption... o); int read(ByteBuffer b); int read(ByteBuffer b, long at); int write(ByteBuffer b); int write(ByteBuffer b, long at); long position(); FileChannel position(long p); long size(); FileChannel truncate(long size); void force(boolean meta); long transferTo(long p, long n, WritableByteChannel to); long transferFrom(ReadableByteChannel from, long p, long n); FileLock lock(); FileLock tryLock(); }
abstract class FileLock implements AutoCloseable { FileChannel channel(); boolean isShared(); boolean isValid(); void release(); void close(); }
abstract class SocketChannel extends SelectableChannel implements ByteChannel, ScatteringByteChannel, GatheringByteChannel, NetworkChannel { static SocketChannel open(); static SocketChannel open(SocketAddress a); SocketChannel bind(SocketAddress a); boolean connect(SocketAddress a); boolean finishConnect(); boolean isConnected(); Socket socket(); int read(ByteBuffer b); int write(ByteBuffer b); SocketAddress getRemoteAddress(); }
abstract class ServerSocketChannel extends SelectableChannel implements NetworkChannel { static ServerSocketChannel open(); ServerSocketChannel bind(SocketAddress a); ServerSocket socket(); SocketChannel accept(); }
abstract class DatagramChannel extends SelectableChannel implements ByteChannel, ScatteringByteChannel, GatheringByteChannel, NetworkChannel { static DatagramChannel open(); DatagramChannel bind(SocketAddress a); SocketAddress receive(ByteBuffer b); int send(ByteBuffer b, SocketAddress to); int read(ByteBuffer b); int write(ByteBuffer b); }
abstract class Selector implements Closeable { static Selector open(); int select(); int select(long ms); int selectNow(); Selector wakeup(); Set<SelectionKey> keys(); Set<SelectionKey> selectedKeys(); boolean isOpen(); void close(); }
abstract class SelectionKey { SelectableChannel channel(); Selector selector(); Object attach(Object o); Object attachment(); void cancel(); boolean isValid(); boolean isReadable(); boolean isWritable(); boolean isAcceptable(); boolean isConnectable(); int interestOps(); SelectionKey interestOps(int ops); int readyOps(); }
class Channels { static InputStream newInputStream(ReadableByteChannel c); static OutputStream newOutputStream(WritableByteChannel c); static ReadableByteChannel newChannel(InputStream in); static WritableByteChannel newChannel(OutputStream out); static Reader newReader(ReadableByteChannel c, String charset); static Writer newWriter(WritableByteChannel c, String charset); }
class ClosedChannelException extends IOException { ClosedChannelException() {} }
