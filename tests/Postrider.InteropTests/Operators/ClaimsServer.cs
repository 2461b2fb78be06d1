using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>A server whose accounts change while it runs.</summary>
internal sealed class ClaimsServer : IAsyncDisposable
{
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _signer = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _system = NkeyPair.Create(NkeyKind.Account);
    private readonly NkeyPair _admin = NkeyPair.Create(NkeyKind.User);
    private readonly string _folder = Directory.CreateTempSubdirectory("postrider-claims-").FullName;
    private ServerProcess? _server;
    private string _configuration = "";
    private string _head = "";
    private bool _isStrict;

    private ClaimsServer()
    {
        Keys = new TokenKeys(_operator, _signer);
        Account = new AccountClaims { Subject = Keys.Account.PublicKey, Name = "shop", SigningKeys = [new AccountSigningKey(Keys.Signer.PublicKey)] };
    }

    /// <summary>The keys of the operator, of an account and of a user.</summary>
    public TokenKeys Keys { get; }

    /// <summary>The system account's public key.</summary>
    public string SystemAccount => _system.PublicKey;

    /// <summary>The claims of the account that it has from the start.</summary>
    public AccountClaims Account { get; }

    /// <summary>The folder of a resolver with one.</summary>
    public string Folder => Path.Combine(_folder, "jwt");

    /// <summary>The server.</summary>
    public ServerProcess Server => _server!;

    /// <summary>Starts a server.</summary>
    /// <param name="kind">Which one.</param>
    /// <param name="resolver">Its resolver; <c>DIR</c> stands for the folder.</param>
    /// <param name="change">Changes the account that is there from the start.</param>
    /// <param name="isStrict">Whether the operator requires signing keys.</param>
    /// <param name="preloads">Whether the two accounts are preloaded.</param>
    /// <param name="streams">Whether it has JetStream.</param>
    /// <param name="prepare">Called before it starts.</param>
    /// <param name="other">Another account that is there from the start.</param>
    /// <param name="isMonitored">Whether it has monitoring pages.</param>
    public static async Task<ClaimsServer> StartAsync(ServerKind kind, string resolver, Func<AccountClaims, TokenKeys, AccountClaims>? change = null, bool isStrict = false, bool preloads = true, bool streams = false, Action<ClaimsServer>? prepare = null, Func<TokenKeys, AccountClaims>? other = null, bool isMonitored = false)
    {
        var server = new ClaimsServer();
        server._isStrict = isStrict;
        prepare?.Invoke(server);
        var authority = new OperatorClaims { Subject = server._operator.PublicKey, Name = "op", SystemAccount = server._system.PublicKey, SigningKeys = [server._signer.PublicKey], RequireSigningKeys = isStrict };
        server._head = $"operator: {authority.Encode(server._operator)}\nresolver: {resolver.Replace("DIR", $"\"{server.Folder}\"", StringComparison.Ordinal)}\n";
        var account = change is null ? server.Account : change(server.Account, server.Keys);
        server._configuration = ServerProcess.WriteConfiguration(preloads ? server.Configuration([server.Sign(account), .. other is null ? Array.Empty<string>() : [server.Sign(other(server.Keys))]]) : server._head);
        string[] more = [.. streams ? (string[])["-js", "-sd", Path.Combine(server._folder, "streams")] : [], .. isMonitored ? (string[])["-m", "-1"] : []];
        server._server = await ServerProcess.StartAsync(kind, ["-c", server._configuration, .. more]);
        return server;
    }

    /// <summary>Lets the server read a configuration with other accounts.</summary>
    /// <param name="accounts">The accounts' tokens besides the system account's.</param>
    public async Task ReloadAsync(params string[] accounts)
    {
        await File.WriteAllTextAsync(_configuration, Configuration(accounts));
        using var kill = Process.Start("kill", ["-HUP", Server.ProcessId.ToString(CultureInfo.InvariantCulture)]);
        await kill.WaitForExitAsync();
    }

    /// <summary>The token of the system account.</summary>
    public string SystemToken() => new AccountClaims { Subject = _system.PublicKey, Name = "SYS", SigningKeys = [new AccountSigningKey(Keys.Signer.PublicKey)] }.Encode(_signer);

    /// <summary>Signs an account as the operator does.</summary>
    public string Sign(AccountClaims account) => account.Encode(_signer);

    /// <summary>Connects a user of the system account.</summary>
    public Task<TokenClient> ConnectAdminAsync()
    {
        var claims = new UserClaims { Subject = _admin.PublicKey, Name = "admin", IssuerAccount = _isStrict ? _system.PublicKey : null };
        return TokenClient.ConnectAsync(Server.Port, claims.Encode(_isStrict ? Keys.Signer : _system), _admin);
    }

    /// <summary>Connects a user of the account.</summary>
    public async Task<TokenClient> ConnectUserAsync(Func<UserClaims, UserClaims>? change = null, NkeyPair? signer = null)
    {
        var claims = new UserClaims { Subject = Keys.User.PublicKey, Name = "u", IssuerAccount = signer is null ? null : Keys.Account.PublicKey };
        return await TokenClient.ConnectAsync(Server.Port, (change?.Invoke(claims) ?? claims).Encode(signer ?? Keys.Account), Keys.User);
    }

    /// <summary>Pushes a token.</summary>
    /// <returns>The answer, with a word for each key in it.</returns>
    public async Task<string> PushAsync(string token, string subject = "$SYS.REQ.CLAIMS.UPDATE")
    {
        await using var admin = await ConnectAdminAsync();
        return Describe(await admin.AskAsync(subject, token));
    }

    /// <summary>Code, account and text of an answer, with a word for each key in it.</summary>
    public string Describe(string answer)
    {
        var json = JsonDocument.Parse(answer).RootElement;
        Assert.NotEmpty(json.GetProperty("server").GetProperty("id").GetString()!);
        var (body, text) = json.TryGetProperty("data", out var data) ? (data, "message") : (json.GetProperty("error"), "description");
        var account = body.TryGetProperty("account", out var named) ? named.GetString() : "-";
        return $"{body.GetProperty("code").GetInt32()} {account} {body.GetProperty(text).GetString()}"
            .Replace(Keys.Account.PublicKey, "ACCOUNT", StringComparison.Ordinal).Replace(Keys.OtherAccount.PublicKey, "OTHER", StringComparison.Ordinal)
            .Replace(_operator.PublicKey, "OPERATOR", StringComparison.Ordinal).Replace(Keys.OperatorSigner.PublicKey, "SIGNER", StringComparison.Ordinal).Replace(Keys.Stranger.PublicKey, "STRANGER", StringComparison.Ordinal);
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null) await _server.DisposeAsync();
        Keys.Dispose();
        foreach (var key in (NkeyPair[])[_operator, _signer, _system, _admin]) key.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private string Configuration(params string[] accounts)
    {
        var text = new StringBuilder(_head).Append(CultureInfo.InvariantCulture, $"resolver_preload {{\n  {_system.PublicKey}: {SystemToken()}\n");
        foreach (var token in accounts) text.Append(CultureInfo.InvariantCulture, $"  {NatsJwt.DecodeAnyTime(token).Subject}: {token}\n");
        return text.Append("}\n").ToString();
    }
}
