using Postrider.Sockets;

namespace Postrider.Broker.Configuration;

/// <summary>The flags of nats-server, under all their names.</summary>
internal static class ServerFlags
{
    internal static readonly Dictionary<string, Flag> ByName = Define().ToDictionary(StringComparer.Ordinal);

    /// <summary>The flag that sets an option.</summary>
    /// <param name="path">The path of the property below <see cref="BrokerOptions"/>.</param>
    internal static string NameOf(string path) => path switch
    {
        "Port" => "-p",
        "Monitoring.Port" => "-m",
        "Monitoring.HttpsPort" => "-ms",
        "JetStream.StoreDirectory" => "-sd or store_dir",
        _ => path,
    };

    private static Dictionary<string, Flag> Define()
    {
        var flags = new Dictionary<string, Flag>(StringComparer.Ordinal);
        void Add(Flag flag, params ReadOnlySpan<string> names)
        {
            foreach (var name in names)
                flags.Add(name, flag);
        }

        // Flags that decide the action; ServerCommandLine handles them.
        Add(Flag.Switch(static (_, _) => { }), "h", "help", "v", "version", "help_tls", "t");
        Add(Flag.Text(static (_, _) => { }), "c", "config", "sl", "signal");

        Add(Flag.Text(static (options, host) => options.Host = host.Length == 0 ? options.Host : host), "a", "addr", "net");
        Add(Flag.Number(static (options, port) => options.Port = port == 0 ? BrokerOptions.DefaultPort : Port("port", port)), "p", "port");
        Add(Flag.Text(static (options, name) => options.ServerName = name), "n", "name", "server_name");
        Add(Flag.Text(static (options, file) => options.PidFile = file), "P", "pid");
        Add(Flag.Number(static (options, port) => options.Monitoring = options.Monitoring with { Port = Port("http_port", port) }), "m", "http_port");
        Add(Flag.Text(static (options, address) => options.ClientAdvertise = address), "client_advertise");
        Add(Flag.Text(static (options, directory) => options.PortsFileDirectory = directory), "ports_file_dir");
        Add(new Flag(ReadEngine, static (options, engine) => options.Engine = (EngineKind)engine), "engine");

        Add(Flag.Text(static (options, file) => Log(options, log => log with { File = file })), "l", "log");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Time = on })), "T", "logtime");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { TimeInUtc = on })), "logtime_utc");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Debug = on })), "D", "debug");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Trace = on })), "V", "trace");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Trace = on, TraceVerbose = on })), "VV");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Debug = on, Trace = on })), "DV");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Debug = on, Trace = on, TraceVerbose = on })), "DVV");
        Add(Flag.Number(static (options, bytes) => Log(options, log => log with { FileSizeLimitBytes = bytes })), "log_size_limit");
        Add(Flag.Switch(static (options, on) => Log(options, log => log with { Syslog = on })), "s", "syslog");
        Add(Flag.Text(static (options, address) => Log(options, log => log with { RemoteSyslog = address.Length == 0 ? null : address })), "r", "remote_syslog");
        Add(Flag.Number(static (options, length) => Log(options, log => log with { MaxTracedMessageLength = (int)Math.Clamp(length, 0, int.MaxValue) })), "max_traced_msg_len");

        Add(Flag.Text(static (options, user) => Authorize(options, authorization => authorization with { User = user })), "user");
        Add(Flag.Text(static (options, password) => Authorize(options, authorization => authorization with { Password = password })), "pass");
        Add(Flag.Text(static (options, token) => Authorize(options, authorization => authorization with { Token = token })), "auth");

        Add(Flag.Switch(JetStreamBinder.Enable), "js", "jetstream");
        Add(Flag.Text(static (options, folder) => JetStreamBinder.Change(options, jetStream => jetStream with { StoreDirectory = folder })), "sd", "store_dir");

        Add(Flag.Number(static (options, port) => options.Monitoring = options.Monitoring with { HttpsPort = Port("https_port", port) }), "ms", "https_port");
        TlsFlags.AddTo(flags);
        ClusterFlags.AddTo(flags);
        AddUnsupported(flags);
        return flags;
    }

    // nats-server's flags that are not supported yet: only accepted with a value that requests nothing.
    private static void AddUnsupported(Dictionary<string, Flag> flags)
    {
        foreach (var name in new[] { "profile" })
            flags.Add(name, Flag.Number((_, number) => RefuseIf(number != 0, name)));
    }

    private static void RefuseIf(bool asked, string name)
    {
        if (asked)
            throw new BrokerException(BrokerError.InvalidArguments, $"flag -{name} is not supported yet");
    }

    private static int Port(string flag, long port) =>
        port is >= BrokerOptions.RandomPort and <= ushort.MaxValue
            ? (int)port
            : throw new BrokerException(BrokerError.InvalidArguments, $"{flag} {port} is not a port");

    private static object? ReadEngine(string text) => text switch
    {
        "auto" => EngineKind.Auto,
        "epoll" => EngineKind.Epoll,
        "sockets" => EngineKind.Sockets,
        _ => null,
    };

    private static void Log(BrokerOptions options, Func<LoggingOptions, LoggingOptions> change) =>
        options.Logging = change(options.Logging);

    private static void Authorize(BrokerOptions options, Func<AuthorizationOptions, AuthorizationOptions> change) =>
        options.Authorization = change(options.Authorization ?? new());
}
