using System.Net.Security;
using System.Security.Authentication;

namespace Postrider.Broker.Configuration;

/// <summary>Turns the <c>tls</c> block into options, and reads the files that it names to report problems with them.</summary>
internal sealed class TlsBinder(ConfigReader reader)
{
    private static readonly TimeSpan AutoFallback = TimeSpan.FromMilliseconds(50);

    // Settings of other parts of nats-server that this broker does not have.
    private static readonly HashSet<string> Unsupported = new[]
    {
        "cert_store", "cert_match_by", "cert_match", "ca_certs_match", "cert_match_skip_invalid", "ocsp_peer", "verify_cert_and_check_known_urls",
    }.ToHashSet(StringComparer.Ordinal);

    private static readonly HashSet<string> Curves = new[] { "CurveP256", "CurveP384", "CurveP521", "X25519", "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024" }
        .ToHashSet(StringComparer.Ordinal);

    private static readonly TlsCipherSuite[] SuitesOfTls13 =
        [TlsCipherSuite.TLS_AES_128_GCM_SHA256, TlsCipherSuite.TLS_AES_256_GCM_SHA384, TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256];

    private ServerTlsOptions _tls = new();
    private bool _allowsInsecureSuites;

    /// <summary>Reads the block.</summary>
    /// <returns>Null when it disables TLS or is not a block.</returns>
    internal ServerTlsOptions? Read(ConfigValue block)
    {
        if (block.Content is false || reader.Map("tls", block) is not { } map)
            return null;
        foreach (var (key, value) in map)
        {
            var name = key.ToLowerInvariant();
            if (ReadFiles(name, value) || ReadDemands(name, value) || ReadProtocol(name, value))
                continue;
            if (!Unsupported.Contains(name))
                Error(value, $"error parsing tls config, unknown field {GoQuote.Quote(key)}");
            else if (!UnsupportedKeys.IsOff(value))
                Error(value, $"{GoQuote.Quote(key)} is not supported");
        }
        CheckSuites(map);
        if (!reader.Findings.HasErrors && TlsMaterial.Load(_tls, out var problem) is null)
            reader.Findings.Error(PositionOf(map, problem!, block), problem!);
        return _tls;
    }

    private bool ReadFiles(string key, ConfigValue value)
    {
        switch (key)
        {
            case "cert_file":
                File(key, value, file => _tls = _tls with { CertFile = file });
                return true;
            case "key_file":
                File(key, value, file => _tls = _tls with { KeyFile = file });
                return true;
            case "ca_file":
                File(key, value, file => _tls = _tls with { CaFile = file });
                return true;
            case "certs" or "certificates":
                ReadPairs(value);
                return true;
            default:
                return false;
        }
    }

    private bool ReadDemands(string key, ConfigValue value)
    {
        switch (key)
        {
            case "verify":
                Boolean(key, value, on => _tls = _tls with { Verify = on });
                return true;
            case "verify_and_map":
                Boolean(key, value, on => _tls = _tls with { VerifyAndMap = on });
                return true;
            case "insecure":
                // For connections to other servers: a listener has nothing to skip.
                Boolean(key, value, static _ => { });
                return true;
            case "pinned_certs":
                ReadPins(value);
                return true;
            case "connection_rate_limit":
                if (value.Content is long limit) _tls = _tls with { ConnectionRateLimit = Math.Max(0, limit) };
                else Error(value, "error parsing tls config, 'connection_rate_limit' wrong type");
                return true;
            default:
                return false;
        }
    }

    private bool ReadProtocol(string key, ConfigValue value)
    {
        switch (key)
        {
            case "timeout":
                ReadTimeout(value);
                return true;
            case "min_version":
                ReadVersion(value);
                return true;
            case "handshake_first" or "first" or "immediate":
                ReadHandshakeFirst(key, value);
                return true;
            case "cipher_suites":
                ReadSuites(value);
                return true;
            case "curve_preferences":
                ReadCurves(value);
                return true;
            case "allow_insecure_cipher_suites":
                Boolean(key, value, on => _allowsInsecureSuites = on);
                return true;
            default:
                return false;
        }
    }

