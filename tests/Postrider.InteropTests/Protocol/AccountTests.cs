using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Accounts: both servers must do and say the same.</summary>
public sealed class AccountTests
{
    // What each server says of itself.
    private static readonly string[] OfServer = ["server_id", "server_name", "version", "go", "port", "client_id", "xkey"];

    public static MatrixTheoryData<ServerKind, string> Conversations => new(Enum.GetValues<ServerKind>(), AccountConversations.Names);

    [Theory]
    [MemberData(nameof(Conversations))]
    public async Task Conversation_with_accounts_goes_as_written(ServerKind kind, string name)
    {
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(AccountConversations.Configuration(name)));

        var received = await Conversation.HoldAsync(server.Port, AccountConversations.Script(name));

        Assert.Equal(Conversation.Expected(AccountConversations.Script(name)), received);
    }

    [Fact]
    public async Task Info_names_the_account_as_Gos_does()
    {
        var expected = await AskAsync(ServerKind.Go);

        Assert.Equal(4, expected.Count);
        Assert.Equal(expected, await AskAsync(ServerKind.Postrider));
    }

    private static async Task<SortedDictionary<string, string>> AskAsync(ServerKind kind)
    {
        const string Configuration = """
            accounts {
              A { users [ { user: a, password: p } ], limits { max_payload: 4 } }
              S { users [ { user: s, password: p } ] }
            }
            authorization { users [ { user: g, password: p } ] }
            system_account: S
            no_auth_user: a
            """;
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Configuration));
        var answers = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var user in (string[])["a", "s", "g"]) answers[user] = await InfoAsync(server.Port, $$""","user":"{{user}}","pass":"p" """);
        answers["nobody"] = await InfoAsync(server.Port, "");
        return answers;
    }

    // The INFO at first, and the one behind CONNECT.
    private static async Task<string> InfoAsync(int port, string credentials)
    {
        await using var client = await RawConnection.OpenAsync(port);
        await client.SendAsync($$"""CONNECT {"verbose":false,"protocol":1{{credentials}}}""" + "\r\nPING\r\n");
        Assert.True(await client.UntilAsync(static text => text.Contains("INFO", StringComparison.Ordinal) && text.EndsWith("\r\n", StringComparison.Ordinal)));
        var line = client.Received.Split("\r\n").First(static line => line.StartsWith("INFO", StringComparison.Ordinal));
        return $"{Described(client.Info)} {Described(line["INFO ".Length..])}";
    }

    private static string Described(string info)
        => string.Join(' ', JsonDocument.Parse(info).RootElement.EnumerateObject()
            .Where(static field => !OfServer.Contains(field.Name))
            .OrderBy(static field => field.Name, StringComparer.Ordinal)
            .Select(static field => $"{field.Name}={field.Value.GetRawText()}"));
}
