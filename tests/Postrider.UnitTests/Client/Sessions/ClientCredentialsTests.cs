using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Postrider.Client;
using Postrider.Client.Credentials;
using Postrider.Credentials;
using Postrider.UnitTests.Credentials;

namespace Postrider.UnitTests.Client.Sessions;

public sealed class ClientCredentialsTests : IDisposable
{
    private const string Nonce = "PXoWU7zWAMt75FY";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-creds-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task User_and_password_are_asked_for_at_each_connection()
    {
        var server = new CredentialsServer(null, _ => CredentialsServer.Accepted);
        var asked = 0;
        await using (var client = await ConnectAsync(server, ClientCredentials.FromUserPassword(_ => new(("clerk", $"word{Interlocked.Increment(ref asked)}")))))
        {
            await DropAndAwaitReconnectAsync(server, client);
        }

        Assert.Equal([("clerk", "word1"), ("clerk", "word2")], server.Connects.Select(connect => (Text(connect, "user"), Text(connect, "pass"))));
    }

    [Fact]
    public async Task Token_is_asked_for_at_each_connection()
    {
        var server = new CredentialsServer(null, _ => CredentialsServer.Accepted);
        var asked = 0;
        await using (var client = await ConnectAsync(server, ClientCredentials.FromToken(async _ =>
        {
            await Task.Yield();
            return $"token{Interlocked.Increment(ref asked)}";
        })))
        {
            await DropAndAwaitReconnectAsync(server, client);
        }

        Assert.Equal(["token1", "token2"], server.Connects.Select(connect => Text(connect, "auth_token")));
    }

