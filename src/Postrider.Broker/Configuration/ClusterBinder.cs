namespace Postrider.Broker.Configuration;

/// <summary>Turns the <c>cluster</c> block into options.</summary>
internal sealed class ClusterBinder(ConfigReader reader)
{
    private readonly ClusterOptions _options = new() { Host = "0.0.0.0", Port = 0 };
    private RoutePermissionOptions? _authorizationPermissions;

    internal void Read(string name, ConfigValue block, BrokerOptions options)
    {
        if (UnsupportedKeys.IsOff(name, block) || reader.Map(name, block) is not { } map) return;
        foreach (var (key, value) in map)
        {
            var lower = key.ToLowerInvariant();
            if (!ReadAddress(lower, value) && !ReadLimits(lower, value)) reader.Unknown(key, value);
        }
        _options.Permissions ??= _authorizationPermissions;
        // As in nats-server, a port of 0 does not listen, and a name alone does not make a cluster.
        if (_options.Port != 0 || _options.Routes.Count > 0) options.Cluster = _options;
    }

    private bool ReadAddress(string key, ConfigValue value)
    {
        switch (key)
        {
            case "name":
                reader.Text(key, value, text => ReadName(text, value));
                return true;
            case "cluster_advertise" or "advertise":
                reader.Text(key, value, text => _options.Advertise = text.Length == 0 ? null : text);
                return true;
            case "no_advertise":
                reader.Boolean(key, value, on => _options.NoAdvertise = on);
                return true;
            case "routes":
                ReadRoutes(value);
                return true;
            case "tls":
                _options.Tls = new TlsBinder(reader).Read(value);
                return true;
            case "authorization":
                ReadAuthorization(key, value);
                return true;
            case "permissions":
                _options.Permissions = ReadPermissions(value);
                return true;
            default:
                return reader.TryAddress(key, value, host => _options.Host = host, port => _options.Port = port);
        }
    }

    private bool ReadLimits(string key, ConfigValue value)
    {
        switch (key)
        {
            case "connect_retries":
                reader.Integer(key, value, 0, int.MaxValue, retries => _options.ConnectRetries = (int)retries);
                return true;
            case "connect_backoff":
                reader.Boolean(key, value, on => _options.ConnectBackoff = on);
                return true;
            case "pool_size":
                reader.Integer(key, value, ClusterOptions.NoPool, 1000, size => _options.PoolSize = size == 0 ? _options.PoolSize : (int)size);
                return true;
            case "accounts":
                _options.Accounts = reader.Texts("cluster accounts", value) ?? [];
                return true;
            case "ping_interval":
                reader.Duration(key, value, interval => _options.PingInterval = interval == TimeSpan.Zero ? null : interval);
                return true;
            case "ping_max":
                reader.Integer(key, value, 0, int.MaxValue, max => _options.MaxPingsOut = max == 0 ? null : (int)max);
                return true;
            case "write_deadline":
                reader.Duration(key, value, deadline => _options.WriteDeadline = deadline == TimeSpan.Zero ? null : deadline);
                return true;
            case "write_timeout":
                reader.WriteTimeout(key, value, policy => _options.WriteTimeout = policy);
                return true;
            case "compression":
                new ServerCompressionBinder(reader, ServerCompressionMode.S2Fast).Read(key, value, compression => _options.Compression = compression);
                return true;
            default:
                return false;
        }
    }

    private RoutePermissionOptions? ReadPermissions(ConfigValue value)
    {
        var before = reader.Findings.Errors.Count;
        if (new AuthorizationBinder(reader).ReadPermissions(value) is not { } read) return null;
        if (read.Responses is not null) reader.Findings.Error(value.Position, "Cluster permissions do not support dynamic responses");
        var permissions = new RoutePermissionOptions { Import = read.Publish, Export = read.Subscribe };
        // Invalid subjects were reported before; this finds queue groups.
        if (reader.Findings.Errors.Count == before)
            foreach (var problem in ClusterOptionsValidator.PermissionProblems(permissions)) reader.Findings.Error(value.Position, problem);
        return permissions;
    }

    private void ReadName(string text, ConfigValue value)
    {
        if (text.AsSpan().ContainsAny(' ', '\r', '\n')) reader.Findings.Error(value.Position, ClusterOptionsValidator.NameHasSpaces);
        else _options.Name = text.Length == 0 ? null : text;
    }

    private void ReadRoutes(ConfigValue value)
    {
        if (reader.Texts("route urls", value) is not { } urls) return;
        foreach (var url in urls)
            if (!RouteAddress.TryParse(url, out _, out var problem)) reader.Findings.Error(value.Position, problem);
        _options.Routes = urls;
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
                case "timeout":
                    reader.Timeout(key, value, timeout => _options.AuthTimeout = timeout);
                    break;
                case "default_permission" or "default_permissions" or "permissions":
                    reader.Findings.Warn(value.Position, name, "setting \"permissions\" within cluster authorization block is deprecated");
                    _authorizationPermissions = ReadPermissions(value);
                    break;
                case "users":
                    reader.Findings.Error(value.Position, "Cluster authorization does not allow multiple users");
                    break;
                case "token":
                    reader.Findings.Error(value.Position, "Cluster authorization does not support tokens");
                    break;
                case "auth_callout":
                    reader.Findings.Error(value.Position, "Cluster authorization does not support callouts");
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
    }
}
