namespace Postrider.Broker.Configuration;

/// <summary>Turns the <c>leafnodes</c> block into options.</summary>
internal sealed class LeafNodesBinder(ConfigReader reader)
{
    private readonly LeafNodeOptions _options = new() { Host = "0.0.0.0" };

    internal void Read(string name, ConfigValue block, BrokerOptions options)
    {
        if (UnsupportedKeys.IsOff(name, block)) return;
        if (reader.Map(name, block) is not { } map) return;
        foreach (var (key, value) in map)
        {
            var lower = key.ToLowerInvariant();
            if (!ReadAddress(lower, value) && !ReadOther(lower, value)) reader.Unknown(key, value);
        }
        // As in nats-server, a port of 0 does not listen.
        if (_options.Port == 0) _options.Port = null;
        options.LeafNodes = _options.Port is null && _options.Remotes.Count == 0 ? null : _options;
    }

    private bool ReadAddress(string key, ConfigValue value)
    {
        switch (key)
        {
            case "leafnode_advertise" or "advertise":
                reader.Text(key, value, text => _options.Advertise = text.Length == 0 ? null : text);
                return true;
            case "no_advertise":
                reader.Boolean(key, value, on => _options.NoAdvertise = on);
                return true;
            case "tls":
                _options.Tls = new TlsBinder(reader).Read(value);
                return true;
            case "authorization":
                ReadAuthorization(key, value);
                return true;
            default:
                return reader.TryAddress(key, value, host => _options.Host = host, port => _options.Port = port);
        }
    }

    private bool ReadOther(string key, ConfigValue value)
    {
        switch (key)
        {
            case "remotes":
                _options.Remotes = new LeafRemotesBinder(reader).Read(value);
                return true;
            case "reconnect" or "reconnect_delay" or "reconnect_interval":
                reader.Duration(key, value, interval => _options.ReconnectInterval = interval == TimeSpan.Zero ? _options.ReconnectInterval : interval);
                return true;
            case "dial_timeout":
                reader.Duration(key, value, timeout => _options.DialTimeout = timeout == TimeSpan.Zero ? _options.DialTimeout : timeout);
                return true;
            case "min_version" or "minimum_version":
                reader.Text(key, value, version => ReadMinVersion(version, value));
                return true;
            case "isolate_leafnode_interest" or "isolate":
                reader.Boolean(key, value, on => _options.Isolate = on);
                return true;
            case "write_deadline":
                reader.Duration(key, value, deadline => _options.WriteDeadline = deadline == TimeSpan.Zero ? null : deadline);
                return true;
            case "compression":
                new ServerCompressionBinder(reader, ServerCompressionMode.S2Auto).Read(key, value, compression => _options.Compression = compression);
                return true;
            case "write_timeout":
                reader.WriteTimeout(key, value, policy => _options.WriteTimeout = policy);
                return true;
            default:
                return false;
        }
    }

    private void ReadMinVersion(string version, ConfigValue value)
    {
        if (LeafNodeOptionsValidator.MinVersionProblem(version) is { } problem) reader.Findings.Error(value.Position, problem);
        else _options.MinVersion = version;
    }

    private void ReadAuthorization(string name, ConfigValue block)
    {
        if (reader.Map(name, block) is not { } map) return;
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "user" or "username":
                    reader.Text(key, value, text => _options.User = text.Length == 0 ? null : text);
                    break;
                case "pass" or "password":
                    reader.Text(key, value, text => _options.Password = text);
                    break;
                case "nkey":
                    reader.Text(key, value, text => _options.Nkey = text);
                    break;
                case "account":
                    reader.Text(key, value, text => _options.Account = text.Length == 0 ? null : text);
                    break;
                case "timeout":
                    reader.Timeout(key, value, timeout => _options.AuthTimeout = timeout);
                    break;
                case "users":
                    _options.Users = ReadUsers(value);
                    break;
                case "proxy_required" when UnsupportedKeys.IsOff(value):
                    break;
                case "proxy_required":
                    reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} is not supported yet");
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
    }

    private List<LeafUserOptions> ReadUsers(ConfigValue value)
    {
        var users = new List<LeafUserOptions>();
        if (value.Content is not List<ConfigValue> entries)
        {
            reader.Findings.Error(value.Position, $"Expected users field to be an array, got {value.KindName}");
            return users;
        }
        foreach (var entry in entries)
        {
            if (entry.Content is not ConfigMap map)
            {
                reader.Findings.Error(entry.Position, $"Expected user entry to be a map/struct, got {entry.KindName}");
                continue;
            }
            var user = new LeafUserOptions { Name = "" };
            foreach (var (key, member) in map)
            {
                switch (key.ToLowerInvariant())
                {
                    case "user" or "username":
                        reader.Text(key, member, text => user.Name = text);
                        break;
                    case "pass" or "password":
                        reader.Text(key, member, text => user.Password = text);
                        break;
                    case "account":
                        reader.Text(key, member, text => user.Account = text.Length == 0 ? null : text);
                        break;
                    case "proxy_required" when UnsupportedKeys.IsOff(member):
                        break;
                    default:
                        reader.Unknown(key, member);
                        break;
                }
            }
            users.Add(user);
        }
        return users;
    }
}
