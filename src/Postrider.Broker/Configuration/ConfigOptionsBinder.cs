using Postrider.Broker.Accounts;

namespace Postrider.Broker.Configuration;

/// <summary>Turns the top level of a configuration into options.</summary>
/// <remarks>Keys are nats-server's, with its aliases, in any case. Problems are collected, so that all of a file's problems are reported.</remarks>
internal sealed class ConfigOptionsBinder(BrokerOptions options, ConfigDiagnostics findings)
{
    private static readonly TimeSpan MinLameDuckDuration = TimeSpan.FromSeconds(30);
    private readonly ConfigReader _reader = new(findings);
    private readonly List<AccountsBinder> _accounts = [];
    private OperatorBinder? _operators;

    internal void Read(ConfigMap map)
    {
        foreach (var (key, value) in map)
        {
            var name = key.ToLowerInvariant();
            if (ReadAddress(name, value) || ReadLimit(name, value) || ReadTime(name, value) || ReadLogging(name, value) || ReadOther(name, value) || ReadOperators(name, value))
                continue;
            if (!UnsupportedKeys.Contains(name))
                _reader.Unknown(key, value);
            else if (!UnsupportedKeys.IsOff(name, value))
                findings.Error(value.Position, $"{GoQuote.Quote(key)} is not supported yet");
        }
        foreach (var accounts in _accounts)
            accounts.CheckTogether(options);
        _operators?.Complete(options);
    }

