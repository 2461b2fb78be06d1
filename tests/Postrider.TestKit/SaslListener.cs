using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Postrider.TestKit;

/// <summary>A server that speaks the beginning of Kafka's protocol over TLS: it collects the accounts that clients log in with by PLAIN,
/// and rejects each.</summary>
public sealed class SaslListener : IAsyncDisposable
{
    private const short ApiVersions = 18;
    private const short SaslHandshake = 17;
    private const short SaslAuthenticate = 36;
    private const short UnsupportedVersion = 35;
    private const short AuthenticationFailed = 58;
    private const int MaxRequestBytes = 64 * 1024;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly X509Certificate2 _certificate;
    private readonly ConcurrentDictionary<TcpClient, bool> _open = new();
    private readonly TaskCompletionSource<(string User, string Password)> _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _end = new();
    private readonly Task _accepting;

    public SaslListener(X509Certificate2 certificate)
    {
        _certificate = certificate;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>The account of the first client that logged in.</summary>
    public Task<(string User, string Password)> FirstAccount => _first.Task;

    public async ValueTask DisposeAsync()
    {
        // Before the listener stops: an accept that begins behind its stop would fail.
        await _end.CancelAsync();
        await _accepting;
        _listener.Stop();
        foreach (var client in _open.Keys)
            client.Close();
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = ServeAsync(await _listener.AcceptTcpClientAsync(_end.Token));
        }
        catch (OperationCanceledException)
        {
            // The listener stops.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        _open[client] = true;
        using (client)
        {
            try
            {
                await using var tls = new SslStream(client.GetStream());
                await tls.AuthenticateAsServerAsync(_certificate);
                while (await ReadAsync(tls) is { } request)
                    await tls.WriteAsync(Answer(request));
            }
            catch (Exception gone) when (gone is IOException or SocketException or ObjectDisposedException or System.Security.Authentication.AuthenticationException)
            {
                // The client has left, or does not trust the certificate.
            }
        }

        _open.TryRemove(client, out _);
    }

    private static async Task<byte[]?> ReadAsync(SslStream tls)
    {
        var size = new byte[4];
        if (await tls.ReadAtLeastAsync(size, 4, throwOnEndOfStream: false) < 4)
            return null;
        var length = BinaryPrimitives.ReadInt32BigEndian(size);
        if (length is < 8 or > MaxRequestBytes)
            throw new IOException($"A request of {length} bytes.");
        var request = new byte[length];
        await tls.ReadExactlyAsync(request);
        return request;
    }

    // Key, version and number of the request come first.
    private byte[] Answer(byte[] request)
    {
        var (key, version) = (BinaryPrimitives.ReadInt16BigEndian(request), BinaryPrimitives.ReadInt16BigEndian(request.AsSpan(2)));
        var body = new MemoryStream();
        body.Write(request.AsSpan(4, 4));
        switch (key)
        {
            case ApiVersions:
                // In the format of version 0, whatever was asked for.
                Write(body, version == 0 ? (short)0 : UnsupportedVersion);
                Write(body, 3);
                foreach (var (api, max) in ((short, short)[])[(ApiVersions, 0), (SaslHandshake, 1), (SaslAuthenticate, 0)])
                {
                    Write(body, api);
                    Write(body, (short)0);
                    Write(body, max);
                }

                break;
            case SaslHandshake:
                Write(body, (short)0);
                Write(body, 1);
                Write(body, "PLAIN");
                break;
            case SaslAuthenticate:
                Note(request);
                Write(body, AuthenticationFailed);
                Write(body, "This account is not known here.");
                Write(body, 0);
                break;
            default:
                throw new IOException($"Request {key} without a login.");
        }

        var answer = new byte[4 + body.Length];
        BinaryPrimitives.WriteInt32BigEndian(answer, (int)body.Length);
        body.ToArray().CopyTo(answer, 4);
        return answer;
    }

    // After the client's name: the length of the token, an empty identity, the user and the password, with a zero before each.
    private void Note(byte[] request)
    {
        var name = Math.Max(0, (int)BinaryPrimitives.ReadInt16BigEndian(request.AsSpan(8)));
        var parts = Encoding.UTF8.GetString(request.AsSpan(10 + name + 4)).Split('\0');
        _first.TrySetResult((parts[1], parts[2]));
    }

    private static void Write(Stream body, short value)
    {
        Span<byte> bytes = stackalloc byte[2];
        BinaryPrimitives.WriteInt16BigEndian(bytes, value);
        body.Write(bytes);
    }

    private static void Write(Stream body, int value)
    {
        Span<byte> bytes = stackalloc byte[4];
        BinaryPrimitives.WriteInt32BigEndian(bytes, value);
        body.Write(bytes);
    }

    private static void Write(Stream body, string value)
    {
        Write(body, (short)value.Length);
        body.Write(Encoding.UTF8.GetBytes(value));
    }
}