    private void ReadPairs(ConfigValue value)
    {
        if (value.Content is not List<ConfigValue> entries)
        {
            Error(value, $"error parsing certificates config: unsupported type {value.KindName}");
            return;
        }
        var pairs = new List<CertificateFilePair>();
        foreach (var entry in entries)
        {
            if (entry.Content is not ConfigMap map)
            {
                Error(entry, $"error parsing certificates config: unsupported type {entry.KindName}");
                continue;
            }
            var pair = new CertificateFilePair("", "");
            foreach (var (key, file) in map)
            {
                if (file.Content is not string path) Error(file, $"error parsing certificates config: unsupported type {file.KindName}");
                else if (key is "cert_file") pair = pair with { CertFile = path };
                else if (key is "key_file") pair = pair with { KeyFile = path };
                else Error(file, $"error parsing tls certs config, unknown field {GoQuote.Quote(key)}");
            }
            if (pair.CertFile.Length == 0 || pair.KeyFile.Length == 0) Error(entry, "error parsing certificates config: both 'cert_file' and 'cert_key' options are required");
            else pairs.Add(pair);
        }
        _tls = _tls with { CertificateFiles = pairs };
    }

    private void ReadPins(ConfigValue value)
    {
        if (value.Content is not List<ConfigValue> entries)
        {
            Error(value, "error parsing tls config, expected 'pinned_certs' to be a list of hex-encoded sha256 of DER encoded SubjectPublicKeyInfo");
            return;
        }
        var pins = new List<string>();
        foreach (var entry in entries)
        {
            var pin = entry.Content is string text ? text.ToLowerInvariant() : "";
            if (TlsMaterial.FindPinProblem(pin) is { } problem) Error(entry, problem);
            else pins.Add(pin);
        }
        _tls = _tls with { PinnedCertificates = pins };
    }

    private void ReadTimeout(ConfigValue value)
    {
        TimeSpan? timeout = null;
        if (value.Content is long or double) timeout = ConfigReader.Seconds(value);
        else if (value.Content is not string text) Error(value, "error parsing tls config, 'timeout' wrong type");
        else if (GoDuration.TryParse(text, out var duration, out var error)) timeout = duration;
        else Error(value, $"error parsing tls config, 'timeout' {error}");
        // Zero leaves the default, as in nats-server.
        if (timeout is { } chosen && chosen != TimeSpan.Zero) _tls = _tls with { Timeout = chosen };
    }

    private void ReadVersion(ConfigValue value)
    {
        switch (value.Content)
        {
            case "1.2":
                _tls = _tls with { MinVersion = SslProtocols.Tls12 };
                break;
            case "1.3":
                _tls = _tls with { MinVersion = SslProtocols.Tls13 };
                break;
            case "1.0" or "1.1":
                Error(value, $"error parsing tls config: unsupported TLS version: TLS {value.Content}");
                break;
            case string other:
                Error(value, $"error parsing tls config: unknown version: {other}");
                break;
            default:
                Error(value, $"error parsing tls config: 'min_version' wrong type: {value.Content}");
                break;
        }
    }

    private void ReadHandshakeFirst(string key, ConfigValue value)
    {
        switch (value.Content)
        {
            case bool on:
                _tls = _tls with { HandshakeFirst = on };
                break;
            case string text when text.ToUpperInvariant() is "TRUE" or "ON":
                _tls = _tls with { HandshakeFirst = true };
                break;
            case string text when text.ToUpperInvariant() is "FALSE" or "OFF":
                break;
            case string text when text.ToUpperInvariant() is "AUTO" or "AUTO_FALLBACK":
                _tls = _tls with { HandshakeFirst = true, HandshakeFirstFallback = AutoFallback };
                break;
            case string text when GoDuration.TryParse(text, out var fallback, out _):
                _tls = _tls with { HandshakeFirst = true, HandshakeFirstFallback = fallback };
                break;
            case string text:
                Error(value, $"field {GoQuote.Quote(key)}'s value {GoQuote.Quote(text)} is invalid");
                break;
            default:
                Error(value, $"field {GoQuote.Quote(key)} should be a boolean or a string, got {value.KindName}");
                break;
        }
    }

