using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Postrider.Broker;
using Postrider.Credentials;

namespace Postrider.UnitTests.Broker.Sessions;

public sealed class NkeyTests : IDisposable
{
    private const string Rejected = "-ERR 'Authorization Violation'\r\n";

    private readonly NkeyPair _key = NkeyPair.Create(NkeyKind.User);
    private readonly NkeyPair _other = NkeyPair.Create(NkeyKind.User);

    private UserOptions Clerk => new() { Name = _key.PublicKey, IsNkey = true };

    public void Dispose()
    {
        _key.Dispose();
        _other.Dispose();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task User_that_signs_the_nonce_is_let_in(bool padded)
    {
        var client = With(Clerk).Open();
        var signature = _key.Sign(Encoding.ASCII.GetBytes(await NonceAsync(client)));

        Connect(client, _key.PublicKey, padded ? Convert.ToBase64String(signature) : Base64Url.EncodeToString(signature));

        Assert.Equal("", await client.FlushAsync());
        Assert.Equal(_key.PublicKey, client.Session.UserName);
    }

    [Fact]
    public async Task Each_connection_has_a_nonce_of_its_own_of_15_characters()
    {
        var harness = With(Clerk);
        var nonces = new HashSet<string>();
        for (var i = 0; i < 100; i++) nonces.Add(await NonceAsync(harness.Open()));

        Assert.Equal(100, nonces.Count);
        Assert.All(nonces, nonce => Assert.Equal(15, nonce.Length));
    }

    [Fact]
    public async Task Signature_of_another_connection_is_refused()
    {
        var harness = With(Clerk);
        var (first, second) = (harness.Open(), harness.Open());
        var signature = Base64Url.EncodeToString(_key.Sign(Encoding.ASCII.GetBytes(await NonceAsync(first))));
        await NonceAsync(second);

        Connect(second, _key.PublicKey, signature);

        Assert.Equal(Rejected, await second.ReadToEndAsync());
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("!")]
    [InlineData("AAAA")]
    [InlineData("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")]
    public async Task Missing_or_malformed_signature_is_refused(string? signature)
    {
        var client = With(Clerk).Open();
        await NonceAsync(client);

        Connect(client, _key.PublicKey, signature);

        Assert.Equal(Rejected, await client.ReadToEndAsync());
    }

    [Fact]
    public async Task Huge_signature_is_refused_unread()
    {
        var client = With(new BrokerOptions { Authorization = new AuthorizationOptions { Users = [Clerk] }, MaxControlLineBytes = 200_000 }).Open();
        await NonceAsync(client);

        Connect(client, _key.PublicKey, new string('A', 100_000));

        Assert.Equal(Rejected, await client.ReadToEndAsync());
    }

    [Fact]
    public async Task Signature_of_another_key_or_for_an_unknown_user_is_refused()
    {
        var harness = With(Clerk);
        foreach (var name in (string[])[_key.PublicKey, _other.PublicKey, "UNKNOWN"])
        {
            var client = harness.Open();
            var nonce = await NonceAsync(client);

            Connect(client, name, Base64Url.EncodeToString(_other.Sign(Encoding.ASCII.GetBytes(nonce))));

            Assert.Equal(Rejected, await client.ReadToEndAsync());
        }
    }

    [Fact]
    public async Task Public_key_is_no_user_name_with_an_empty_password()
    {
        var client = With(Clerk).Open();
        await NonceAsync(client);

        client.Send($$"""CONNECT {"verbose":false,"user":"{{_key.PublicKey}}","pass":""}""" + "\r\n");

        Assert.Equal(Rejected, await client.ReadToEndAsync());
    }

    [Fact]
    public async Task Users_with_passwords_go_on_beside_nkeys()
    {
        var client = With(Clerk, new UserOptions { Name = "ann", Password = "secret" }).Open();
        await NonceAsync(client);

        client.Send("CONNECT {\"verbose\":false,\"user\":\"ann\",\"pass\":\"secret\"}\r\n");

        Assert.Equal("", await client.FlushAsync());
        Assert.Equal("ann", client.Session.UserName);
    }

    [Fact]
    public async Task Permissions_of_an_nkey_user_hold()
    {
        var client = With(Clerk with { Permissions = new PermissionOptions { Publish = new SubjectPermission { Allow = ["open"] } } }).Open();
        var signature = _key.Sign(Encoding.ASCII.GetBytes(await NonceAsync(client)));
        Connect(client, _key.PublicKey, Base64Url.EncodeToString(signature));

        client.Send("PUB secret 0\r\n\r\n");

        Assert.Equal("-ERR 'Permissions Violation for Publish to \"secret\"'\r\n", await client.FlushAsync());
    }

    [Fact]
    public async Task Without_nkeys_INFO_has_no_nonce()
    {
        var client = With(new UserOptions { Name = "ann", Password = "secret" }).Open();

        Assert.DoesNotContain("nonce", await client.ReadUntilAsync("\r\n"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Later_INFO_does_not_repeat_the_nonce()
    {
        var client = With(Clerk).Open();
        var signature = _key.Sign(Encoding.ASCII.GetBytes(await NonceAsync(client)));
        client.Send($$"""CONNECT {"verbose":false,"protocol":1,"nkey":"{{_key.PublicKey}}","sig":"{{Base64Url.EncodeToString(signature)}}"}""" + "\r\nPING\r\n");
        await client.ReadUntilAsync("PONG\r\n");

        var info = await client.ReadUntilAsync("\r\n");

        Assert.StartsWith("INFO ", info, StringComparison.Ordinal);
        Assert.DoesNotContain("nonce", info, StringComparison.Ordinal);
    }

    [Fact]
    public async Task User_without_credentials_may_be_an_nkey_user_and_needs_no_signature()
    {
        var options = new BrokerOptions { Authorization = new AuthorizationOptions { Users = [Clerk], NoAuthUser = _key.PublicKey } };
        var client = With(options).Open();
        await NonceAsync(client);

        client.Send("CONNECT {\"verbose\":false}\r\n");

        Assert.Equal("", await client.FlushAsync());
        Assert.Equal(_key.PublicKey, client.Session.UserName);
    }

    [Theory]
    [InlineData("IN_PROCESS", true)]
    [InlineData("in_process", true)]
    [InlineData("STANDARD", false)]
    [InlineData("WEBSOCKET", false)]
    public async Task Connection_type_decides_as_well(string type, bool isLetIn)
    {
        // A connection of the harness has no address, as one in the broker's process.
        var client = With(Clerk with { AllowedConnectionTypes = [type] }).Open();
        var signature = _key.Sign(Encoding.ASCII.GetBytes(await NonceAsync(client)));

        Connect(client, _key.PublicKey, Base64Url.EncodeToString(signature));

        Assert.Equal(isLetIn ? "" : Rejected, isLetIn ? await client.FlushAsync() : await client.ReadToEndAsync());
    }

    [Fact]
    public void Options_with_an_invalid_nkey_are_refused()
    {
        var wrong = new BrokerOptions { Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "ann", IsNkey = true }] } };
        var password = new BrokerOptions { Authorization = new AuthorizationOptions { Users = [Clerk with { Password = "secret" }] } };

        Assert.Equal("Not a valid public nkey for a user", BrokerOptionsValidator.Validate(wrong));
        Assert.Equal("Nkey users do not take usernames or passwords", BrokerOptionsValidator.Validate(password));
    }

    private static SessionHarness With(params UserOptions[] users) => With(new BrokerOptions { Authorization = new AuthorizationOptions { Users = users } });

    private static SessionHarness With(BrokerOptions options) => new(options);

    private static async Task<string> NonceAsync(SessionHarness.Client client)
    {
        var info = await client.ReadUntilAsync("\r\n");
        return JsonDocument.Parse(info["INFO ".Length..]).RootElement.GetProperty("nonce").GetString()!;
    }

    private static void Connect(SessionHarness.Client client, string nkey, string? signature)
        => client.Send($$"""CONNECT {"verbose":false,"nkey":"{{nkey}}"{{(signature is null ? "" : $",\"sig\":\"{signature}\"")}}}""" + "\r\n");
}
