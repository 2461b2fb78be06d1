using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using Postrider.InteropTests.Cluster;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Leaf;

namespace Postrider.InteropTests.Tls;

/// <summary>Listeners for other servers that map certificates to users: the certificate decides, and not CONNECT.</summary>
public sealed partial class MappedPeerTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TestCertificates _certificates = new();
    private readonly X509Certificate2 _alice;
    private readonly X509Certificate2 _bob;
    private int _peers;

    public MappedPeerTests()
    {
        _certificates.IssuePeer("peer").Dispose();
        _alice = _certificates.IssueClient("alice", "CN=a", static names => names.AddEmailAddress("alice@x.org"));
        _bob = _certificates.IssueClient("bob", "CN=b", static names => names.AddEmailAddress("bob@x.org"));
    }

    public static MatrixTheoryData<ServerKind, string> Clusters => new(
        Enum.GetValues<ServerKind>(),
        [
            "authorization { user: \"alice@x.org\", timeout: 30 } => alice",
            "authorization { user: \"alice@x.org\", password: secret, timeout: 30 } => alice",
            "authorization { user: \"CN=b\", timeout: 30 } => bob",
            "authorization { user: \"carol@x.org\", timeout: 30 } =>",
            "=>",
        ]);

    public static MatrixTheoryData<ServerKind, bool> Leafs => new(Enum.GetValues<ServerKind>(), [true, false]);

    private string Tls => $"tls {{ cert_file: \"{_certificates.FileOf("peer.pem")}\", key_file: \"{_certificates.FileOf("peer-key.pem")}\", ca_file: \"{_certificates.CaFile}\", timeout: 30, verify_and_map: true }}";

    [Theory]
    [MemberData(nameof(Clusters))]
    public async Task Certificate_decides_whether_a_server_belongs_to_the_cluster(ServerKind kind, string row)
    {
        var (authorization, admitted) = (row[..row.IndexOf("=>", StringComparison.Ordinal)], row[(row.IndexOf("=>", StringComparison.Ordinal) + 2)..].Trim());
        await using var server = await ClusterMesh.StartServerAsync(kind, "s", cluster: $"{authorization}\n{Tls}");
        var port = await ClusterMesh.PortAsync(server);

        Assert.Equal((admitted == "alice", admitted == "alice"), (await JoinsAsync(port, _alice, null), await JoinsAsync(port, _alice, "bob@x.org")));
        Assert.Equal((admitted == "bob", admitted == "bob"), (await JoinsAsync(port, _bob, null), await JoinsAsync(port, _bob, "alice@x.org")));
    }

    [Theory]
    [MemberData(nameof(Leafs))]
    public async Task Certificate_names_the_user_of_a_leaf_node(ServerKind kind, bool hasOwnUsers)
    {
        var (own, a, b) = hasOwnUsers
            ? ("authorization { users: [{ user: \"alice@x.org\", account: A }, { user: \"bob@x.org\", account: B }] }", "", "")
            : ("", ", { user: \"alice@x.org\" }", ", { user: \"bob@x.org\" }");
        var configuration = ServerProcess.WriteConfiguration($$"""
            accounts {
              A { users: [{ user: a, password: p }{{a}}] }
              B { users: [{ user: b, password: p }{{b}}] }
            }
            leafnodes { listen: "127.0.0.1:-1", {{Tls}}, {{own}} }
            """);
        await using var server = await ServerProcess.StartAsync(kind, "-m", "-1", "-c", configuration);
        var port = await LeafPair.LeafPortAsync(server);

        Assert.Equal("A", await AccountOfAsync(port, _alice, null));
        Assert.Equal("A", await AccountOfAsync(port, _alice, "bob@x.org"));
        Assert.Equal("B", await AccountOfAsync(port, _bob, null));
        Assert.Null(await AccountOfAsync(port, _certificates.Client, "alice@x.org"));
        // Nor is the name enough for a client.
        await using var client = await RawConnection.OpenAsync(server.Port);
        await client.SendAsync("CONNECT {\"user\":\"alice@x.org\",\"verbose\":false}\r\n");
        Assert.Contains("Authorization Violation", await client.FenceAsync(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(TlsServers.Both), MemberType = typeof(TlsServers))]
    public async Task Certificates_of_clients_are_not_asked_of_leaf_nodes(ServerKind kind)
    {
        var leafs = "leafnodes { listen: \"127.0.0.1:-1\" }\naccounts { A { users: [{ user: a, password: p }, { user: \"bob@x.org\" }] } }";
        await using var server = await TlsServers.StartAsync(kind, _certificates, "verify_and_map: true", leafs);
        var port = await LeafPair.LeafPortAsync(server);

        foreach (var (user, isAdmitted) in new[] { ("\"user\":\"a\",\"pass\":\"p\"", true), ("\"user\":\"bob@x.org\"", false) })
        {
            await using var leaf = await RawConnection.OpenAsync(port);
            await leaf.SendAsync($"CONNECT {{\"name\":\"l\",\"version\":\"2.15.1\",{user}}}\r\n");
            Assert.Equal(!isAdmitted, (await leaf.FenceAmidMessagesAsync()).Contains("Authorization Violation", StringComparison.Ordinal));
        }
    }

    public void Dispose()
    {
        _alice.Dispose();
        _bob.Dispose();
        _certificates.Dispose();
    }

    private async Task<bool> JoinsAsync(int port, X509Certificate2 certificate, string? user)
    {
        // Each time another server: the one before may not be forgotten yet.
        var peer = $"NPEER{++_peers}";
        var name = user is null ? "" : $",\"user\":\"{user}\",\"pass\":\"secret\"";
        var info = $"INFO {{\"server_id\":\"{peer}\",\"server_name\":\"{peer}\",\"version\":\"2.15.1\",\"proto\":1,\"host\":\"127.0.0.1\",\"port\":1,\"cluster\":\"mesh\",\"headers\":true,\"max_payload\":1048576}}\r\n";
        var answer = await AskAsync(port, certificate, infoComesFirst: false, $"CONNECT {{\"name\":\"{peer}\",\"cluster\":\"mesh\",\"headers\":true,\"verbose\":false,\"pedantic\":false{name}}}\r\n{info}PING\r\n");
        return !answer.Contains("Authorization Violation", StringComparison.Ordinal) && answer.Contains("PONG", StringComparison.Ordinal);
    }

    // The account in the INFO for a leaf node that was admitted.
    private static async Task<string?> AccountOfAsync(int port, X509Certificate2 certificate, string? user)
    {
        var name = user is null ? "" : $",\"user\":\"{user}\"";
        var answer = await AskAsync(port, certificate, infoComesFirst: true, $"CONNECT {{\"name\":\"l\",\"version\":\"2.15.1\"{name}}}\r\nPING\r\n");
        return answer.Contains("PONG", StringComparison.Ordinal) && Account().Match(answer) is { Success: true } found ? found.Groups[1].Value : null;
    }

    // What comes until the answer to a PING, or until the server closes.
    private static async Task<string> AskAsync(int port, X509Certificate2 certificate, bool infoComesFirst, string frames)
    {
        using var patience = new CancellationTokenSource(Patience);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, port, patience.Token);
        var plain = client.GetStream();
        var one = new byte[1];
        while (infoComesFirst && one[0] != '\n') await plain.ReadExactlyAsync(one, patience.Token);
        await using var stream = new SslStream(plain);
        await stream.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = "localhost",
                RemoteCertificateValidationCallback = static (_, presented, _, _) => presented?.Issuer == "CN=Test authority",
                ClientCertificateContext = SslStreamCertificateContext.Create(certificate, null, offline: true),
            },
            patience.Token);
        await stream.WriteAsync(Encoding.ASCII.GetBytes(frames), patience.Token);
        var text = new StringBuilder();
        var buffer = new byte[16 * 1024];
        try
        {
            while (!text.ToString().Contains("PONG\r\n", StringComparison.Ordinal) && await stream.ReadAsync(buffer, patience.Token) is > 0 and var count)
                text.Append(Encoding.ASCII.GetString(buffer, 0, count));
        }
        catch (IOException)
        {
            // The server answered and reset the connection.
        }
        return text.ToString();
    }

    [GeneratedRegex("\"remote_account\":\"([^\"]*)\"")]
    private static partial Regex Account();
}
