using Postrider.Broker;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Configuration;

/// <summary>The keys of operator mode. The texts are nats-server 2.15.1's where it has one.</summary>
public sealed class OperatorBinderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-operator-").FullName;
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _system = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _account = NkeyPair.Create(NkeyKind.Account);

    public static TheoryData<string, string> Refused => new()
    {
        { "operator: NONE", "1:1: error parsing operator JWT: open NONE: no such file or directory" },
        { "operator: 5", "1:1: error parsing operators: unsupported type int64" },
        { "operator: { a: b }", "1:1: error parsing operators: unsupported type map[string]interface {}" },
        { "operators: [5]", "1:1: error parsing operators: unsupported type int64 where string is expected" },
        { "operator: ACCOUNTJWT", "1:1: error parsing operator JWT: The token has account claims, OperatorClaims were expected." },
        { "trusted: abc", "1:1: trust key \"abc\" required to be a valid public operator nkey" },
        { "trusted_keys: 5", "1:1: error parsing trusted: unsupported type int64" },
        { "trusted_keys: [5]", "1:16: error parsing trusted: unsupported type in array int64" },
        { "resolver: 5", "1:1: error parsing operator resolver, wrong type int64" },
        { "resolver: foo", "1:1: error parsing account resolver, should be MEM or  URL(\"url\") or a map containing dir and type state=[FULL|CACHE])" },
        { "resolver: { type: foo }", "1:1: error parsing account resolver, should be MEM or  URL(\"url\") or a map containing dir and type state=[FULL|CACHE])" },
        { "resolver: URL(foo)", "1:1: error parsing account resolver url [\"foo\"]" },
        { "resolver: { type: full }", "1:1: dir has no value and needs to point to a directory" },
        { "resolver: { type: full, dir: FILE }", "1:1: dir needs to point to an accessible directory" },
        { "resolver: { type: full, dir: d, ttl: \"1h\" }", "1:1: FULL does not accept ttl" },
        { "resolver: { type: full, dir: d, hard_delete: true }", "1:1: hard_delete has no effect without delete" },
        { "resolver: { type: cache, dir: d, interval: \"1h\" }", "1:1: CACHE does not accept sync" },
        { "resolver: { type: cache, dir: d, allow_delete: true }", "1:1: CACHE does not accept allow_delete" },
        { "resolver: { type: cache, dir: d, hard_delete: true }", "1:1: CACHE does not accept hard_delete" },
        { "resolver: { type: full, dir: d, timeout: \"0s\" }", "1:33: Fetch timeout 0s is too smal" },
        { "resolver_preload: 5", "1:1: preload should be a map of account_public_key:account_jwt" },
        { "resolver_preload: { a: 5 }", "1:21: preload map value should be a string JWT" },
        { "resolver_preload: { a: abc }", "1:21: invalid account JWT" },
        { "resolver_pinned_accounts: 5", "1:1: error parsing resolver_pinned_accounts: unsupported type int64" },
        { "resolver_pinned_accounts: [5]", "1:28: error parsing resolver_pinned_accounts: unsupported type in array int64" },
        { "resolver_tls: { cert_file: a }", "1:1: missing 'key_file' in TLS configuration" },
        { "resolver_tls: { foo: a }", "1:17: error parsing tls config, unknown field \"foo\"" },
    };

    public static TheoryData<string, string> Conflicts => new()
    {
        { "operator: OPERATORJWT", "operators require an account resolver to be configured" },
        { "operator: OPERATORJWT\nresolver: MEMORY\nauthorization { users: [{user: a, password: b}] }", "operators do not allow users to be configured directly" },
        { "operator: OPERATORJWT\nresolver: MEMORY\naccounts { A {} }", "operators do not allow Accounts to be configured directly" },
        { "operator: OPERATORJWT\nresolver: MEMORY\nno_auth_user: a", "no_auth_user not compatible with Trusted Operator" },
        { "operator: OPERATORJWT\nresolver: MEMORY\ntrusted: OPERATORKEY", "conflicting options for 'TrustedKeys' and 'TrustedOperators'" },
        { "operator: OPERATORJWT\nresolver: MEMORY\nsystem_account: ACCOUNTKEY", "system_account in config and operator JWT must be identical" },
        { "operator: PLAINJWT\nresolver: { type: full, dir: d }", "using nats based account resolver - the system account needs to be specified in configuration or the operator jwt" },
        { "operator: NEWERJWT\nresolver: MEMORY", "expected major version 3 > server major version 2" },
        { "operator: OPERATORJWT\nresolver: MEMORY\nresolver_pinned_accounts: abc", "pinned account key \"abc\" is not a valid public account nkey" },
        { "operator: OPERATORJWT\nresolver: URL(http://127.0.0.1:1/)\nresolver_preload { ACCOUNTKEY: ACCOUNTJWT }", "resolver preloads only available for writeable resolver types MEM/DIR/CACHE_DIR" },
        { "default_sentinel: x", "default sentinel requires operators and accounts" },
        { "operator: OPERATORJWT\nresolver: MEMORY\ndefault_sentinel: x", "default sentinel JWT not valid" },
    };

    public void Dispose()
    {
        Directory.Delete(_folder, recursive: true);
        _operator.Dispose();
        _system.Dispose();
        _account.Dispose();
    }

    [Theory]
    [MemberData(nameof(Refused))]
    public void What_is_wrong_is_told_with_its_place(string text, string error)
    {
        var refusal = Assert.Throws<BrokerException>(() => Apply(text));

        Assert.Contains($"x.conf:{error}", Hide(refusal.Message), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Conflicts))]
    public void What_does_not_go_together_is_refused(string text, string error)
    {
        var options = Apply(text);

        var refusal = Assert.Throws<BrokerException>(options.Validate);

        Assert.EndsWith(error, refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("operator: OPERATORJWT")]
    [InlineData("operators: [OPERATORJWT]")]
    [InlineData("root: OPERATORFILE")]
    [InlineData("operator: DECORATEDFILE")]
    public void Operator_is_a_token_or_a_file_and_names_the_system_account(string text)
    {
        var options = Apply(text + "\nresolver: MEMORY");

        Assert.Equal([_operator.PublicKey], options.OperatorMode!.ReadOperators().Select(static claims => claims.Subject));
        Assert.Equal(_system.PublicKey, options.SystemAccount);
        options.Validate();
    }

    [Fact]
    public void Operator_names_the_address_of_its_accounts()
    {
        var options = Apply("operator: SERVERJWT");

        Assert.Equal("https://accounts.example/jwt/v1/accounts", Assert.IsType<UrlResolverOptions>(options.OperatorMode!.Resolver).Url.AbsoluteUri);
    }

    [Fact]
    public void Resolvers_are_read()
    {
        Assert.IsType<MemoryResolverOptions>(Read("mem"));
        Assert.Equal(new UrlResolverOptions { Url = new Uri("http://localhost:9090/jwt/v1/accounts/") }, Read("URL(http://localhost:9090/jwt/v1/accounts/)"));
        Assert.Equal(
            new FullResolverOptions { Directory = "d", AllowDelete = true, HardDelete = true, Limit = 7, Interval = TimeSpan.FromMinutes(2), Timeout = TimeSpan.FromSeconds(3) },
            Read("{ type: full, dir: d, allow_delete: true, hard_delete: true, limit: 7, interval: \"2m\", timeout: \"3s\" }"));
        Assert.Equal(
            new CacheResolverOptions { Directory = "d", Limit = 7, TimeToLive = TimeSpan.FromHours(1), Timeout = TimeSpan.FromSeconds(1.9) }, Read("{ type: CACHE, dir: d, limit: 7, ttl: \"1h\" }"));

        AccountResolverOptions? Read(string text) => Apply("resolver: " + text).OperatorMode!.Resolver;
    }

    [Fact]
    public void Rest_is_read()
    {
        var options = Apply("trusted: [OPERATORKEY]\nresolver: URL(https://a.example)\nresolver_tls { ca_file: ca }\nresolver_pinned_accounts: [ACCOUNTKEY]\nresolver_preload { ACCOUNTKEY: ACCOUNTJWT }");

        var mode = options.OperatorMode!;
        Assert.Equal([_operator.PublicKey], mode.TrustedKeys);
        Assert.Equal("ca", Assert.IsType<UrlResolverOptions>(mode.Resolver).CaFile);
        Assert.Equal([_account.PublicKey], mode.PinnedAccounts);
        Assert.Equal([_account.PublicKey], mode.PreloadedAccounts.Keys);
    }

    private BrokerOptions Apply(string text)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = Fill(text) } });
        return options;
    }

    private string Fill(string text)
    {
        var claims = new OperatorClaims { Subject = _operator.PublicKey, SystemAccount = _system.PublicKey };
        var token = claims.Encode(_operator);
        return text.Replace("OPERATORJWT", token, StringComparison.Ordinal)
            .Replace("PLAINJWT", (claims with { SystemAccount = null }).Encode(_operator), StringComparison.Ordinal)
            .Replace("NEWERJWT", (claims with { MinServerVersion = "3.0.0" }).Encode(_operator), StringComparison.Ordinal)
            .Replace("SERVERJWT", (claims with { AccountServerUrl = "https://accounts.example/jwt/v1" }).Encode(_operator), StringComparison.Ordinal)
            .Replace("OPERATORFILE", Write("plain.jwt", token), StringComparison.Ordinal)
            .Replace("DECORATEDFILE", Write("decorated.jwt", $"-----BEGIN NATS OPERATOR JWT-----\n{token}\n------END NATS OPERATOR JWT------\n"), StringComparison.Ordinal)
            .Replace("FILE", Write("file", ""), StringComparison.Ordinal)
            .Replace("OPERATORKEY", _operator.PublicKey, StringComparison.Ordinal)
            .Replace("ACCOUNTKEY", _account.PublicKey, StringComparison.Ordinal)
            .Replace("ACCOUNTJWT", new AccountClaims { Subject = _account.PublicKey }.Encode(_operator), StringComparison.Ordinal);
    }

    private string Write(string name, string text)
    {
        var path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }

    private string Hide(string message) => message.Replace(_folder, "", StringComparison.Ordinal);
}
