package java.net;
import java.io.*;
class URI implements Comparable<URI>, Serializable { URI(String s) {} static URI create(String s); String getHost(); String getPath(); String getScheme(); String getQuery(); String getFragment(); int getPort(); URI resolve(String s); URI resolve(URI u); URL toURL(); int compareTo(URI u); String toASCIIString(); }
class URL implements Serializable { URL(String s) {} URL(URL c, String s) {} String getHost(); String getPath(); String getProtocol(); String getQuery(); String getFile(); int getPort(); InputStream openStream(); URLConnection openConnection(); URI toURI(); String toExternalForm(); }
abstract class URLConnection { InputStream getInputStream(); OutputStream getOutputStream(); void setDoOutput(boolean b); void connect(); }
class HttpURLConnection extends URLConnection { int getResponseCode(); void setRequestMethod(String m); void disconnect(); }
class URLEncoder { static String encode(String s, String c); static String encode(String s, java.nio.charset.Charset c); }
class URLDecoder { static String decode(String s, String c); static String decode(String s, java.nio.charset.Charset c); }
class InetAddress implements Serializable { static InetAddress getByName(String h); static InetAddress[] getAllByName(String h); static InetAddress getLocalHost(); static InetAddress getLoopbackAddress(); String getHostName(); String getHostAddress(); byte[] getAddress(); }
class InetSocketAddress extends SocketAddress { InetSocketAddress(int p) {} InetSocketAddress(String h, int p) {} InetSocketAddress(InetAddress a, int p) {} String getHostName(); int getPort(); InetAddress getAddress(); }
abstract class SocketAddress implements Serializable {}
class Socket implements Closeable { Socket() {} Socket(String h, int p) {} InputStream getInputStream(); OutputStream getOutputStream(); void close(); boolean isClosed(); void setSoTimeout(int t); void connect(SocketAddress a); void connect(SocketAddress a, int t); }
class ServerSocket implements Closeable { ServerSocket() {} ServerSocket(int p) {} Socket accept(); void close(); int getLocalPort(); }
class MalformedURLException extends IOException { MalformedURLException(String m) {} }
class URISyntaxException extends Exception { URISyntaxException(String a, String b) {} }
class SocketException extends IOException { SocketException(String m) {} }
class SocketTimeoutException extends InterruptedIOException { SocketTimeoutException(String m) {} }
class UnknownHostException extends IOException { UnknownHostException(String m) {} }
class ProtocolException extends IOException { ProtocolException(String m) {} }
class URLClassLoader extends ClassLoader { URLClassLoader(URL[] u) {} URLClassLoader(URL[] u, ClassLoader p) {} URL[] getURLs(); void close(); }
