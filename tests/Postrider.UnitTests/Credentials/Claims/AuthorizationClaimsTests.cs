using Postrider.Credentials;

namespace Postrider.UnitTests.Credentials.Claims;

public sealed class AuthorizationClaimsTests
{
    [Fact]
    public void Request_is_read_as_it_was_written()
    {
        using var server = NkeyPair.Create(NkeyKind.Server);
        using var account = NkeyPair.Create(NkeyKind.Account);
        using var user = NkeyPair.Create(NkeyKind.User);
        var request = new AuthorizationRequestClaims
        {
            Subject = account.PublicKey,
            Audience = AuthorizationRequestClaims.RequestAudience,
            UserKey = user.PublicKey,
            Server = new AuthorizationServer("srv", "127.0.0.1", server.PublicKey) { Version = "2.15.1", Tags = ["a"], CurveKey = "X" },
            Client = new AuthorizationClient { Host = "10.0.0.1", Id = 7, User = "u", Name = "n", Kind = "Client", Type = "nats", Nonce = "abc" },
            Connect = new AuthorizationConnect { User = "u", Password = "p", Name = "n", Language = "dotnet", Version = "1", Protocol = 1 },
            Tls = new AuthorizationTls { Version = "1.3", CipherSuite = "TLS_AES_128_GCM_SHA256", VerifiedChains = [["one", "two"], ["three"]] },
        };

        var read = NatsJwt.Decode<AuthorizationRequestClaims>(request.Encode(server));

        Assert.Empty(read.FindProblems());
        Assert.Equal((request.UserKey, request.Client.Host, request.Client.Id, request.Client.Nonce, request.Connect), (read.UserKey, read.Client.Host, read.Client.Id, read.Client.Nonce, read.Connect));
        Assert.Equal(("srv", "127.0.0.1", server.PublicKey, "2.15.1", "X", "a"), (read.Server.Name, read.Server.Host, read.Server.Id, read.Server.Version, read.Server.CurveKey, read.Server.Tags[0]));
        Assert.Equal("1.3 one,two|three", $"{read.Tls!.Version} {string.Join('|', read.Tls.VerifiedChains.Select(static chain => string.Join(',', chain)))}");
        Assert.DoesNotContain("p\"", $"{request.Connect}", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(null, null, "The response has neither a user nor an error.")]
    [InlineData("jwt", "error", "The response has both a user and an error.")]
    [InlineData("jwt", null, null)]
    [InlineData(null, "error", null)]
    public void Response_has_a_user_or_an_error(string? jwt, string? error, string? problem)
    {
        using var server = NkeyPair.Create(NkeyKind.Server);
        using var account = NkeyPair.Create(NkeyKind.Account);
        using var user = NkeyPair.Create(NkeyKind.User);
        var response = new AuthorizationResponseClaims { Subject = user.PublicKey, Audience = server.PublicKey, Jwt = jwt, Error = error };

        var read = NatsJwt.Decode<AuthorizationResponseClaims>(response.Encode(account));

        Assert.Equal((jwt, error), (read.Jwt, read.Error));
        Assert.Equal(problem, read.FindProblems().SingleOrDefault());
    }

    [Fact]
    public void Response_is_for_a_server()
    {
        using var user = NkeyPair.Create(NkeyKind.User);

        var problems = new AuthorizationResponseClaims { Subject = user.PublicKey, Audience = "x", Jwt = "t" }.FindProblems();

        Assert.Equal(["The audience 'x' is not a server key."], problems);
    }

    [Fact]
    public void Request_is_signed_by_a_server()
    {
        using var account = NkeyPair.Create(NkeyKind.Account);
        var request = new AuthorizationRequestClaims { Subject = account.PublicKey, UserKey = "U", Server = new AuthorizationServer("s", "h", "N") };

        var error = Assert.Throws<CredentialsException>(() => request.Encode(account));

        Assert.Equal(CredentialsErrorCode.WrongIssuer, error.Code);
    }
}
