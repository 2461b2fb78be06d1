namespace Postrider.Broker.Configuration;

/// <summary>Turns <c>leafnodes { remotes }</c> into options.</summary>
internal sealed class LeafRemotesBinder(ConfigReader reader)
{
    private LeafRemoteOptions _remote = new();

    internal List<LeafRemoteOptions> Read(ConfigValue value)
    {
        var remotes = new List<LeafRemoteOptions>();
        if (value.Content is not List<ConfigValue> entries)
        {
            reader.Findings.Error(value.Position, $"Expected remotes field to be an array, got {value.KindName}");
            return remotes;
        }
        foreach (var entry in entries)
        {
            if (entry.Content is not ConfigMap map)
            {
                reader.Findings.Error(entry.Position, $"Expected remote leafnode entry to be a map/struct, got {entry.KindName}");
                continue;
            }
            _remote = new LeafRemoteOptions();
            foreach (var (key, member) in map)
            {
                var lower = key.ToLowerInvariant();
                if (!ReadIdentity(lower, member) && !ReadLimits(lower, member) && !ReadUnsupported(lower, member)) reader.Unknown(key, member);
            }
            remotes.Add(_remote);
        }
        return remotes;
    }

    private bool ReadIdentity(string key, ConfigValue value)
    {
        switch (key)
        {
            case "url" or "urls":
                ReadUrls(value);
                return true;
            case "account" or "local":
                reader.Text(key, value, text => _remote.Account = text.Length == 0 ? null : text);
                return true;
            case "creds" or "credentials":
                if (_remote.NkeySeed is not null) reader.Findings.Error(value.Position, "Remote leafnode can not have both creds and nkey defined");
                else reader.Text(key, value, path => _remote.Credentials = path.Length == 0 ? null : Expand(path));
                return true;
            case "nkey" or "seed":
                reader.Text(key, value, seed => ReadSeed(seed, value));
                return true;
            case "tls":
                _remote.Tls = ReadTls(value);
                return true;
            default:
                return false;
        }
    }

    private bool ReadLimits(string key, ConfigValue value)
    {
        switch (key)
        {
            case "hub":
                reader.Boolean(key, value, on => _remote.Hub = on);
                return true;
            case "deny_imports" or "deny_import":
                _remote.DenyImports = ReadSubjects(key, value);
                return true;
            case "deny_exports" or "deny_export":
                _remote.DenyExports = ReadSubjects(key, value);
                return true;
            case "no_randomize" or "dont_randomize":
                reader.Boolean(key, value, on => _remote.NoRandomize = on);
                return true;
            case "ignore_discovered_servers":
                reader.Boolean(key, value, on => _remote.IgnoreDiscoveredServers = on);
                return true;
            case "first_info_timeout":
                reader.Duration(key, value, timeout => _remote.FirstInfoTimeout = timeout == TimeSpan.Zero ? _remote.FirstInfoTimeout : timeout);
                return true;
            case "dial_timeout":
                reader.Duration(key, value, timeout => _remote.DialTimeout = timeout == TimeSpan.Zero ? null : timeout);
                return true;
            case "isolate_leafnode_interest" or "isolate":
                reader.Boolean(key, value, on => _remote.Isolate = on);
                return true;
            case "request_isolation":
                reader.Boolean(key, value, on => _remote.RequestIsolation = on);
                return true;
            case "disabled":
                reader.Boolean(key, value, on => _remote.Disabled = on);
                return true;
            case "compression":
                new ServerCompressionBinder(reader, ServerCompressionMode.S2Auto).Read(key, value, compression => _remote.Compression = compression);
                return true;
            case "ws_compress" or "ws_compression" or "websocket_compress" or "websocket_compression":
                reader.Boolean(key, value, on => _remote.WebSocketCompression = on);
                return true;
            case "ws_no_masking" or "websocket_no_masking":
                reader.Boolean(key, value, on => _remote.WebSocketNoMasking = on);
                return true;
            default:
                return false;
        }
    }

    // Settings of nats-server for clusters and proxies.
    private bool ReadUnsupported(string key, ConfigValue value)
    {
        var isKnown = key is "jetstream_cluster_migrate" or "js_cluster_migrate" or "proxy";
        if (isKnown && !UnsupportedKeys.IsOff(value)) reader.Findings.Error(value.Position, $"{GoQuote.Quote(key)} is not supported yet");
        return isKnown;
    }

    private void ReadUrls(ConfigValue value)
    {
        if (reader.Texts("leafnode urls", value) is not { } urls) return;
        foreach (var url in urls)
            if (LeafNodeOptionsValidator.UrlProblem(url) is { } problem) reader.Findings.Error(value.Position, problem);
        _remote.Urls = urls;
    }

    private void ReadSeed(string seed, ConfigValue value)
    {
        if (!LeafNodeOptionsValidator.IsUserSeed(seed)) reader.Findings.Error(value.Position, "Remote leafnode nkey is not a valid seed");
        else if (_remote.Credentials is not null) reader.Findings.Error(value.Position, "Remote leafnode can not have both creds and nkey defined");
        else _remote.NkeySeed = seed;
    }

    private IReadOnlyList<string> ReadSubjects(string key, ConfigValue value)
    {
        var subjects = reader.Texts(key, value) ?? [];
        foreach (var subject in subjects)
            if (BrokerOptionsValidator.SubjectProblem(subject, allowQueue: false) is { } problem) reader.Findings.Error(value.Position, problem);
        return subjects;
    }

    private LeafTlsOptions? ReadTls(ConfigValue block)
    {
        if (block.Content is false || reader.Map("tls", block) is not { } map) return null;
        var tls = new LeafTlsOptions();
        foreach (var (key, value) in map)
        {
            switch (key.ToLowerInvariant())
            {
                case "cert_file":
                    reader.Text(key, value, file => tls = tls with { CertFile = file });
                    break;
                case "key_file":
                    reader.Text(key, value, file => tls = tls with { KeyFile = file });
                    break;
                case "ca_file":
                    reader.Text(key, value, file => tls = tls with { CaFile = file });
                    CheckFile(value, tls.CaFile, static file => PemFiles.ReadAuthorities(file));
                    break;
                case "insecure":
                    reader.Boolean(key, value, on => tls = tls with { Insecure = on });
                    break;
                case "handshake_first" or "first" or "immediate":
                    reader.Boolean(key, value, on => tls = tls with { HandshakeFirst = on });
                    break;
                case "verify":
                    // The remote's certificate is always verified, unless "insecure" is set.
                    reader.Boolean(key, value, static _ => { });
                    break;
                case "timeout":
                    reader.Timeout(key, value, timeout => tls = timeout > TimeSpan.Zero ? tls with { Timeout = timeout } : tls);
                    break;
                default:
                    reader.Findings.Error(value.Position, $"error parsing tls config of a leafnode remote, unknown or unsupported field {GoQuote.Quote(key)}");
                    break;
            }
        }
        if (tls is { CertFile: { } certificate, KeyFile: { } own }) CheckFile(block, certificate, file => PemFiles.ReadPair(file, own, ""));
        return tls;
    }

    // The files are read again at each connect; reading them here reports a wrong path at the start.
    private void CheckFile(ConfigValue value, string? file, Action<string> read)
    {
        if (file is null) return;
        try
        {
            read(file);
        }
        catch (TlsFileException error)
        {
            reader.Findings.Error(value.Position, error.Message);
        }
    }

    private static string Expand(string path)
        => path.StartsWith("~/", StringComparison.Ordinal) ? Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), path[2..]) : path;
}
