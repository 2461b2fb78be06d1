using System.Diagnostics;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Postrider.CommandLine.Serving;

/// <summary>Notifies systemd of the server's state, if it was started by a unit of <c>Type=notify</c> or <c>notify-reload</c>.</summary>
/// <remarks>Does nothing without <c>NOTIFY_SOCKET</c>. Thread-safe: no state. Source: sd_notify(3).</remarks>
internal static class SystemdNotifier
{
    private const string Variable = "NOTIFY_SOCKET";

    /// <summary>The server is ready.</summary>
    internal static void Ready() => Send("READY=1");

    /// <summary>The server starts to reload its configuration; <see cref="Ready"/> ends it.</summary>
    internal static void Reloading()
        => Send(string.Create(CultureInfo.InvariantCulture, $"RELOADING=1\nMONOTONIC_USEC={Stopwatch.GetTimestamp() / (Stopwatch.Frequency / 1_000_000)}"));

    /// <summary>The server starts to shut down.</summary>
    internal static void Stopping() => Send("STOPPING=1");

    private static void Send(string state)
    {
        if (Environment.GetEnvironmentVariable(Variable) is not { Length: > 1 } path || path[0] is not ('/' or '@')) return;
        try
        {
            // A name that starts with @ is in the abstract namespace.
            var address = new UnixDomainSocketEndPoint(path[0] == '@' ? '\0' + path[1..] : path);
            using var socket = new Socket(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified);
            socket.SendTo(Encoding.UTF8.GetBytes(state), address);
        }
        catch (Exception error) when (error is SocketException or ArgumentException)
        {
            // The service manager is gone: the server continues.
        }
    }
}