    [Fact]
    public async Task Nkey_user_signs_the_nonce_of_the_server()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);

        await using var client = await ConnectAsync(server, NatsCredentials.FromSeed(_ => new(GoTokens.DocumentedSeed.ToCharArray())));

        var connect = Assert.Single(server.Connects);
        Assert.Equal(GoTokens.DocumentedKey, Text(connect, "nkey"));
        AssertSigned(connect, GoTokens.DocumentedKey);
        Assert.Null(Text(connect, "jwt"));
    }

    [Fact]
    public async Task Seed_that_was_read_is_wiped()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        var seed = $" {GoTokens.DocumentedSeed}\n".ToCharArray();

        await using var client = await ConnectAsync(server, NatsCredentials.FromSeed(_ => new(seed)));

        Assert.All(seed, letter => Assert.Equal('\0', letter));
    }

    [Fact]
    public async Task Credentials_file_is_read_at_each_connection()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        var path = WriteCredentials(GoTokens.UserSeed, GoTokens.User);
        await using (var client = await ConnectAsync(server, NatsCredentials.FromFile(path)))
        {
            WriteCredentials(GoTokens.DocumentedSeed, "renewed");
            await DropAndAwaitReconnectAsync(server, client);
        }

        var connects = server.Connects;
        Assert.Equal([GoTokens.User, "renewed"], connects.Select(connect => Text(connect, "jwt")));
        AssertSigned(connects[0], GoTokens.UserKey);
        AssertSigned(connects[1], GoTokens.DocumentedKey);
        Assert.All(connects, connect => Assert.Null(Text(connect, "nkey")));
    }

    [Fact]
    public async Task Jwt_is_sent_with_a_signature_and_a_bearer_without()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);

        await using var signed = await ConnectAsync(server, NatsCredentials.FromJwt(_ => new("token"), _ => new(GoTokens.DocumentedSeed.ToCharArray())));
        await using var bearer = await ConnectAsync(server, NatsCredentials.FromBearer(_ => new("token")));

        AssertSigned(server.Connects[0], GoTokens.DocumentedKey);
        Assert.Equal(("token", null), (Text(server.Connects[1], "jwt"), Text(server.Connects[1], "sig")));
    }

    [Fact]
    public async Task Server_that_asks_for_an_nkey_is_named_when_the_client_has_no_credentials()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Rejected);

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, null));

        Assert.Equal(NatsErrorCode.CredentialsUnavailable, refused.Code);
        Assert.Contains("nkey or a JWT", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Server_without_nkeys_is_named_when_the_client_has_one()
    {
        var server = new CredentialsServer(null, _ => CredentialsServer.Accepted);

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, NatsCredentials.FromSeed(_ => new(GoTokens.DocumentedSeed.ToCharArray()))));

        Assert.Equal(NatsErrorCode.CredentialsUnavailable, refused.Code);
        Assert.Contains("no nonce", refused.Message, StringComparison.Ordinal);
        Assert.Empty(server.Connects);
    }

    [Fact]
    public async Task Missing_file_wrong_seed_and_failing_callback_are_told_and_seeds_are_not_repeated()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        using var account = NkeyPair.Create(NkeyKind.Account);
        var seed = new char[NkeyPair.SeedLength];
        account.WriteSeed(seed);
        var kept = new string(seed);
        ClientCredentials[] unusable =
        [
            NatsCredentials.FromFile(Path.Combine(_folder.FullName, "missing.creds")),
            NatsCredentials.FromSeedFile(Path.Combine(_folder.FullName, "missing.nk")),
            NatsCredentials.FromSeed(_ => new((char[])seed.Clone())),
            NatsCredentials.FromSeed(_ => new($"{kept[..^1]}A".ToCharArray())),
            ClientCredentials.FromToken(_ => throw new InvalidOperationException("the vault is closed")),
        ];
        foreach (var credentials in unusable)
        {
            var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(server, credentials));

            Assert.Equal(NatsErrorCode.CredentialsUnavailable, refused.Code);
            Assert.NotNull(refused.InnerException);
            Assert.DoesNotContain(kept[..20], refused.ToString(), StringComparison.Ordinal);
        }
        Assert.Empty(server.Connects);
    }

    [Fact]
    public async Task Credentials_that_take_too_long_are_cancelled_with_the_attempt()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var credentials = ClientCredentials.FromToken(async ct =>
        {
            ct.Register(() => cancelled.TrySetResult());
            await Task.Delay(Timeout.InfiniteTimeSpan, ct);
            return "";
        });

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(new ClientOptions { Connector = server, Credentials = credentials, ConnectTimeout = TimeSpan.FromMilliseconds(50) }).WaitAsync(Patience));

        Assert.Contains(refused.Code, new[] { NatsErrorCode.HandshakeTimeout, NatsErrorCode.CredentialsUnavailable });
        await cancelled.Task.WaitAsync(Patience);
    }

    [Fact]
    public async Task Same_credentials_are_given_up_after_two_rejections()
    {
        var server = new CredentialsServer(null, number => number == 1 ? CredentialsServer.Accepted : CredentialsServer.Rejected);
        await using var client = await ConnectAsync(server, ClientCredentials.FromToken(_ => new("old")));

        await DropAndAwaitAsync(server, client, ClientEventKind.Closed);

        Assert.Equal(3, server.Connects.Count);
    }

    [Fact]
    public async Task Renewed_credentials_are_tried_as_long_as_they_change()
    {
        var server = new CredentialsServer(null, number => number is 1 or 6 ? CredentialsServer.Accepted : CredentialsServer.Rejected);
        var rejections = new List<NatsErrorCode?>();
        var credentials = new Recording(request =>
        {
            lock (rejections) rejections.Add(request.LastRejection?.Code);
            return new ConnectCredentials { Token = $"token{request.Attempt}" };
        });
        await using var client = await ConnectAsync(server, credentials);

        await DropAndAwaitReconnectAsync(server, client, "-ERR 'User Authentication Expired'\r\n");

        Assert.Equal(["token1", "token2", "token3", "token4", "token5", "token6"], server.Connects.Select(connect => Text(connect, "auth_token")));
        lock (rejections) Assert.Equal([null, .. Enumerable.Repeat<NatsErrorCode?>(NatsErrorCode.AuthorizationFailed, 5)], rejections);
    }

    [Fact]
    public async Task Attempt_without_credentials_is_repeated_until_there_are_some()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        var path = WriteCredentials(GoTokens.UserSeed, GoTokens.User);
        await using var client = await ConnectAsync(server, NatsCredentials.FromFile(path));
        File.Delete(path);
        var failed = Await(client, ClientEventKind.ReconnectFailed);
        var reconnected = Await(client, ClientEventKind.Reconnected);

        server.Drop();
        await failed.WaitAsync(Patience);
        WriteCredentials(GoTokens.UserSeed, GoTokens.User);
        await reconnected.WaitAsync(Patience);

        Assert.Equal(2, server.Connects.Count);
    }

    [Fact]
    public async Task Credentials_in_the_address_take_precedence()
    {
        var server = new CredentialsServer(Nonce, _ => CredentialsServer.Accepted);
        var options = new ClientOptions { Connector = server, Servers = ["nats://u:p@host"], Credentials = ClientCredentials.FromToken(_ => new("token")) };

        await using var client = await NatsClient.ConnectAsync(options).WaitAsync(Patience);

        Assert.Equal(("u", "p", null), (Text(server.Connects[0], "user"), Text(server.Connects[0], "pass"), Text(server.Connects[0], "auth_token")));
    }

    [Fact]
    public async Task Two_kinds_of_credentials_are_an_invalid_option()
    {
        var refused = await Assert.ThrowsAsync<NatsClientException>(() => NatsClient.ConnectAsync(new ClientOptions { Token = "t", Credentials = ClientCredentials.FromToken(_ => new("t")) }));

        Assert.Equal(NatsErrorCode.InvalidOption, refused.Code);
    }

    [Fact]
    public void Text_of_credentials_has_no_secret()
    {
        ConnectCredentials[] all = [new() { User = "clerk", Password = "secret" }, new() { Token = "secret" }, new() { Jwt = "secret" }, new() { Nkey = "U" }, new()];

        Assert.Equal(["user clerk", "token", "JWT", "nkey U", "none"], all.Select(credentials => credentials.ToString()));
    }

    private static Task<NatsClient> ConnectAsync(CredentialsServer server, ClientCredentials? credentials)
        => NatsClient.ConnectAsync(new ClientOptions { Connector = server, Credentials = credentials, ReconnectDelay = TimeSpan.FromMilliseconds(10) }).WaitAsync(Patience);

    private static Task DropAndAwaitReconnectAsync(CredentialsServer server, NatsClient client, string reason = "") => DropAndAwaitAsync(server, client, ClientEventKind.Reconnected, reason);

    private static async Task DropAndAwaitAsync(CredentialsServer server, NatsClient client, ClientEventKind kind, string reason = "")
    {
        var happened = Await(client, kind);
        server.Drop(reason);
        await happened.WaitAsync(Patience);
    }

    private static Task Await(NatsClient client, ClientEventKind kind)
    {
        var happened = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        client.EventOccurred += told =>
        {
            if (told.Kind == kind) happened.TrySetResult();
        };
        return happened.Task;
    }

    private static void AssertSigned(JsonElement connect, string publicKey)
        => Assert.True(PublicNkey.Parse(publicKey).Verify(Encoding.UTF8.GetBytes(Nonce), Base64Url.DecodeFromChars(Text(connect, "sig"))));

    private static string? Text(JsonElement connect, string name) => connect.TryGetProperty(name, out var value) ? value.GetString() : null;

    private string WriteCredentials(string seed, string jwt)
    {
        var path = Path.Combine(_folder.FullName, "user.creds");
        using var file = new CredentialsFile(jwt, NkeyPair.FromSeed(seed));
        file.Write(path);
        return path;
    }

    private sealed class Recording(Func<CredentialsRequest, ConnectCredentials> create) : ClientCredentials
    {
        public override ValueTask<ConnectCredentials> CreateAsync(CredentialsRequest request, CancellationToken ct) => new(create(request));
    }
}
