package java.nio.file.attribute;

import java.time.Instant;
import java.util.*;
import java.util.concurrent.TimeUnit;

class FileTime implements Comparable<FileTime> { static FileTime from(Instant i); static FileTime from(long n, TimeUnit u); static FileTime fromMillis(long ms); long toMillis(); long to(TimeUnit u); Instant toInstant(); int compareTo(FileTime o); }
interface AttributeView { String name(); }
interface FileAttributeView extends AttributeView {}
interface FileAttribute<T> { String name(); T value(); }
interface BasicFileAttributes { FileTime lastModifiedTime(); FileTime lastAccessTime(); FileTime creationTime(); boolean isRegularFile(); boolean isDirectory(); boolean isSymbolicLink(); boolean isOther(); long size(); Object fileKey(); }
interface PosixFileAttributes extends BasicFileAttributes { UserPrincipal owner(); GroupPrincipal group(); Set<PosixFilePermission> permissions(); }
interface DosFileAttributes extends BasicFileAttributes { boolean isReadOnly(); boolean isHidden(); boolean isArchive(); boolean isSystem(); }
interface BasicFileAttributeView extends FileAttributeView { BasicFileAttributes readAttributes(); void setTimes(FileTime m, FileTime a, FileTime c); }
interface PosixFileAttributeView extends BasicFileAttributeView { PosixFileAttributes readAttributes(); void setPermissions(Set<PosixFilePermission> p); void setGroup(GroupPrincipal g); }
interface DosFileAttributeView extends BasicFileAttributeView { DosFileAttributes readAttributes(); void setReadOnly(boolean b); void setHidden(boolean b); }
interface UserPrincipal extends java.security.Principal {}
interface GroupPrincipal extends UserPrincipal {}
enum PosixFilePermission { OWNER_READ, OWNER_WRITE, OWNER_EXECUTE, GROUP_READ, GROUP_WRITE, GROUP_EXECUTE, OTHERS_READ, OTHERS_WRITE, OTHERS_EXECUTE }
class PosixFilePermissions { static Set<PosixFilePermission> fromString(String s); static String toString(Set<PosixFilePermission> p); static FileAttribute<Set<PosixFilePermission>> asFileAttribute(Set<PosixFilePermission> p); }
