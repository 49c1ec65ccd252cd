"""Names and headers of the C and C++ standard libraries and of POSIX: never the repository's own."""

from __future__ import annotations

_HEADERS = """
    assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h
    stdalign.h stdarg.h stdatomic.h stdbit.h stdbool.h stdckdint.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h
    string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h strings.h unistd.h fcntl.h dirent.h dlfcn.h grp.h
    ifaddrs.h langinfo.h libgen.h malloc.h memory.h netdb.h poll.h pthread.h pwd.h regex.h sched.h semaphore.h
    spawn.h sysexits.h syslog.h termios.h utime.h wordexp.h getopt.h glob.h fnmatch.h ftw.h iconv.h alloca.h
    sys/types.h sys/stat.h sys/time.h sys/socket.h sys/wait.h sys/mman.h sys/select.h sys/uio.h sys/un.h sys/param.h
    sys/ioctl.h sys/resource.h sys/file.h sys/epoll.h sys/event.h sys/utsname.h sys/statvfs.h netinet/in.h
    netinet/tcp.h arpa/inet.h net/if.h windows.h winsock2.h ws2tcpip.h io.h direct.h process.h intrin.h
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat charconv chrono cinttypes
    climits clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef
    cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution expected filesystem format
    forward_list fstream functional future generator initializer_list iomanip ios iosfwd iostream istream iterator
    latch limits list locale map mdspan memory memory_resource mutex new numbers numeric optional ostream print queue
    random ranges ratio regex scoped_allocator semaphore set shared_mutex source_location span spanstream sstream stack
    stacktrace stdexcept stop_token streambuf string string_view syncstream system_error thread tuple type_traits
    typeindex typeinfo unordered_map unordered_set utility valarray variant vector version
"""

_NAMES = """
    assert malloc calloc realloc free abort exit atexit _exit getenv setenv unsetenv system abs labs llabs div atoi atol
    atoll atof strtol strtoul strtoll strtoull strtod strtof strtold rand srand random srandom qsort bsearch mblen
    memcpy memmove memset memcmp memchr memrchr strcpy strncpy strcat strncat strcmp strncmp strcoll strxfrm strchr
    strrchr strspn strcspn strpbrk strstr strtok strtok_r strlen strnlen strerror strerror_r strdup strndup strcasecmp
    strncasecmp stpcpy strsep strsignal printf fprintf sprintf snprintf vprintf vfprintf vsprintf vsnprintf asprintf
    vasprintf dprintf scanf fscanf sscanf vscanf vsscanf fopen freopen fdopen fclose fflush fread fwrite fgetc fgets
    fputc fputs getc getchar gets putc putchar puts ungetc fseek fseeko ftell ftello rewind fgetpos fsetpos feof ferror
    clearerr perror remove rename tmpfile tmpnam setvbuf setbuf fileno getline getdelim popen pclose
    isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper
    sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 log log2 log10 pow sqrt cbrt ceil floor round trunc fabs
    fmod fmin fmax hypot ldexp frexp modf isnan isinf isfinite signbit nearbyint rint lround llround nan copysign
    time clock difftime mktime gmtime gmtime_r localtime localtime_r asctime ctime strftime strptime gettimeofday
    clock_gettime nanosleep usleep sleep timegm
    open openat close read write pread pwrite readv writev lseek dup dup2 pipe fcntl ioctl stat fstat lstat chmod fchmod
    chown unlink rmdir mkdir mkstemp access getcwd chdir readlink symlink link fsync fdatasync ftruncate truncate mmap
    munmap msync madvise fork vfork execv execvp execve execl execlp wait waitpid kill raise signal sigaction
    sigemptyset sigaddset sigfillset sigprocmask getpid getppid getuid geteuid getgid getpwnam getpwuid isatty
    opendir readdir closedir socket bind listen accept connect send recv sendto recvfrom sendmsg recvmsg setsockopt
    getsockopt getsockname getpeername shutdown select poll epoll_create epoll_ctl epoll_wait getaddrinfo freeaddrinfo
    gai_strerror inet_ntop inet_pton htons htonl ntohs ntohl pthread_create pthread_join pthread_detach pthread_self
    pthread_mutex_init pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_destroy
    pthread_cond_init pthread_cond_wait pthread_cond_timedwait pthread_cond_signal pthread_cond_broadcast
    pthread_cond_destroy pthread_once pthread_key_create pthread_getspecific pthread_setspecific dlopen dlsym dlclose
    dlerror setjmp longjmp sigsetjmp siglongjmp setlocale localeconv va_start va_end va_arg va_copy offsetof alloca
    wcslen wcscmp wcsncmp wcscpy wcsncpy wcscat wcschr wcsrchr wcsstr wcsdup wcstombs mbstowcs wctomb mbtowc wmemcpy
    wmemcmp wmemset swprintf fwprintf wprintf utimes futimes utimensat futimens
    getopt getopt_long sysconf getrlimit setrlimit getrusage sched_yield
"""

LIBRARY_HEADERS = frozenset(_HEADERS.split())
LIBRARY_NAMES = frozenset(_NAMES.split())
