using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Attacks;

/// <summary>Probes of the monitoring port: both servers answer with the same status, tell no secret, and go on serving.</summary>
public sealed class MonitoringAttackTests(AttackServers servers) : IClassFixture<AttackServers>
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    // Where the two have different pages or readers of HTTP, on purpose: the statuses of nats-server and of ours, and why.
    private static readonly Dictionary<string, (string Go, string Own, string Reason)> Decided = new(StringComparer.Ordinal)
    {
        ["path of a hundred thousand letters"] = ("404", "414", "A line of a request has a limit."),
        ["path: /../varz"] = ("301", "200", "Dots are resolved before the page is looked for; the page is public."),
        ["path: /..%2fvarz"] = ("301", "404", "There is no such page."),
        ["path: /%2e%2e/etc/passwd"] = ("301", "404", "There is no such page."),
        ["path: /../../../../etc/passwd"] = ("301", "404", "There is no such page."),
        ["path: /varz/../../etc/passwd"] = ("301", "404", "There is no such page."),
        ["path: /stacksz"] = ("200", "404", "Stacks are those of Go's runtime."),
        ["path: /debug/vars"] = ("200", "404", "Variables are those of Go's runtime."),
        ["path: /gatewayz?accs=x"] = ("400", "200", "There are no gateways, and the query is not read."),
        ["path: /jsz?accounts=x"] = ("400", "200", "Without JetStream the query is not read."),
    };

    public static TheoryData<string> Names => [.. MonitoringAttacks.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Probe_ends_as_on_Gos_server(string name)
    {
        var go = await AskAsync(ServerKind.Go, MonitoringAttacks.All[name]);
        var own = await AskAsync(ServerKind.Postrider, MonitoringAttacks.All[name]);

        var expected = Decided.TryGetValue(name, out var decided) ? (decided.Go, decided.Own) : (StatusOf(go), StatusOf(go));
        Assert.Equal(expected, (StatusOf(go), StatusOf(own)));
        Assert.DoesNotContain("\"p\"", own, StringComparison.Ordinal);
        Assert.DoesNotContain("/root", own, StringComparison.Ordinal);
        Assert.StartsWith("200", StatusOf(await AskAsync(ServerKind.Postrider, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")), StringComparison.Ordinal);
    }

    private async Task<string> AskAsync(ServerKind kind, string request)
    {
        using var patience = new CancellationTokenSource(Patience);
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(IPAddress.Loopback, servers[kind].MonitoringPort, patience.Token);
        var answer = new StringBuilder();
        var reading = ReadAsync(socket, answer, patience.Token);
        try
        {
            for (var rest = Encoding.Latin1.GetBytes(request).AsMemory(); rest.Length > 0;) rest = rest[await socket.SendAsync(rest, patience.Token)..];
        }
        catch (SocketException)
        {
            // It has had enough; what it answered counts.
        }
        await reading;
        return answer.ToString();
    }

    private static async Task ReadAsync(Socket socket, StringBuilder answer, CancellationToken ct)
    {
        var buffer = new byte[64 * 1024];
        try
        {
            while (await socket.ReceiveAsync(buffer.AsMemory(), ct) is var count and > 0) answer.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
        catch (Exception end) when (end is SocketException or OperationCanceledException)
        {
            // Reset behind its answer, or it waits for more.
        }
    }

    private static string StatusOf(string answer) => answer.StartsWith("HTTP/", StringComparison.Ordinal) ? answer[9..12] : answer.Length == 0 ? "none" : "other";
}
