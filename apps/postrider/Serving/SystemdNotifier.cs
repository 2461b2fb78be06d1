using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Postrider.CommandLine.Serving;

/// <summary>Notifies systemd of what the server does, where a unit of <c>Type=notify</c> or <c>notify-reload</c> started it.</summary>
/// <remarks>Without <c>NOTIFY_SOCKET</c> it does nothing. Thread-safe: no state. Source: sd_notify(3).</remarks>
internal static class SystemdNotifier
{
    private const string Variable = "NOTIFY_SOCKET";

    /// <summary>The server serves.</summary>
    internal static void Ready() => Send("READY=1");

    /// <summary>The server begins to read its configuration again; <see cref="Ready"/> ends it.</summary>
    internal static void Reloading()
        => Send(string.Create(CultureInfo.InvariantCulture, $"RELOADING=1\nMONOTONIC_USEC={Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1_000_000)}"));

    /// <summary>The server begins to stop.</summary>
    internal static void Stopping() => Send("STOPPING=1");

    private static void Send(string state)
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { Length: > 1 } path || path[0] is not ('/' or '@')) return;
        try
        {
            // A name that begins with @ is in the abstract name space.
            var address = new UnixDomainSocketEndPoint(path[0] == '@' ? '\0' + path[1..] : path);
            using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.SendTo(Encoding.UTF8.GetBytes(state), address);
        }
        catch (Exception error) when (error is SocketException or ArgumentException)
        {
            // The service manager is gone: the server goes on.
        }
    }
}
