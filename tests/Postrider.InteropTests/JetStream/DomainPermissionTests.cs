using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.JetStream;

/// <summary>Permissions for requests to the API of the server's own domain: both servers compare them with the subjects that these stand for.</summary>
public sealed class DomainPermissionTests
{
    private const string Accounts = """
        accounts {
          A {
            jetstream: enabled
            users: [
              { user: deny, password: p, permissions: { publish: { deny: ["$JS.API.STREAM.DELETE.*", "$JS.API.DIRECT.GET.>", "$KV.>"] } } }
              { user: allow, password: p, permissions: { publish: ["$JS.API.STREAM.>"] } }
              { user: domain, password: p, permissions: { publish: ["$JS.hub.API.>"] } }
            ]
          }
        }
        """;

    public static MatrixTheoryData<ServerKind, string> Requests => new(
        Enum.GetValues<ServerKind>(),
        [
            "deny $JS.hub.API.STREAM.DELETE.S => $JS.API.STREAM.DELETE.S",
            "deny $JS.hub.API.DIRECT.GET.S.s => $JS.API.DIRECT.GET.S.s",
            "deny $JS.hub.API.$KV.b.k => $KV.b.k",
            "deny $JS.hub.API.STREAM.NAMES =>",
            "deny $JS.hub.API.$OBJ.b.k =>",
            "allow $JS.hub.API.STREAM.NAMES =>",
            "allow $JS.hub.API.INFO => $JS.API.INFO",
            "allow $JS.other.API.STREAM.NAMES => $JS.other.API.STREAM.NAMES",
            "domain $JS.hub.API.STREAM.NAMES => $JS.API.STREAM.NAMES",
        ]);

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Subject_that_a_request_stands_for_decides(ServerKind kind, string row)
    {
        var (user, subject, refused) = (row.Split(' ')[0], row.Split(' ')[1], row[(row.IndexOf("=>", StringComparison.Ordinal) + 2)..].Trim());
        var store = Directory.CreateTempSubdirectory("postrider-domain-").FullName;
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration($"jetstream {{ domain: hub, store_dir: \"{store}\" }}\n{Accounts}"));
        await using var client = await RawConnection.OpenAsync(server.Port);
        await client.SendAsync($"CONNECT {{\"verbose\":false,\"pedantic\":false,\"user\":\"{user}\",\"pass\":\"p\"}}\r\n");

        await client.SendAsync($"PUB {subject} 0\r\n\r\n");

        Assert.Equal(refused.Length == 0 ? "" : $"-ERR 'Permissions Violation for Publish to \"{refused}\"'\r\n", await client.FenceAsync());
    }
}
