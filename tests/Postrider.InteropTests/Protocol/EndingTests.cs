using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Protocol;

/// <summary>Ends of connections that are not an error's: both servers send the same and log the same.</summary>
public sealed partial class EndingTests
{
    private const int Messages = 40;
    private const int MessageBytes = 1024 * 1024;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static TheoryData<ServerKind> Both => DefaultServers.Both;

    public static MatrixTheoryData<ServerKind, (string Configuration, string Line)> Cuts => new(
        Enum.GetValues<ServerKind>(),
        [
            ("max_pending: 2MB", "Slow Consumer Detected: MaxPending of 2097152 Exceeded"),
            ("write_deadline: \"100ms\"", "Slow Consumer Detected: WriteDeadline of 100ms exceeded with # chunks of # total bytes."),
        ]);

    [Theory]
    [MemberData(nameof(Both))]
    public async Task Client_that_has_ended_its_side_gets_all_it_asked_for(ServerKind kind)
    {
        await using var server = await ServerProcess.StartAsync(kind);
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.Loopback, server.Port);
        await SayAsync(client, "CONNECT {\"verbose\":false}\r\nSUB own 1\r\nPING\r\n");
        await ReadAsync(client, static text => text.Contains("PONG\r\n", StringComparison.Ordinal));
        var publish = $"PUB own {MessageBytes}\r\n{new string('x', MessageBytes)}\r\n";

        await SayAsync(client, string.Concat(Enumerable.Repeat(publish, Messages)) + "PING\r\n");
        client.Shutdown(SocketShutdown.Send);
        var received = await ReadAsync(client, static _ => false);

        Assert.Equal([.. Enumerable.Repeat($"MSG own 1 {MessageBytes}", Messages), "PONG"], Frames(received));
    }

    [Theory]
    [InlineData(ServerKind.Go, "{\"verbose\":false,\"version\":\"1.2\",\"lang\":\"c\",\"name\":\"a \\\"b\\\"\"}", "", "client - \"v1.2:c:a \\\"b\\\"\"")]
    [InlineData(ServerKind.Postrider, "{\"verbose\":false,\"version\":\"1.2\",\"lang\":\"c\",\"name\":\"a \\\"b\\\"\"}", "", "client - \"v1.2:c:a \\\"b\\\"\"")]
    [InlineData(ServerKind.Go, "{\"verbose\":false,\"name\":\"n\",\"user\":\"u\",\"pass\":\"p\"}", "accounts { A { users [ { user: u, password: p } ] } }", "client - \"n\" - \"A/user:u\"")]
    [InlineData(ServerKind.Postrider, "{\"verbose\":false,\"name\":\"n\",\"user\":\"u\",\"pass\":\"p\"}", "accounts { A { users [ { user: u, password: p } ] } }", "client - \"n\" - \"A/user:u\"")]
    [InlineData(ServerKind.Go, "{\"verbose\":false,\"lang\":\"c\",\"auth_token\":\"t\"}", "authorization { token: t }", "client - \"c\" - \"$G/token\"")]
    [InlineData(ServerKind.Postrider, "{\"verbose\":false,\"lang\":\"c\",\"auth_token\":\"t\"}", "authorization { token: t }", "client - \"c\" - \"$G/token\"")]
    public async Task Log_names_the_client_and_its_user(ServerKind kind, string connect, string configuration, string client)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        var log = Path.Combine(folder.FullName, "server.log");
        await using var server = await ServerProcess.StartAsync(kind, "-D", "-c", ServerProcess.WriteConfiguration(configuration), "-l", log);
        await using (var named = await RawConnection.OpenAsync(server.Port))
        {
            await named.SendAsync($"CONNECT {connect}\r\n");
            await named.FenceAsync();
        }

        var line = "";
        await Eventually.HoldsAsync(async () => (line = (await ReadAsync(log)).FirstOrDefault(static text => text.Contains("Client connection closed", StringComparison.Ordinal))) is not null);
        Assert.Equal($"{client} - Client connection closed: Client Closed", Client().Replace(line![(line!.IndexOf("[DBG] ", StringComparison.Ordinal) + "[DBG] ".Length)..], "client"));
        folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Cuts))]
    public async Task Log_says_why_a_slow_consumer_was_cut_off(ServerKind kind, (string Configuration, string Line) cut)
    {
        var folder = Directory.CreateTempSubdirectory("postrider-interop-");
        var log = Path.Combine(folder.FullName, "server.log");
        await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(cut.Configuration), "-l", log);
        await using var slow = await RawConnection.OpenAsync(server.Port);
        await slow.SendAsync("CONNECT {\"verbose\":false}\r\nSUB many 1\r\n");
        await slow.FenceAsync();
        await using var publisher = await RawConnection.OpenAsync(server.Port);
        await publisher.SendAsync("CONNECT {\"verbose\":false}\r\n");
        var publish = $"PUB many {MessageBytes}\r\n{new string('x', MessageBytes)}\r\n";

        using var patience = new CancellationTokenSource(Patience);
        string? line;
        while ((line = (await ReadAsync(log)).FirstOrDefault(static text => text.Contains("Slow Consumer", StringComparison.Ordinal))) is null)
        {
            patience.Token.ThrowIfCancellationRequested();
            await publisher.SendAsync(publish);
            await publisher.FenceAsync();
        }

        Assert.Equal($"[INF] client - {cut.Line}", Told(line));
        folder.Delete(recursive: true);
    }

    private static async Task SayAsync(Socket client, string text)
    {
        using var patience = new CancellationTokenSource(Patience);
        for (var rest = Encoding.Latin1.GetBytes(text).AsMemory(); rest.Length > 0;) rest = rest[await client.SendAsync(rest, patience.Token)..];
    }

    // Everything until the last piece satisfies or the server closes.
    private static async Task<string> ReadAsync(Socket client, Func<string, bool> satisfied)
    {
        using var patience = new CancellationTokenSource(Patience);
        var buffer = new byte[64 * 1024];
        var (text, piece) = (new StringBuilder(), "");
        while (!satisfied(piece) && await client.ReceiveAsync(buffer, patience.Token) is > 0 and var received)
            text.Append(piece = Encoding.Latin1.GetString(buffer, 0, received));
        return text.ToString();
    }

    // The lines of the frames; the server's own PINGs, which come when they come, left out.
    private static IEnumerable<string> Frames(string received)
    {
        for (var at = 0; at < received.Length;)
        {
            var end = received.IndexOf("\r\n", at, StringComparison.Ordinal);
            Assert.True(end >= 0, $"Half a line at {at}.");
            var line = received[at..end];
            if (line != "PING") yield return line;
            at = end + 2 + (line.StartsWith("MSG ", StringComparison.Ordinal) ? MessageBytes + 2 : 0);
        }
    }

    // The server has the file open.
    private static async Task<string[]> ReadAsync(string file)
    {
        await using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(stream);
        return (await reader.ReadToEndAsync()).Split('\n', StringSplitOptions.TrimEntries);
    }

    // What differs from run to run is taken out: process, time, client, and how much waited.
    private static string Told(string line) => Amounts().Replace(Client().Replace(line[line.IndexOf("[INF]", StringComparison.Ordinal)..], "client"), "# chunks of # total");

    [GeneratedRegex("""127\.0\.0\.1:\d+ - cid:\d+""")]
    private static partial Regex Client();

    [GeneratedRegex("""\d+ chunks of \d+ total""")]
    private static partial Regex Amounts();
}