    private void ReadSuites(ConfigValue value)
    {
        var suites = new List<TlsCipherSuite>();
        foreach (var (entry, name) in Names("cipher_suites", value))
        {
            if (name.StartsWith("TLS_", StringComparison.Ordinal) && Enum.TryParse<TlsCipherSuite>(name, out var suite)) suites.Add(suite);
            else Error(entry, $"unrecognized cipher {name}");
        }
        // In nats-server a list only applies to TLS 1.2.
        _tls = _tls with { CipherSuites = [.. suites.Union(SuitesOfTls13)] };
    }

    private void ReadCurves(ConfigValue value)
    {
        foreach (var (entry, name) in Names("curve_preferences", value))
        {
            if (!Curves.Contains(name)) Error(entry, $"unrecognized curve preference {name}");
        }
        // Accepting the list without effect would mislead those who must not use the other curves.
        Error(value, "\"curve_preferences\" is not supported: the system's TLS library chooses the curve");
    }

    private IEnumerable<(ConfigValue Entry, string Name)> Names(string key, ConfigValue value)
    {
        if (value.Content is not List<ConfigValue> { Count: > 0 } entries)
        {
            Error(value, $"error parsing tls config, '{key}' cannot be empty");
            yield break;
        }
        foreach (var entry in entries)
        {
            if (entry.Content is string name) yield return (entry, name);
            else Error(entry, $"error parsing tls config, '{key}' expects strings, got {entry.KindName}");
        }
    }

    private void CheckSuites(ConfigMap map)
    {
        var insecure = _tls.CipherSuites.Select(static suite => suite.ToString()).Where(IsInsecure).ToList();
        if (_allowsInsecureSuites || insecure.Count == 0) return;
        var position = map.First(static pair => pair.Key.Equals("cipher_suites", StringComparison.OrdinalIgnoreCase)).Value;
        Error(position, $"insecure cipher suites configured without 'allow_insecure_cipher_suites' option set: {string.Join(", ", insecure)}");
    }

    // Go's definition: no forward secrecy, RC4, 3DES, or CBC with SHA-256.
    private static bool IsInsecure(string suite)
        => suite.StartsWith("TLS_RSA_", StringComparison.Ordinal)
            || suite.Contains("_RC4_", StringComparison.Ordinal)
            || suite.Contains("_3DES_", StringComparison.Ordinal)
            || suite.EndsWith("_CBC_SHA256", StringComparison.Ordinal);

    // The key whose file is invalid, if the message names the file.
    private ConfigPosition PositionOf(ConfigMap map, string problem, ConfigValue block)
    {
        var key = _tls.CaFile is { Length: > 0 } ca && (problem.StartsWith($"open {ca}", StringComparison.Ordinal) || problem.Contains("root ca", StringComparison.Ordinal)) ? "ca_file"
            : _tls.KeyFile is { Length: > 0 } keyFile && problem.Contains(keyFile, StringComparison.Ordinal) ? "key_file"
            : problem.StartsWith("error parsing X509", StringComparison.Ordinal) ? "cert_file"
            : "";
        return map.FirstOrDefault(pair => pair.Key.Equals(key, StringComparison.OrdinalIgnoreCase)).Value?.Position ?? block.Position;
    }

    private void File(string key, ConfigValue value, Action<string> set)
    {
        if (value.Content is string file) set(file);
        else Error(value, $"error parsing tls config, expected '{key}' to be filename");
    }

    private void Boolean(string key, ConfigValue value, Action<bool> set)
    {
        if (value.Content is bool on) set(on);
        else Error(value, $"error parsing tls config, expected '{key}' to be a boolean");
    }

    private void Error(ConfigValue value, string text) => reader.Findings.Error(value.Position, text);
}