    private void ReadDefaultDomains(string key, ConfigValue value)
    {
        if (_reader.Map(key, value) is not { } map) return;
        var domains = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (account, domain) in map) _reader.Text(account, domain, text => domains[account] = text);
        options.DefaultJetStreamDomains = domains;
        if (domains.Count > 0) findings.Warn(value.Position, key, "it is a temporary measure for backwards compatibility");
    }

    private bool ReadOperators(string key, ConfigValue value)
    {
        if (!OperatorBinder.Reads(key)) return false;
        _operators ??= new OperatorBinder(_reader);
        _operators.Read(key, value);
        return true;
    }

    private bool ReadAddress(string key, ConfigValue value)
    {
        switch (key)
        {
            case "listen":
                _reader.Listen(key, value, (host, port) => (options.Host, options.Port) = (AnyIfEmpty(host), DefaultIfZero(port)));
                return true;
            case "host" or "net":
                _reader.Text(key, value, host => options.Host = AnyIfEmpty(host));
                return true;
            case "port":
                _reader.Port(key, value, port => options.Port = DefaultIfZero(port));
                return true;
            case "client_advertise":
                _reader.Text(key, value, text => options.ClientAdvertise = text);
                return true;
            case "http":
                _reader.Listen(key, value, (host, port) => options.Monitoring = options.Monitoring with { Host = host.Length == 0 ? null : host, Port = port });
                return true;
            case "http_port" or "monitor_port":
                _reader.Port(key, value, port => options.Monitoring = options.Monitoring with { Port = port });
                return true;
            case "https":
                _reader.Listen(key, value, (host, port) => options.Monitoring = options.Monitoring with { Host = host.Length == 0 ? null : host, HttpsPort = port });
                return true;
            case "https_port":
                _reader.Port(key, value, port => options.Monitoring = options.Monitoring with { HttpsPort = port });
                return true;
            // The three keys below do not exist in nats-server.
            case "http_user":
                _reader.Text(key, value, user => options.Monitoring = options.Monitoring with { User = user });
                return true;
            case "http_password":
                _reader.Text(key, value, password => options.Monitoring = options.Monitoring with { Password = password });
                return true;
            case "http_dashboard_actions":
                _reader.Boolean(key, value, allowed => options.Monitoring = options.Monitoring with { DashboardActions = allowed });
                return true;
            case "http_base_path":
                _reader.Text(key, value, path => options.Monitoring = options.Monitoring with { BasePath = path });
                return true;
            default:
                return false;
        }
    }

    private bool ReadLimit(string key, ConfigValue value)
    {
        switch (key)
        {
            case "max_control_line":
                Limit(key, value, bytes => options.MaxControlLineBytes = bytes);
                return true;
            case "max_payload":
                _reader.Integer(key, value, -1, int.MaxValue, bytes => options.MaxPayloadBytes = bytes == 0 ? options.MaxPayloadBytes : (int)bytes);
                return true;
            case "max_pending":
                _reader.Integer(key, value, 0, long.MaxValue, bytes => options.MaxPendingBytes = bytes == 0 ? options.MaxPendingBytes : bytes);
                return true;
            case "max_connections" or "max_conn":
                // As in nats-server, an explicit 0 differs from a missing value: nobody may connect.
                _reader.Integer(key, value, long.MinValue, long.MaxValue, count => options.MaxConnections = count == 0 ? -1 : Clamp(count));
                return true;
            case "max_subscriptions" or "max_subs":
                _reader.Integer(key, value, long.MinValue, long.MaxValue, count => options.MaxSubscriptions = Clamp(count));
                return true;
            case "max_sub_tokens" or "max_subscription_tokens":
                _reader.Integer(key, value, 1, byte.MaxValue, count => options.MaxSubjectTokens = (int)count);
                return true;
            case "max_closed_clients":
                Limit(key, value, count => options.MaxClosedClients = count);
                return true;
            case "ping_max":
                Limit(key, value, count => options.MaxPingsOut = count);
                return true;
            default:
                return false;
        }
    }

    private bool ReadTime(string key, ConfigValue value)
    {
        switch (key)
        {
            case "ping_interval":
                _reader.Duration(key, value, interval => options.PingInterval = interval == default ? options.PingInterval : interval);
                return true;
            case "write_deadline":
                _reader.Duration(key, value, deadline => options.WriteDeadline = deadline == default ? options.WriteDeadline : deadline);
                return true;
            case "lame_duck_duration":
                _reader.DurationText(key, value, duration => ReadLameDuckDuration(duration, value.Position));
                return true;
            case "lame_duck_grace_period":
                _reader.DurationText(key, value, period => ReadLameDuckGracePeriod(period, value.Position));
                return true;
            default:
                return false;
        }
    }

    private bool ReadLogging(string key, ConfigValue value)
    {
        switch (key)
        {
            case "debug":
                _reader.Boolean(key, value, on => Log(log => log with { Debug = on }));
                return true;
            case "trace":
                _reader.Boolean(key, value, on => Log(log => log with { Trace = on }));
                return true;
            case "trace_verbose":
                _reader.Boolean(key, value, on => Log(log => log with { Trace = on, TraceVerbose = on }));
                return true;
            case "trace_headers":
                _reader.Boolean(key, value, on => Log(log => log with { Trace = on, TraceHeaders = on }));
                return true;
            case "max_traced_msg_len":
                _reader.Integer(key, value, long.MinValue, int.MaxValue, length => Log(log => log with { MaxTracedMessageLength = (int)Math.Max(0, length) }));
                return true;
            case "logtime":
                _reader.Boolean(key, value, on => Log(log => log with { Time = on }));
                return true;
            case "logtime_utc":
                _reader.Boolean(key, value, on => Log(log => log with { TimeInUtc = on }));
                return true;
            case "logfile" or "log_file":
                _reader.Text(key, value, file => Log(log => log with { File = file }));
                return true;
            case "syslog":
                _reader.Boolean(key, value, on => Log(log => log with { Syslog = on }));
                return true;
            case "remote_syslog":
                _reader.Text(key, value, address => Log(log => log with { RemoteSyslog = address.Length == 0 ? null : address }));
                return true;
            case "logfile_size_limit" or "log_size_limit":
                _reader.Integer(key, value, long.MinValue, long.MaxValue, bytes => Log(log => log with { FileSizeLimitBytes = Math.Max(0, bytes) }));
                return true;
            case "logfile_max_num" or "log_max_num":
                _reader.Integer(key, value, long.MinValue, int.MaxValue, count => Log(log => log with { MaxFiles = (int)Math.Max(0, count) }));
                return true;
            default:
                return false;
        }
    }

    private bool ReadOther(string key, ConfigValue value)
    {
        switch (key)
        {
            case "server_name":
                _reader.Text(key, value, name => ReadServerName(name, value.Position));
                return true;
            case "server_tags":
                if (_reader.Texts("tags", value) is { } tags)
                    options.ServerTags = [.. tags.Where(static tag => tag.Length > 0)];
                return true;
            case "server_metadata":
                ReadMetadata(key, value);
                return true;
            case "authorization":
                new AuthorizationBinder(_reader).Read(value, options);
                return true;
            case "auth_throttle":
                new AuthThrottleBinder(_reader).Read(key, value, options);
                return true;
            case "tls":
                options.Tls = new TlsBinder(_reader).Read(value) ?? options.Tls;
                return true;
            case "websocket" or "ws":
                new WebSocketBinder(_reader).Read(key, value, options);
                return true;
            case "leafnodes" or "leaf":
                new LeafNodesBinder(_reader).Read(key, value, options);
                return true;
            case "cluster":
                new ClusterBinder(_reader).Read(key, value, options);
                return true;
            case "allow_non_tls":
                _reader.Boolean(key, value, on => options.AllowNonTls = on);
                return true;
            case "accounts":
                var accounts = new AccountsBinder(_reader);
                _accounts.Add(accounts);
                accounts.Read(key, value, options);
                return true;
            case "mappings" or "maps":
                // For clients that belong to no other account.
                if (!UnsupportedKeys.IsOff(key, value))
                    AccountsBinder.Change(options, Account.GlobalName, account => account.Mappings = new MappingsBinder(_reader).Read(key, value));
                return true;
            case "system_account" or "system":
                if (value.Content is string systemAccount)
                    options.SystemAccount = systemAccount.Length == 0 ? null : systemAccount;
                else
                    findings.Error(value.Position, "system account name must be a string");
                return true;
            case "jetstream":
                new JetStreamBinder(_reader).Read(key, value, options);
                return true;
            case "default_js_domain":
                ReadDefaultDomains(key, value);
                return true;
            case "store_dir" or "storedir":
                new JetStreamBinder(_reader).ReadFolder(key, value, options);
                return true;
            case "no_auth_user":
                _reader.Text(key, value, user => options.Authorization = (options.Authorization ?? new()) with { NoAuthUser = user.Length == 0 ? null : user });
                return true;
            case "no_header_support":
                _reader.Boolean(key, value, on => options.NoHeaderSupport = on);
                return true;
            case "no_fast_producer_stall":
                _reader.Boolean(key, value, on => options.NoFastProducerStall = on);
                return true;
            case "pidfile" or "pid_file":
                _reader.Text(key, value, file => options.PidFile = file);
                return true;
            case "ports_file_dir":
                _reader.Text(key, value, directory => options.PortsFileDirectory = directory);
                return true;
            case "no_system_account" or "no_system" or "no_sys_acc":
                _reader.Boolean(key, value, on => options.NoSystemAccount = on);
                return true;
            case "disable_sublist_cache" or "no_sublist_cache":
                // There is no such shared cache: each batch caches the matches of its own publishers.
                _reader.Boolean(key, value, static _ => { });
                return true;
            case "connect_error_reports" or "reconnect_error_reports":
                // For servers that connect to others.
                _reader.Integer(key, value, long.MinValue, long.MaxValue, static _ => { });
                return true;
            default:
                return false;
        }
    }

    // Zero means the default.
    private void Limit(string key, ConfigValue value, Action<int> set) =>
        _reader.Integer(key, value, 0, int.MaxValue, limit =>
        {
            if (limit > 0)
                set((int)limit);
        });

    private static int Clamp(long count) => (int)Math.Clamp(count, int.MinValue, int.MaxValue);

    private void ReadServerName(string name, ConfigPosition position)
    {
        if (name.Contains(' ', StringComparison.Ordinal))
            findings.Error(position, "server name cannot contain spaces");
        else
            options.ServerName = name.Length == 0 ? null : name;
    }

    private void ReadMetadata(string key, ConfigValue block)
    {
        if (_reader.Map(key, block) is not { } map)
            return;
        var metadata = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in map)
            _reader.Text(name, value, text => metadata[name] = text);
        options.ServerMetadata = metadata;
    }

    private void ReadLameDuckDuration(TimeSpan duration, ConfigPosition position)
    {
        if (duration < MinLameDuckDuration)
            findings.Error(position, $"invalid lame_duck_duration of {GoDuration.Format(duration)}, minimum is 30 seconds");
        else
            options.LameDuckDuration = duration;
    }

    private void ReadLameDuckGracePeriod(TimeSpan period, ConfigPosition position)
    {
        if (period < TimeSpan.Zero)
            findings.Error(position, "invalid lame_duck_grace_period, needs to be positive");
        else
            options.LameDuckGracePeriod = period;
    }

    private void Log(Func<LoggingOptions, LoggingOptions> change) => options.Logging = change(options.Logging);

    private static string AnyIfEmpty(string host) => host.Length == 0 ? "0.0.0.0" : host;

    private static int DefaultIfZero(int port) => port == 0 ? BrokerOptions.DefaultPort : port;
}
