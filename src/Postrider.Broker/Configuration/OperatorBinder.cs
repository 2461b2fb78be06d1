using Postrider.Credentials;

namespace Postrider.Broker.Configuration;

/// <summary>Reads the keys of operator mode: the trusted operators and where accounts are looked up.</summary>
/// <remarks>The texts are nats-server's where it has one. Source: nats-server, configuration.</remarks>
internal sealed class OperatorBinder(ConfigReader reader)
{
    // The beginning of every token: {" in base64.
    private const string TokenPrefix = "eyJ";

    private static readonly HashSet<string> Keys = new[]
    {
        "operator", "operators", "root", "roots", "root_operator", "root_operators", "resolver", "account_resolver", "accounts_resolver",
        "resolver_tls", "resolver_preload", "resolver_pinned_accounts", "trusted", "trusted_keys", "default_sentinel",
    }.ToHashSet(StringComparer.Ordinal);

    private readonly OperatorModeOptions _mode = new();
    private UrlResolverOptions? _tls;
    private bool _hasResolver;

    /// <summary>Whether this class reads a key.</summary>
    internal static bool Reads(string key) => Keys.Contains(key);

    internal void Read(string key, ConfigValue value)
    {
        switch (key)
        {
            case "resolver" or "account_resolver" or "accounts_resolver":
                _hasResolver = true;
                _mode.Resolver = new ResolverBinder(reader).Read(value);
                break;
            case "resolver_tls":
                _tls = new ResolverBinder(reader).ReadTls(key, value);
                break;
            case "resolver_preload":
                ReadPreload(value);
                break;
            case "resolver_pinned_accounts":
                _mode.PinnedAccounts = ReadNames("resolver_pinned_accounts", value) ?? _mode.PinnedAccounts;
                break;
            case "trusted" or "trusted_keys":
                ReadTrusted(value);
                break;
            case "default_sentinel":
                reader.Text(key, value, text => _mode.DefaultSentinel = text.Length == 0 ? null : text);
                break;
            default:
                ReadOperators(value);
                break;
        }
    }

    /// <summary>Applies the keys once the whole file has been read: they may come in any order.</summary>
    internal void Complete(BrokerOptions options)
    {
        var operators = reader.Findings.HasErrors ? [] : _mode.ReadOperators();
        // A single operator's token names the resolver and the system account, unless the file does.
        if (operators is [var only])
        {
            if (!_hasResolver && only.AccountServerUrl is { Length: > 0 } server && Uri.TryCreate(server + "/accounts", UriKind.Absolute, out var url))
                _mode.Resolver = new UrlResolverOptions { Url = url };
            if (string.IsNullOrEmpty(options.SystemAccount) && only.SystemAccount is { Length: > 0 } system) options.SystemAccount = system;
        }
        if (_tls is not null && _mode.Resolver is UrlResolverOptions remote)
            _mode.Resolver = remote with { CaFile = _tls.CaFile, CertFile = _tls.CertFile, KeyFile = _tls.KeyFile };
        options.OperatorMode = _mode;
    }

    private void ReadOperators(ConfigValue value)
    {
        List<ConfigValue> entries = [];
        if (value.Content is string) entries.Add(value);
        else if (value.Content is List<ConfigValue> list) entries = list;
        else reader.Findings.Error(value.Position, $"error parsing operators: unsupported type {GoTypeName.Of(value)}");
        var tokens = new List<string>();
        foreach (var entry in entries)
        {
            if (entry.Content is not string text)
            {
                reader.Findings.Error(value.Position, $"error parsing operators: unsupported type {GoTypeName.Of(entry)} where string is expected");
                break;
            }
            if (ReadOperator(text, out var problem) is { } token) tokens.Add(token);
            else reader.Findings.Error(value.Position, $"error parsing operator JWT: {problem}");
        }
        _mode.Operators = tokens;
    }

    // A file, or the token itself.
    private static string? ReadOperator(string text, out string? problem)
    {
        var token = text;
        try
        {
            if (File.Exists(text) || !text.StartsWith(TokenPrefix, StringComparison.Ordinal)) token = Undecorated(PemFiles.Read(text));
            NatsJwt.DecodeAnyTime<OperatorClaims>(token);
            problem = null;
            return token;
        }
        catch (Exception error) when (error is TlsFileException or CredentialsException)
        {
            problem = error.Message;
            return null;
        }
    }

    private void ReadPreload(ConfigValue value)
    {
        if (value.Content is not ConfigMap map)
        {
            reader.Findings.Error(value.Position, "preload should be a map of account_public_key:account_jwt");
            return;
        }
        var preloaded = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var (key, entry) in map)
        {
            if (entry.Content is not string text) reader.Findings.Error(entry.Position, "preload map value should be a string JWT");
            else if (!IsAccount(text)) reader.Findings.Error(entry.Position, "invalid account JWT");
            else preloaded[key] = text;
        }
        _mode.PreloadedAccounts = preloaded;
    }

    private void ReadTrusted(ConfigValue value)
    {
        _mode.TrustedKeys = ReadNames("trusted", value) ?? _mode.TrustedKeys;
        foreach (var key in _mode.TrustedKeys.Where(static key => !PublicNkey.IsValid(key, NkeyKind.Operator)))
            reader.Findings.Error(value.Position, $"trust key {GoQuote.Quote(key)} required to be a valid public operator nkey");
    }

    private List<string>? ReadNames(string what, ConfigValue value)
    {
        if (value.Content is string single) return [single];
        if (value.Content is not List<ConfigValue> list)
        {
            reader.Findings.Error(value.Position, $"error parsing {what}: unsupported type {GoTypeName.Of(value)}");
            return null;
        }
        var names = new List<string>();
        foreach (var entry in list)
        {
            if (entry.Content is string name) names.Add(name);
            else reader.Findings.Error(entry.Position, $"error parsing {what}: unsupported type in array {GoTypeName.Of(entry)}");
        }
        return names;
    }

    private static bool IsAccount(string token)
    {
        try
        {
            NatsJwt.DecodeAnyTime<AccountClaims>(token);
            return true;
        }
        catch (CredentialsException)
        {
            return false;
        }
    }

    // The line between the markers of a decorated file, or the whole of an undecorated one.
    private static string Undecorated(string text)
        => text.Split('\n').Select(static line => line.Trim()).FirstOrDefault(static line => line.StartsWith(TokenPrefix, StringComparison.Ordinal)) ?? text.Trim();
}
