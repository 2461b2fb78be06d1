using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>Writes log lines to the system's log, or to that of another machine.</summary>
/// <remarks>Follows RFC 3164, as Go's <c>log/syslog</c> does for nats-server: facility daemon; without the host's name for the local machine.
/// A line that cannot be sent is lost: logging must not block the server. Not thread-safe.</remarks>
internal sealed class SyslogTarget : ILogTarget
{
    /// <summary>The address of the system's log.</summary>
    internal const string Local = "";

    // The facility of system daemons.
    private const int Facility = 3 << 3;
    private const int DefaultPort = 514;
    private const string Tag = "nats-server";

    // The limit of one datagram; a longer line is cut.
    private const int MaxLineBytes = 8 * 1024;

    private static readonly string[] LocalPaths = ["/dev/log", "/var/run/syslog", "/var/run/log"];

    private readonly TimeProvider _time;
    private readonly Func<Socket> _connect;
    private readonly bool _isLocal;
    private readonly bool _isStream;
    private Socket? _socket;

    private SyslogTarget(Func<Socket> connect, bool isLocal, bool isStream, TimeProvider time)
    {
        (_connect, _isLocal, _isStream, _time) = (connect, isLocal, isStream, time);
        _socket = connect();
        // A reader that hangs must not block the server.
        _socket.SendTimeout = 1000;
    }

    /// <inheritdoc/>
    public bool HasColours => false;

    /// <inheritdoc/>
    public bool IsBare => true;

    /// <summary>Opens a log.</summary>
    /// <param name="address">An URL whose scheme is <c>udp</c>, <c>tcp</c>, <c>unix</c> or <c>unixgram</c>; empty for the system's log.</param>
    /// <param name="time">The clock.</param>
    /// <exception cref="FormatException">The address is not one.</exception>
    /// <exception cref="SocketException">The log cannot be reached.</exception>
    internal static SyslogTarget Open(string address, TimeProvider time)
    {
        if (address.Length == 0) return OpenLocal(time);
        if (!Uri.TryCreate(address, UriKind.Absolute, out var url)) throw Unknown(address);
        switch (url.Scheme)
        {
            case "udp":
                return new SyslogTarget(() => Connect(url, SocketType.Dgram, ProtocolType.Udp), isLocal: false, isStream: false, time);
            case "tcp":
                return new SyslogTarget(() => Connect(url, SocketType.Stream, ProtocolType.Tcp), isLocal: false, isStream: true, time);
            case "unix" or "unixgram":
                return new SyslogTarget(() => Connect(url.AbsolutePath, SocketType.Dgram), isLocal: true, isStream: false, time);
            default:
                throw Unknown(address);
        }
    }

    /// <inheritdoc/>
    public void WriteLine(LogLevel level, string line)
    {
        var bytes = Encoding.UTF8.GetBytes(Render(level, line));
        var text = bytes.AsSpan(0, Math.Min(bytes.Length, MaxLineBytes));
        for (var attempt = 0; attempt < 2; attempt++)
        {
            try
            {
                _socket ??= _connect();
                _socket.Send(text);
                return;
            }
            catch (SocketException)
            {
                // The log may have been restarted.
                _socket?.Dispose();
                _socket = null;
            }
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _socket?.Dispose();

    private static SyslogTarget OpenLocal(TimeProvider time)
    {
        SocketException? last = null;
        foreach (var path in LocalPaths)
        {
            try
            {
                return new SyslogTarget(() => Connect(path, SocketType.Dgram), isLocal: true, isStream: false, time);
            }
            catch (SocketException none)
            {
                last = none;
            }
        }
        throw last!;
    }

    private static Socket Connect(Uri url, SocketType type, ProtocolType protocol)
    {
        var address = Dns.GetHostAddresses(url.IdnHost).FirstOrDefault() ?? throw new SocketException((int)SocketError.HostNotFound);
        var socket = new Socket(address.AddressFamily, type, protocol);
        try
        {
            socket.Connect(address, url.Port < 0 ? DefaultPort : url.Port);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static Socket Connect(string path, SocketType type)
    {
        var socket = new Socket(AddressFamily.Unix, type, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(path));
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static FormatException Unknown(string address) => new($"invalid syslog address \"{address}\". Use udp://HOST:PORT, tcp://HOST:PORT or unix:///PATH");

    private string Render(LogLevel level, string line)
    {
        var now = _time.GetLocalNow();
        var priority = Facility + level switch { LogLevel.Critical => 2, LogLevel.Error => 3, LogLevel.Warning => 4, LogLevel.Debug => 7, _ => 5 };
        // A line end would start another entry.
        var text = line.ReplaceLineEndings(" ");
        var stamp = _isLocal
            ? string.Create(CultureInfo.InvariantCulture, $"{now:MMM} {now.Day,2} {now:HH:mm:ss}")
            : $"{now.ToString("yyyy-MM-dd'T'HH:mm:sszzz", CultureInfo.InvariantCulture)} {Dns.GetHostName()}";
        return string.Create(CultureInfo.InvariantCulture, $"<{priority}>{stamp} {Tag}[{Environment.ProcessId}]: {text}{(_isStream ? "\n" : "")}");
    }
}
