using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Broker.Monitoring;

namespace Postrider.CommandLine.Serving;

/// <summary>The files with which launchers find a server: its process id, and the ports of its listeners.</summary>
/// <remarks>The ports file is removed at the end; the pid file stays, as with nats-server.</remarks>
internal sealed class ServerFiles : IDisposable
{
    private readonly string _program;
    private readonly IPEndPoint? _clients;
    private readonly IPEndPoint? _monitoring;
    private readonly bool _isMonitoringSecure;
    private readonly IPEndPoint? _webSockets;
    private readonly IPEndPoint? _leafNodes;
    private readonly IPEndPoint? _routes;
    private string? _pidFile;
    private string? _portsFile;

    private ServerFiles(string program, NatsBroker broker, IPEndPoint? monitoring, bool isMonitoringSecure)
    {
        _webSockets = broker.WebSocketEndPoint;
        _leafNodes = broker.LeafNodeEndPoint;
        _routes = broker.ClusterEndPoint;
        _program = program;
        _clients = broker.EndPoint;
        _monitoring = monitoring;
        _isMonitoringSecure = isMonitoringSecure;
    }

    /// <summary>Writes the files that the options name.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotWriteFile"/>.</exception>
    internal static ServerFiles Write(BrokerOptions options, string program, NatsBroker broker, IPEndPoint? monitoring, bool isMonitoringSecure)
    {
        var files = new ServerFiles(program, broker, monitoring, isMonitoringSecure);
        files.Change(options);
        return files;
    }

    /// <summary>Writes the files whose paths have changed.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotWriteFile"/>.</exception>
    internal void Change(BrokerOptions options)
    {
        if (!string.IsNullOrEmpty(options.PidFile) && !string.Equals(options.PidFile, _pidFile, StringComparison.Ordinal))
            Write(options.PidFile, "pid file", Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        _pidFile = options.PidFile;
        var portsFile = string.IsNullOrEmpty(options.PortsFileDirectory)
            ? null
            : Path.Join(options.PortsFileDirectory, $"{_program}_{Environment.ProcessId}.ports");
        if (string.Equals(portsFile, _portsFile, StringComparison.Ordinal))
            return;
        Dispose();
        _portsFile = portsFile;
        if (portsFile is null)
            return;
        var ports = new PortsFile
        {
            Nats = Urls(options is { Tls: not null, AllowNonTls: false } ? "tls" : "nats", _clients),
            WebSocket = Urls(options.WebSocket is { Tls: not null } ? "wss" : "ws", _webSockets),
            LeafNodes = Urls(options.LeafNodes is { Tls: not null } ? "tls" : "nats", _leafNodes),
            Cluster = Urls("nats", _routes),
            Monitoring = Urls(_isMonitoringSecure ? "https" : "http", _monitoring),
        };
        Write(portsFile, "ports file", JsonSerializer.Serialize(ports, CompactMonitoringJson.Default.PortsFile));
    }

    public void Dispose()
    {
        if (_portsFile is not null)
            File.Delete(_portsFile);
    }

    // Written to a temporary file and renamed: a launcher that polls never reads a partial file.
    private static void Write(string path, string what, string text)
    {
        try
        {
            var beside = $"{path}.{Environment.ProcessId}.tmp";
            File.WriteAllText(beside, text);
            File.Move(beside, path, overwrite: true);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BrokerException(BrokerError.CannotWriteFile, $"Could not write {what}: {error.Message}", error);
        }
    }

    private static List<string>? Urls(string scheme, IPEndPoint? endPoint)
    {
        if (endPoint is null)
            return null;
        var any = endPoint.Address.Equals(IPAddress.Any) || endPoint.Address.Equals(IPAddress.IPv6Any);
        var addresses = any ? LocalAddresses(endPoint.AddressFamily) : [endPoint.Address];
        return [.. addresses.Select(address => $"{scheme}://{new IPEndPoint(WithoutScope(address), endPoint.Port)}")];
    }

    // Loopback first, then the others, IPv4 before IPv6: launchers use the first.
    // A listener on every IPv6 address accepts IPv4 clients too.
    private static IEnumerable<IPAddress> LocalAddresses(AddressFamily family) =>
        NetworkInterface.GetAllNetworkInterfaces()
            .Where(network => network.OperationalStatus == OperationalStatus.Up || network.NetworkInterfaceType == NetworkInterfaceType.Loopback)
            .SelectMany(network => network.GetIPProperties().UnicastAddresses.Select(unicast => unicast.Address))
            .Append(IPAddress.Loopback)
            .Distinct()
            .Where(address => family == AddressFamily.InterNetworkV6 || address.AddressFamily == family)
            .OrderBy(address => IPAddress.IsLoopback(address) ? 0 : 1)
            .ThenBy(address => address.AddressFamily == AddressFamily.InterNetwork ? 0 : 1);

    private static IPAddress WithoutScope(IPAddress address) =>
        address.AddressFamily == AddressFamily.InterNetworkV6 ? new IPAddress(address.GetAddressBytes()) : address;
}
