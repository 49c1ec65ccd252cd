package java.nio.file;
import java.io.*;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.Charset;
import java.nio.file.attribute.*;
import java.util.*;
import java.util.stream.Stream;
interface Path extends Comparable<Path>, Iterable<Path> { static Path of(String s, String... m) {} static Path of(java.net.URI u) {} FileSystem getFileSystem(); boolean isAbsolute(); Path getRoot(); Path getFileName(); Path getParent(); int getNameCount(); Path getName(int i); Path subpath(int a, int b); boolean startsWith(Path p); boolean startsWith(String p); boolean endsWith(Path p); boolean endsWith(String p); Path normalize(); Path resolve(Path p); Path resolve(String p); Path resolveSibling(Path p); Path resolveSibling(String p); Path relativize(Path p); java.net.URI toUri(); Path toAbsolutePath(); Path toRealPath(LinkOption... o); File toFile(); }
class Paths { static Path get(String s, String... m); static Path get(java.net.URI u); }
abstract class FileSystem implements Closeable { Path getPath(String s, String... m); String getSeparator(); }
class FileSystems { static FileSystem getDefault(); }
interface OpenOption {}
interface CopyOption {}
enum LinkOption implements OpenOption, CopyOption { NOFOLLOW_LINKS }
enum StandardOpenOption implements OpenOption { READ, WRITE, APPEND, CREATE, CREATE_NEW, TRUNCATE_EXISTING, DELETE_ON_CLOSE }
enum StandardCopyOption implements CopyOption { REPLACE_EXISTING, COPY_ATTRIBUTES, ATOMIC_MOVE }
interface DirectoryStream<T> extends Closeable, Iterable<T> {}
class Files { static Path setPosixFilePermissions(Path p, Set<PosixFilePermission> s); static Set<PosixFilePermission> getPosixFilePermissions(Path p, LinkOption... o); static <A> A readAttributes(Path p, Class<A> c, LinkOption... o); static SeekableByteChannel newByteChannel(Path p, OpenOption... o); static Path setLastModifiedTime(Path p, FileTime t); static FileTime getLastModifiedTime(Path p, LinkOption... o); static boolean exists(Path p, LinkOption... o); static boolean notExists(Path p, LinkOption... o); static boolean isDirectory(Path p, LinkOption... o); static boolean isRegularFile(Path p, LinkOption... o); static byte[] readAllBytes(Path p); static String readString(Path p); static String readString(Path p, Charset c); static List<String> readAllLines(Path p); static List<String> readAllLines(Path p, Charset c); static Stream<String> lines(Path p); static Stream<Path> list(Path p); static Stream<Path> walk(Path p, FileVisitOption... o); static Path write(Path p, byte[] b, OpenOption... o); static Path write(Path p, Iterable<? extends CharSequence> l, OpenOption... o); static Path writeString(Path p, CharSequence s, OpenOption... o); static Path createDirectory(Path p); static Path createDirectories(Path p); static Path createFile(Path p); static Path createTempFile(String a, String b); static Path createTempFile(Path d, String a, String b); static Path createTempDirectory(String a); static void delete(Path p); static boolean deleteIfExists(Path p); static Path copy(Path a, Path b, CopyOption... o); static long copy(InputStream a, Path b, CopyOption... o); static Path move(Path a, Path b, CopyOption... o); static long size(Path p); static InputStream newInputStream(Path p, OpenOption... o); static OutputStream newOutputStream(Path p, OpenOption... o); static BufferedReader newBufferedReader(Path p); static BufferedReader newBufferedReader(Path p, Charset c); static BufferedWriter newBufferedWriter(Path p, OpenOption... o); static DirectoryStream<Path> newDirectoryStream(Path p); }
enum FileVisitOption { FOLLOW_LINKS }
class NoSuchFileException extends IOException { NoSuchFileException(String f) {} }
