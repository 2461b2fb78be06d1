using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Operators;

/// <summary>Operator mode: both servers must let the same clients in, and say the same to the others.</summary>
public sealed class TokenStoryTests(TokenServers servers) : IClassFixture<TokenServers>
{
    public static MatrixTheoryData<ServerKind, string> Stories => new(Enum.GetValues<ServerKind>(), TokenStories.Names);

    [Theory]
    [MemberData(nameof(Stories))]
    public async Task Client_with_a_token_hears_what_is_written(ServerKind kind, string name)
        => Assert.Equal(TokenStories.Get(name).Says, await servers.TellAsync(kind, name));

    [Theory]
    [MemberData(nameof(DefaultServers.Both), MemberType = typeof(DefaultServers))]
    public async Task Proof_of_one_connection_is_none_on_another(ServerKind kind)
    {
        var (first, second) = await servers.ReplayAsync(kind);

        Assert.Equal(("", "-ERR 'Authorization Violation'\n(closed)"), (first, second));
    }
}
