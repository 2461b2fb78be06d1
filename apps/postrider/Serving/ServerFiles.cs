using System.Globalization;
using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Broker.Monitoring;

namespace Postrider.CommandLine.Serving;

/// <summary>The files by which launchers find a server: its process id, and the ports of its listeners.</summary>
/// <remarks>The ports file is removed at the end; the pid file stays, as with nats-server.</remarks>
internal sealed class ServerFiles : IDisposable
{
    private readonly string? _portsFile;

    private ServerFiles(string? portsFile) => _portsFile = portsFile;

    /// <summary>Writes what the options ask for.</summary>
    /// <exception cref="BrokerException">With <see cref="BrokerError.CannotWriteFile"/>.</exception>
    internal static ServerFiles Write(BrokerOptions options, string program, IPEndPoint? clients, IPEndPoint? monitoring)
    {
        if (!string.IsNullOrEmpty(options.PidFile))
            Write(options.PidFile, "pid file", Environment.ProcessId.ToString(CultureInfo.InvariantCulture));
        if (string.IsNullOrEmpty(options.PortsFileDirectory))
            return new ServerFiles(null);
        var path = Path.Join(options.PortsFileDirectory, $"{program}_{Environment.ProcessId}.ports");
        var ports = new PortsFile { Nats = Urls("nats", clients), Monitoring = Urls("http", monitoring) };
        Write(path, "ports file", JsonSerializer.Serialize(ports, CompactMonitoringJson.Default.PortsFile));
        return new ServerFiles(path);
    }

    public void Dispose()
    {
        if (_portsFile is not null)
            File.Delete(_portsFile);
    }

    // Written beside and renamed: a launcher that polls never reads half a file.
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

    // Loopback first, then the others, IPv4 before IPv6: launchers take the first.
    // A listener on every IPv6 address takes IPv4 clients too.
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
