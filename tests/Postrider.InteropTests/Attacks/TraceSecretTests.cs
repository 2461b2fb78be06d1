using System.Text;
using System.Text.Json;
using Postrider.Credentials;
using Postrider.InteropTests.Authentication;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Operators;

namespace Postrider.InteropTests.Attacks;

/// <summary>A log with the trace of all frames contains no secret of a client.</summary>
public sealed class TraceSecretTests
{
    private static readonly NkeyPair s_key = NkeyPair.Create(NkeyKind.User);

    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Passwords_tokens_and_signatures_are_not_logged(ServerKind kind)
    {
        var signature = "";

        var users = await LogOfAsync(
            kind,
            $"authorization {{ users: [{{user: ann, password: \"s3cret\"}}, {{nkey: {s_key.PublicKey}}}] }}",
            _ => "\"user\":\"ann\",\"pass\":\"s3cret\"",
            _ => "\"user\":\"ann\",\"pass\":\"wr0ng\"",
            nonce => $"\"nkey\":\"{s_key.PublicKey}\",\"sig\":\"{signature = TokenKeys.Sign(nonce, s_key)}\"");
        var token = await LogOfAsync(kind, "authorization { token: \"t0ken\" }", _ => "\"auth_token\":\"t0ken\"", _ => "\"auth_token\":\"wr0ng\"");

        Assert.NotEmpty(signature);
        foreach (var secret in (string[])["s3cret", "t0ken", "wr0ng", signature]) Assert.DoesNotContain(secret, users + token, StringComparison.Ordinal);
        Assert.Contains("[REDACTED]", users, StringComparison.Ordinal);
        Assert.Contains("[REDACTED]", token, StringComparison.Ordinal);
    }

    // docs/conformance.md: nats-server logs it.
    [Theory]
    [InlineData(ServerKind.Go, true)]
    [InlineData(ServerKind.Postrider, false)]
    public async Task Token_of_a_user_is_not_logged(ServerKind kind, bool isLogged)
    {
        using var authority = await Authority.CreateAsync();
        await authority.RunAsync("account", "add", "orders");
        await authority.AddUserAsync("orders", "bearer", "--bearer");
        var token = (await File.ReadAllTextAsync(authority.FileOf("auth/accounts/orders/bearer.jwt"))).Trim();

        var log = await LogOfAsync(kind, authority.WriteConfigurationAsync, _ => $"\"jwt\":\"{token}\"", _ => $"\"jwt\":\"{token}x\"");

        Assert.Equal(isLogged, log.Contains(token, StringComparison.Ordinal));
        Assert.Equal(isLogged, log.Contains(token[^20..], StringComparison.Ordinal));
    }

    private static Task<string> LogOfAsync(ServerKind kind, string configuration, params Func<string, string>[] credentials)
        => LogOfAsync(kind, more => Task.FromResult(ServerProcess.WriteConfiguration($"{configuration}\n{more}\n")), credentials);

    // Has a client connect with each of the credentials, the nonce given, until the server has read what it sent.
    private static async Task<string> LogOfAsync(ServerKind kind, Func<string, Task<string>> write, params Func<string, string>[] credentials)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        var log = Path.Combine(folder.FullName, "server.log");
        await using (var server = await ServerProcess.StartAsync(kind, "-c", await write($"trace: true\ndebug: true\nlog_file: \"{log}\"")))
        {
            foreach (var members in credentials)
            {
                await using var connection = await RawConnection.OpenAsync(server.Port);
                var nonce = JsonDocument.Parse(connection.Info).RootElement.TryGetProperty("nonce", out var given) ? given.GetString()! : "";
                await connection.SendAsync($"CONNECT {{\"verbose\":false,{members(nonce)}}}\r\nPING\r\n");
                await connection.ToEndAsync();
            }
            await server.EndAsync();
        }
        var text = await File.ReadAllTextAsync(log, Encoding.UTF8);
        folder.Delete(recursive: true);
        Assert.Contains("<<- [CONNECT {", text, StringComparison.Ordinal);
        return text;
    }
}
