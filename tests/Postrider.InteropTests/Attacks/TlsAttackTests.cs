using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Attacks;

/// <summary>Attempts on ports with TLS: both servers reject them, send the same unencrypted bytes, report the same reason and keep serving.</summary>
public sealed class TlsAttackTests(TlsAttackServers servers) : IClassFixture<TlsAttackServers>
{
    private const string Accepted = "accepted";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    // docs/conformance.md: what Go's server notes, and ours.
    private static readonly Dictionary<string, (string Go, string Own)> Decided = new(StringComparer.Ordinal)
    {
        ["end without a byte"] = ("\nTLS Handshake Failure", "\nClient Closed"),
    };

    public static TheoryData<string> Names => [.. TlsAttacks.All.Keys];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Client_is_refused_as_by_Gos_server(string name)
    {
        var attack = TlsAttacks.All[name];

        var go = await TryAsync(servers[ServerKind.Go, attack.Server], attack);
        var own = await TryAsync(servers[ServerKind.Postrider, attack.Server], attack);

        if (Decided.TryGetValue(name, out var decided)) Assert.Equal(decided, (go, own));
        else Assert.Equal(go, own);
        Assert.DoesNotContain(Accepted, own, StringComparison.Ordinal);
        Assert.DoesNotContain("PONG", own, StringComparison.Ordinal);
        Assert.True((await servers[ServerKind.Postrider, attack.Server].MonitorAsync("varz")).TryGetProperty("server_id", out _));
    }

    [Theory]
    [InlineData(TlsAttackServers.Verifying, false)]
    [InlineData(TlsAttackServers.Verifying, true)]
    [InlineData(TlsAttackServers.Pinning, false)]
    [InlineData(TlsAttackServers.Pinning, true)]
    [InlineData(TlsAttackServers.Newest, false)]
    public async Task Client_with_the_right_certificate_is_accepted(string server, bool isTls12)
    {
        var attempt = new TlsAttack(server) { Certificate = static servers => servers.Pinned, IsTls12 = isTls12 };

        foreach (var kind in Enum.GetValues<ServerKind>()) Assert.StartsWith(Accepted, await TryAsync(servers[kind, server], attempt), StringComparison.Ordinal);
    }

    private async Task<string> TryAsync(ServerProcess server, TlsAttack attack)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, server.Port);
        var id = await ReadInfoAsync(socket);
        var answer = attack.Bytes is { } bytes ? await SendAsync(socket, bytes, attack.EndsItsSide) : await HandshakeAsync(socket, attack.Certificate?.Invoke(servers), attack.IsTls12);
        socket.Dispose();
        return $"{answer}\n{await ReasonAsync(server, id)}";
    }

    private static async Task<ulong> ReadInfoAsync(Socket socket)
    {
        var line = new StringBuilder();
        var one = new byte[1];
        while (one[0] != '\n' && await socket.ReceiveAsync(one.AsMemory()).AsTask().WaitAsync(Patience) > 0) line.Append((char)one[0]);
        return JsonDocument.Parse(line.ToString()["INFO ".Length..]).RootElement.GetProperty("client_id").GetUInt64();
    }

    // What the server sends in the clear until it closes the connection, without alerts: which one, if any, is the TLS library's choice.
    private static async Task<string> SendAsync(Socket socket, byte[] bytes, bool ends)
    {
        var text = new StringBuilder();
        var buffer = new byte[8192];
        try
        {
            await socket.SendAsync(bytes).WaitAsync(Patience);
            if (ends) socket.Shutdown(SocketShutdown.Send);
            while (await socket.ReceiveAsync(buffer.AsMemory()).AsTask().WaitAsync(Patience) is > 0 and var count) text.Append(Encoding.Latin1.GetString(buffer, 0, count));
        }
        catch (SocketException)
        {
            // The server answered and reset the connection.
        }
        var answer = text.ToString();
        var alert = answer.IndexOf('\x15', StringComparison.Ordinal);
        return alert < 0 ? answer : answer[..alert];
    }

    private static async Task<string> HandshakeAsync(Socket socket, X509Certificate2? certificate, bool isTls12)
    {
        await using var stream = new SslStream(new NetworkStream(socket, ownsSocket: false));
        var options = new SslClientAuthenticationOptions
        {
            TargetHost = "localhost",
            EnabledSslProtocols = isTls12 ? SslProtocols.Tls12 : SslProtocols.None,
            RemoteCertificateValidationCallback = static (_, presented, _, _) => presented?.Issuer == "CN=Test authority",
            // Sent regardless of the issuers that the server accepts.
            ClientCertificateContext = certificate is null ? null : SslStreamCertificateContext.Create(certificate, null, offline: true),
        };
        try
        {
            await stream.AuthenticateAsClientAsync(options).WaitAsync(Patience);
            await stream.WriteAsync("CONNECT {\"verbose\":false}\r\nPING\r\n"u8.ToArray()).AsTask().WaitAsync(Patience);
            var buffer = new byte[8192];
            var count = await stream.ReadAsync(buffer).AsTask().WaitAsync(Patience);
            return Encoding.ASCII.GetString(buffer, 0, count).Contains("PONG", StringComparison.Ordinal) ? Accepted : count == 0 ? "refused" : "answered";
        }
        catch (Exception end) when (end is AuthenticationException or IOException)
        {
            return "refused";
        }
    }

    // The server notes the end a moment after the client has seen it.
    private static Task<string> ReasonAsync(ServerProcess server, ulong id)
        => Eventually.GivesAsync(async () =>
        {
            var page = await server.MonitorAsync("connz?state=closed&limit=10000");
            foreach (var closed in page.GetProperty("connections").EnumerateArray())
            {
                if (closed.GetProperty("cid").GetUInt64() == id) return closed.GetProperty("reason").GetString();
            }
            return null;
        });
}
