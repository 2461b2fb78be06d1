namespace Postrider.Broker.Configuration;

/// <summary>Turns the <c>websocket</c> block into options.</summary>
internal sealed class WebSocketBinder(ConfigReader reader)
{
    private readonly WebSocketOptions _options = new() { Host = "0.0.0.0", Port = 0 };

    internal void Read(string name, ConfigValue block, BrokerOptions options)
    {
        if (reader.Map(name, block) is not { } map) return;
        foreach (var (key, value) in map)
        {
            var lower = key.ToLowerInvariant();
            if (!ReadAddress(lower, value) && !ReadAdmission(lower, value) && !ReadCredentials(lower, value)) reader.Unknown(key, value);
        }
        // As in nats-server, a block without a port has no effect.
        options.WebSocket = _options.Port == 0 ? null : _options;
        if (options.WebSocket is { Tls: null, NoTls: false } && !reader.Findings.HasErrors)
            reader.Findings.Error(block.Position, "websocket requires TLS configuration");
    }

    private bool ReadAddress(string key, ConfigValue value)
    {
        switch (key)
        {
            case "advertise":
                reader.Text(key, value, text => _options.Advertise = text);
                return true;
            case "tls":
                _options.Tls = new TlsBinder(reader).Read(value);
                return true;
            case "no_tls":
                reader.Boolean(key, value, on => _options.NoTls = on);
                return true;
            case "compress" or "compression":
                reader.Boolean(key, value, on => _options.Compression = on);
                return true;
            default:
                return reader.TryAddress(key, value, host => _options.Host = host, port => _options.Port = port);
        }
    }

    private bool ReadAdmission(string key, ConfigValue value)
    {
        switch (key)
        {
            case "same_origin":
                reader.Boolean(key, value, on => _options.SameOrigin = on);
                return true;
            case "allowed_origins" or "allowed_origin" or "allow_origins" or "allow_origin" or "origins" or "origin":
                if (reader.Texts("allowed origins", value) is { } origins) _options.AllowedOrigins = origins;
                return true;
            case "handshake_timeout":
                ReadHandshakeTimeout(key, value);
                return true;
            case "headers":
                ReadHeaders(key, value);
                return true;
            case "ping_interval":
                reader.Duration(key, value, interval => _options.PingInterval = interval);
                return true;
            default:
                return false;
        }
    }

    private bool ReadCredentials(string key, ConfigValue value)
    {
        switch (key)
        {
            case "authorization" or "authentication":
                ReadAuthorization(key, value);
                return true;
            case "jwt_cookie":
                reader.Text(key, value, name => _options.JwtCookie = name);
                return true;
            case "user_cookie":
                reader.Text(key, value, name => _options.UserCookie = name);
                return true;
            case "pass_cookie":
                reader.Text(key, value, name => _options.PasswordCookie = name);
                return true;
            case "token_cookie":
                reader.Text(key, value, name => _options.TokenCookie = name);
                return true;
            case "no_auth_user":
                reader.Text(key, value, user => _options.NoAuthUser = user);
                return true;
            default:
                return false;
        }
    }

    // Zero leaves the default.
    private void ReadHandshakeTimeout(string key, ConfigValue value)
    {
        Action<TimeSpan> set = timeout => _options.HandshakeTimeout = timeout > TimeSpan.Zero ? timeout : _options.HandshakeTimeout;
        if (value.Content is long && ConfigReader.Seconds(value) is { } seconds) set(seconds);
        else reader.DurationText(key, value, set);
    }

    private void ReadHeaders(string key, ConfigValue block)
    {
        if (reader.Map(key, block) is not { } map) return;
        var headers = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in map) reader.Text(name, value, text => headers[name] = text);
        _options.Headers = headers;
    }

    private void ReadAuthorization(string name, ConfigValue block)
    {
        if (reader.Map(name, block) is not { } map) return;
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "user" or "username":
                    reader.Text(key, value, text => _options.User = text);
                    break;
                case "pass" or "password":
                    reader.Text(key, value, text => _options.Password = text);
                    break;
                case "token":
                    reader.Text(key, value, text => _options.Token = text);
                    break;
                case "timeout":
                    ReadTimeout(key, value);
                    break;
                default:
                    reader.Unknown(key, value);
                    break;
            }
        }
    }

    private void ReadTimeout(string key, ConfigValue value)
    {
        if (value.Content is long or double && ConfigReader.Seconds(value) is { } seconds) _options.AuthTimeout = seconds > TimeSpan.Zero ? seconds : null;
        else reader.WrongKind(key, value, "a number of seconds");
    }
}
