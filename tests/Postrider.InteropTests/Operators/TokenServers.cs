using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>A server of each kind that trusts one operator and has the accounts of all stories.</summary>
public sealed class TokenServers : IAsyncDisposable
{
    private readonly NkeyPair _operator = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _signer = NkeyPair.Create(NkeyKind.Operator);
    private readonly NkeyPair _system = NkeyPair.Create(NkeyKind.Account);
    private readonly Dictionary<string, (TokenKeys Keys, TokenStory Story)> _stories;
    private readonly Dictionary<ServerKind, Lazy<Task<ServerProcess>>> _servers;
    private readonly string _configuration;

    public TokenServers()
    {
        _stories = TokenStories.Names.ToDictionary(name => name, name => (new TokenKeys(_operator, _signer), TokenStories.Get(name)), StringComparer.Ordinal);
        _configuration = ServerProcess.WriteConfiguration(Configuration());
        _servers = Enum.GetValues<ServerKind>().ToDictionary(kind => kind, kind => new Lazy<Task<ServerProcess>>(() => ServerProcess.StartAsync(kind, "-c", _configuration)));
    }

    /// <summary>Has the client of a story connect.</summary>
    /// <returns>What the server says to it.</returns>
    public async Task<string> TellAsync(ServerKind kind, string name)
    {
        var server = await _servers[kind].Value;
        var (keys, story) = _stories[name];
        await using var client = await RawConnection.OpenAsync(server.Port);
        await client.SendAsync(Connect(story, keys, Member(client.Info, "nonce")));
        if (story.IsClosed)
        {
            await client.UntilAsync(static _ => false);
            return client.Received.Replace("\r\n", "\n", StringComparison.Ordinal);
        }
        var heard = await client.FenceAsync();
        if (story.Then.Length > 0)
        {
            await client.SendAsync(string.Concat(story.Then.Select(static line => line + "\r\n")));
            heard += await client.FenceAsync();
        }
        return heard.Replace("\r\n", "\n", StringComparison.Ordinal);
    }

    /// <summary>Has a client connect, and then another one that sends the same bytes.</summary>
    /// <returns>What the server says to the two.</returns>
    public async Task<(string First, string Second)> ReplayAsync(ServerKind kind)
    {
        var server = await _servers[kind].Value;
        var (keys, story) = _stories[TokenStories.Names.First()];
        await using var first = await RawConnection.OpenAsync(server.Port);
        await using var second = await RawConnection.OpenAsync(server.Port);
        var connect = Connect(story, keys, Member(first.Info, "nonce"));
        await first.SendAsync(connect);
        await second.SendAsync(connect);
        return (await first.FenceAsync(), (await second.FenceAsync()).Replace("\r\n", "\n", StringComparison.Ordinal));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values.Where(server => server.IsValueCreated))
        {
            await server.Value.ContinueWith(_ => { }, TaskScheduler.Default);
            if (server.Value.IsCompletedSuccessfully) await (await server.Value).DisposeAsync();
        }
        foreach (var (keys, _) in _stories.Values) keys.Dispose();
        foreach (var key in (NkeyPair[])[_operator, _signer, _system]) key.Dispose();
        Directory.Delete(Path.GetDirectoryName(_configuration)!, recursive: true);
    }

    private static string Connect(TokenStory story, TokenKeys keys, string nonce)
    {
        var claims = story.User(new UserClaims { Subject = keys.User.PublicKey, Name = "u" }, keys);
        var token = story.Token(claims.Encode(story.UserSigner?.Invoke(keys) ?? keys.Account), keys);
        var signature = story.Signature is null ? TokenKeys.Sign(nonce, keys.User) : story.Signature(nonce, keys);
        var members = story.Connect?.Invoke(token, signature) ?? $"\"jwt\":\"{token}\"" + (signature is null ? "" : $",\"sig\":\"{signature}\"");
        return $"CONNECT {{\"verbose\":false,{members}}}\r\n";
    }

    private static string Member(string info, string name) => JsonDocument.Parse(info).RootElement.GetProperty(name).GetString()!;

    private string Configuration()
    {
        var authority = new OperatorClaims { Subject = _operator.PublicKey, Name = "op", SystemAccount = _system.PublicKey, SigningKeys = [_signer.PublicKey] };
        var text = new StringBuilder();
        text.Append(CultureInfo.InvariantCulture, $"operator: {authority.Encode(_operator)}\nresolver: MEMORY\nresolver_preload {{\n");
        Append(_system.PublicKey, new AccountClaims { Subject = _system.PublicKey, Name = "SYS" }.Encode(_operator));
        foreach (var (keys, story) in _stories.Values.Where(one => one.Story.IsPreloaded))
        {
            var account = story.Account(new AccountClaims { Subject = keys.Account.PublicKey, Name = "shop", SigningKeys = [new AccountSigningKey(keys.Signer.PublicKey)] }, keys);
            Append(keys.Account.PublicKey, account.Encode(story.AccountSigner?.Invoke(keys) ?? _operator));
        }
        return text.Append("}\n").ToString();

        void Append(string key, string token) => text.Append(CultureInfo.InvariantCulture, $"  {key}: {token}\n");
    }
}
