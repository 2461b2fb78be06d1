using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Tls;

/// <summary>The same bytes to both servers: what they answer, how they end the connection, what monitoring says of it.</summary>
public sealed class TlsAnswerTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly TestCertificates _certificates = new();

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [InlineData("", "", "CONNECT {}\r\nPING\r\n")]
    [InlineData("", "", "GET / HTTP/1.1\r\n\r\n")]
    [InlineData("", "", "\x16garbage that is no record")]
    [InlineData("timeout: 0.3", "", "")]
    [InlineData("timeout: 0.3", "", "\x16\x03\x01")]
    [InlineData("", "allow_non_tls: true", "CONNECT {\"verbose\":false}\r\nPING\r\nSUB a b c d\r\n")]
    [InlineData("", "allow_non_tls: true", "\x16garbage that is no record")]
    [InlineData("handshake_first: true", "", "CONNECT {}\r\nPING\r\n")]
    [InlineData("handshake_first: true, timeout: 0.3", "", "")]
    [InlineData("handshake_first: \"100ms\", timeout: 0.4", "", "")]
    [InlineData("handshake_first: \"100ms\", timeout: 0.4", "allow_non_tls: true", "CONNECT {}\r\n")]
    [InlineData("verify: true", "", "CONNECT {}\r\n")]
    // Ours does not remember a connection that was one too many.
    [InlineData("", "max_connections: 0", "", false)]
    public async Task Bytes_in_the_clear_get_the_same_answer(string block, string more, string bytes, bool comparesReason = true)
    {
        var answers = new List<string>();
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await TlsServers.StartAsync(kind, _certificates, block, more);
            answers.Add($"{await ExchangeAsync(server, bytes)}\n{(comparesReason ? await ReasonAsync(server) : "")}");
        }

        Assert.Equal(answers[0], answers[1]);
    }

    [Theory]
    [InlineData("")]
    [InlineData("verify: true")]
    [InlineData("handshake_first: true")]
    [InlineData("min_version: \"1.3\"")]
    [InlineData("cipher_suites: [\"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256\"]")]
    [InlineData("cipher_suites: [\"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384\"]", SslProtocols.Tls12)]
    public async Task Monitoring_shows_the_same_of_a_connection(string block, SslProtocols protocols = SslProtocols.None)
    {
        var shown = new List<string>();
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await TlsServers.StartAsync(kind, _certificates, block);
            await using var stream = await OpenAsync(server, infoFirst: !block.Contains("first", StringComparison.Ordinal), protocols);
            var varz = await server.MonitorAsync("varz");
            JsonElement connection = default;
            // The client's end of the handshake comes before the server's.
            await Eventually.HoldsAsync(async () =>
            {
                connection = (await server.MonitorAsync("connz?auth=1")).GetProperty("connections")[0];
                return connection.TryGetProperty("tls_version", out _);
            });
            shown.Add(string.Join('\n', [
                .. Fields(varz, "tls_required", "tls_verify", "tls_timeout", "tls_cert_not_after"),
                .. Fields(connection, "tls_version", "tls_peer_certs", "tls_first", "type", "kind"),
                // Which of those that both sides take is the library's choice.
                connection.GetProperty("tls_cipher_suite").GetString()![..4],
            ]));
        }

        Assert.Equal(shown[0], shown[1]);
    }

    [Fact]
    public async Task Certificate_is_renewed_by_a_reload_while_connections_stay()
    {
        foreach (var kind in (ServerKind[])[ServerKind.Go, ServerKind.Postrider])
        {
            await using var server = await TlsServers.StartAsync(kind, _certificates);
            await using var before = await OpenAsync(server, infoFirst: true);
            await before.WriteAsync("CONNECT {\"verbose\":false}\r\n"u8.ToArray());
            var renewed = _certificates.IssueServer("server", "localhost");

            await ForeignProgram.RunAsync("kill", "-HUP", server.ProcessId.ToString(System.Globalization.CultureInfo.InvariantCulture));

            await Eventually.HoldsAsync(async () =>
            {
                await using var now = await OpenAsync(server, infoFirst: true);
                return ((X509Certificate2)now.RemoteCertificate!).Thumbprint == renewed.Thumbprint;
            });
            await before.WriteAsync("PING\r\n"u8.ToArray());
            Assert.Equal("PONG\r\n", await ReadTextAsync(before, 6));
        }
    }

    [Theory]
    [InlineData(ServerKind.Go)]
    [InlineData(ServerKind.Postrider)]
    public async Task Monitoring_is_served_over_HTTPS(ServerKind kind)
    {
        var configuration = ServerProcess.WriteConfiguration(
            $"https: \"127.0.0.1:-1\"\ntls {{ cert_file: \"{_certificates.ServerFile}\", key_file: \"{_certificates.ServerKeyFile}\", ca_file: \"{_certificates.CaFile}\", verify: true }}");
        await using var server = await ServerProcess.StartAsync(kind, "-c", configuration);
        using var handler = new SocketsHttpHandler { SslOptions = { RemoteCertificateValidationCallback = (_, certificate, _, _) => IsOfTheTest(certificate) } };
        using var http = new HttpClient(handler);

        var varz = JsonDocument.Parse(await http.GetStringAsync(new Uri($"https://localhost:{server.MonitoringPort}/varz"))).RootElement;

        Assert.True(varz.GetProperty("tls_required").GetBoolean());
        Assert.StartsWith("https://", server.Ports.GetProperty("monitoring")[0].GetString(), StringComparison.Ordinal);
        Assert.StartsWith("tls://", server.Ports.GetProperty("nats")[0].GetString(), StringComparison.Ordinal);
    }

    private static bool IsOfTheTest(X509Certificate? certificate) => certificate?.Issuer == "CN=Test authority";

    private static IEnumerable<string> Fields(JsonElement page, params string[] names)
        => names.Select(name => $"{name}: {(page.TryGetProperty(name, out var value) ? value.GetRawText() : "absent")}".Replace(" ", "", StringComparison.Ordinal).Replace("\n", "", StringComparison.Ordinal));

    // The server notes the end a moment after the client has seen it.
    private static Task<string> ReasonAsync(ServerProcess server)
        => Eventually.GivesAsync(async () =>
        {
            var closed = (await server.MonitorAsync("connz?state=closed")).GetProperty("connections");
            return closed.GetArrayLength() > 0 ? closed[0].GetProperty("reason").GetString() : null;
        });

    // The answer without what differs from server to server: INFO by its TLS fields.
    private static async Task<string> ExchangeAsync(ServerProcess server, string bytes)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync("127.0.0.1", server.Port);
        if (bytes.Length > 0) await socket.SendAsync(Encoding.Latin1.GetBytes(bytes));
        var text = new StringBuilder();
        var buffer = new byte[8192];
        try
        {
            while (await socket.ReceiveAsync(buffer.AsMemory()).AsTask().WaitAsync(Patience) is > 0 and var count)
            {
                text.Append(Encoding.Latin1.GetString(buffer, 0, count));
                if (text.ToString().Contains("'Unknown Protocol Operation'", StringComparison.Ordinal)) break;
            }
        }
        catch (SocketException)
        {
            text.Append("(reset)");
        }
        return Without(text.ToString());
    }

    private static string Without(string text)
    {
        var shown = new StringBuilder();
        foreach (var line in text.Split("\r\n"))
        {
            if (!line.StartsWith("INFO ", StringComparison.Ordinal)) shown.Append(line).Append('\n');
            else shown.Append("INFO ").AppendJoin(' ', Fields(JsonDocument.Parse(line[5..]).RootElement, "tls_required", "tls_verify", "tls_available")).Append('\n');
        }
        // How an alert is worded, and whether one is sent to what is no client, is the library's.
        var answer = shown.ToString().Replace("(reset)", "", StringComparison.Ordinal);
        var alert = answer.IndexOf('\x15', StringComparison.Ordinal);
        return (alert < 0 ? answer : answer[..alert]).Trim();
    }

    private async Task<SslStream> OpenAsync(ServerProcess server, bool infoFirst, SslProtocols protocols = SslProtocols.None)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync("127.0.0.1", server.Port);
        var stream = new SslStream(new NetworkStream(socket, ownsSocket: true), false, static (_, certificate, _, _) => IsOfTheTest(certificate));
        if (infoFirst) await ReadLineAsync(stream, socket);
        await stream.AuthenticateAsClientAsync("localhost", [_certificates.Client], protocols, checkCertificateRevocation: false).WaitAsync(Patience);
        if (!infoFirst) await ReadLineAsync(stream, null);
        return stream;
    }

    private static async Task ReadLineAsync(Stream stream, Socket? socket)
    {
        var one = new byte[1];
        while (one[0] != '\n')
        {
            var count = socket is null ? await stream.ReadAsync(one).AsTask().WaitAsync(Patience) : await socket.ReceiveAsync(one.AsMemory()).AsTask().WaitAsync(Patience);
            if (count == 0) return;
        }
    }

    private static async Task<string> ReadTextAsync(Stream stream, int count)
    {
        var bytes = new byte[count];
        await stream.ReadExactlyAsync(bytes).AsTask().WaitAsync(Patience);
        return Encoding.ASCII.GetString(bytes);
    }
}
