using Postrider.Broker;
using Postrider.Broker.Accounts;
using Postrider.Wire.Frames;

namespace Postrider.UnitTests.Broker.Accounts;

public sealed class AuthenticatorTests
{
    private const string Hash = "$2a$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"; // "secret"

    public static TheoryData<string, string, bool, int> Attempts => new()
    {
        { "hashed", "secret", true, 1 },
        { "hashed", "wrong", false, 1 },
        { "hashed", "", false, 1 },
        { "unknown", "secret", false, 1 },
        { "unknown", "", false, 1 },
        { "clear", "wrong", false, 1 },
        { "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4", "wrong", false, 1 },
        // The duration of a successful attempt reveals nothing.
        { "clear", "s3cret", true, 0 },
        { "", "secret", false, 0 },
    };

    [Theory]
    [MemberData(nameof(Attempts))]
    public void Each_failed_attempt_takes_one_comparison_with_a_hash_whether_or_not_the_name_exists(string name, string password, bool isFound, int comparisons)
    {
        var authenticator = Create(
            new UserOptions { Name = "hashed", Password = Hash },
            new UserOptions { Name = "clear", Password = "s3cret" },
            new UserOptions { Name = "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4" });
        var connect = new ConnectInfo { User = name, Password = password };

        var user = authenticator.Find(new AuthenticationRequest(connect, null, "", "STANDARD"));

        Assert.Equal((isFound, comparisons), (user is not null, authenticator.HashChecks));
        Assert.Equal(name.Length > 0, authenticator.UsesPasswordHash(connect));
    }

    [Theory]
    [InlineData("clear")]
    [InlineData("unknown")]
    public void Without_hashes_nothing_is_compared_with_one(string name)
    {
        var authenticator = Create(new UserOptions { Name = "clear", Password = "s3cret" });
        var connect = new ConnectInfo { User = name, Password = "wrong" };

        var user = authenticator.Find(new AuthenticationRequest(connect, null, "", "STANDARD"));

        Assert.Null(user);
        Assert.Equal(0, authenticator.HashChecks);
        Assert.False(authenticator.UsesPasswordHash(connect));
    }

    [Fact]
    public void Unknown_names_cost_as_much_as_the_costliest_user_and_match_nothing()
    {
        var costlier = "$2a$06$" + Hash[7..];

        var decoy = StoredCredential.DecoyOf([new StoredCredential("clear"), new StoredCredential(Hash), new StoredCredential(costlier), new StoredCredential("$2a$09$malformed")]);

        Assert.Equal(6, decoy!.Cost);
        Assert.False(decoy.Matches("secret"u8));
        Assert.False(decoy.Matches(""u8));
    }

    private static Authenticator Create(params UserOptions[] users)
    {
        var options = new BrokerOptions { Authorization = new AuthorizationOptions { Users = users } };
        return new Authenticator(options, AccountRegistry.Create(options));
    }
}
