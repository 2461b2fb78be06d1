using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Attacks;

/// <summary>Wrong credentials of each kind: both servers answer with the same error and close the connection.</summary>
public sealed class CredentialAttackTests(CredentialServers servers) : IClassFixture<CredentialServers>
{
    public static TheoryData<string> Names => [.. CredentialAttacks.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Client_is_refused_with_Gos_error(string name)
    {
        var (server, members) = CredentialAttacks.All[name];

        var go = await TryAsync(servers[ServerKind.Go, server], members);
        var own = await TryAsync(servers[ServerKind.Postrider, server], members);

        Assert.Equal(go, own);
        Assert.DoesNotContain("PONG", go, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Signature_cannot_be_used_on_another_connection()
    {
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            var server = servers[kind, "users"];
            await using var first = await RawConnection.OpenAsync(server.Port);
            var signature = Convert.ToBase64String(CredentialAttacks.Key.Sign(System.Text.Encoding.ASCII.GetBytes(NonceOf(first))));
            var members = $"\"nkey\":\"{CredentialAttacks.Key.PublicKey}\",\"sig\":\"{signature}\"";
            await first.SendAsync($"CONNECT {{\"verbose\":false,{members}}}\r\n");
            Assert.Equal("", await first.FenceAmidMessagesAsync());

            Assert.StartsWith("-ERR 'Authorization Violation'", await TryAsync(server, _ => members), StringComparison.Ordinal);
        }
    }

    private static async Task<string> TryAsync(ServerProcess server, Func<string, string> members)
    {
        await using var connection = await RawConnection.OpenAsync(server.Port);
        await connection.SendAsync($"CONNECT {{\"verbose\":false,\"name\":\"attacker\",{members(NonceOf(connection))}}}\r\nSUB > 1\r\nPUB a 1\r\nx\r\nPING\r\n");
        return await connection.ToEndAsync();
    }

    private static string NonceOf(RawConnection connection)
        => JsonDocument.Parse(connection.Info).RootElement.TryGetProperty("nonce", out var nonce) ? nonce.GetString()! : "";
}
