using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.RegularExpressions;

namespace Postrider.InteropTests.WebSockets;

/// <summary>Writes a handshake and frames as bytes, and shows everything that the server answers until it closes.</summary>
internal static partial class RawWebSocket
{
    /// <summary>The lines of a request that is accepted.</summary>
    public const string Request = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>A masked frame.</summary>
    /// <param name="first">The first byte: 82 is a whole message of bytes.</param>
    /// <param name="payload">The payload, one character a byte.</param>
    public static byte[] Frame(byte first, string payload)
    {
        byte[] key = [0x12, 0x34, 0x56, 0x78];
        var bytes = Encoding.Latin1.GetBytes(payload);
        for (var i = 0; i < bytes.Length; i++) bytes[i] ^= key[i & 3];
        byte[] length = bytes.Length switch
        {
            <= 125 => [(byte)(0x80 | bytes.Length)],
            <= ushort.MaxValue => [0x80 | 126, (byte)(bytes.Length >> 8), (byte)bytes.Length],
            _ => [0x80 | 127, 0, 0, 0, 0, (byte)(bytes.Length >> 24), (byte)(bytes.Length >> 16), (byte)(bytes.Length >> 8), (byte)bytes.Length],
        };
        return [first, .. length, .. key, .. bytes];
    }

    /// <summary>Sends a request, then frames once it was answered, and reads to the end.</summary>
    /// <param name="port">The port of the listener.</param>
    /// <param name="request">The head of the request.</param>
    /// <param name="frames">What follows the server's INFO; empty ends the sending at once.</param>
    /// <returns>What the server sent: the answer's head, then each frame in words, then how the connection ended.</returns>
    public static async Task<string> ExchangeAsync(int port, string request, byte[] frames)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(IPAddress.Loopback, port);
        var received = new List<byte>();
        await SendAsync(socket, Encoding.Latin1.GetBytes(request));
        // A connection that was refused may stay open for another request.
        await UntilAsync(socket, received, static bytes => Head(bytes).Length > 0 && (!IsAccepted(bytes) || HasFrame(bytes)));
        if (!IsAccepted(received)) return Describe(received);
        await SendAsync(socket, frames);
        await UntilAsync(socket, received, static _ => false);
        return Describe(received);
    }

    private static async Task SendAsync(Socket socket, byte[] bytes)
    {
        try
        {
            for (var rest = bytes.AsMemory(); rest.Length > 0;) rest = rest[await socket.SendAsync(rest)..];
        }
        catch (SocketException)
        {
            // The server has closed: what it answered is what counts.
        }
    }

    private static async Task<bool> UntilAsync(Socket socket, List<byte> received, Func<List<byte>, bool> satisfied)
    {
        using var patience = new CancellationTokenSource(Patience);
        var buffer = new byte[64 * 1024];
        while (!satisfied(received))
        {
            try
            {
                var count = await socket.ReceiveAsync(buffer.AsMemory(), patience.Token);
                if (count == 0) return false;
                received.AddRange(buffer.AsSpan(0, count));
            }
            catch (SocketException)
            {
                return false;
            }
        }
        return true;
    }

    private static string Head(List<byte> bytes)
    {
        var text = Encoding.Latin1.GetString([.. bytes]);
        var end = text.IndexOf("\r\n\r\n", StringComparison.Ordinal);
        return end < 0 ? "" : text[..(end + 4)];
    }

    private static bool IsAccepted(List<byte> bytes) => Head(bytes).StartsWith("HTTP/1.1 101", StringComparison.Ordinal);

    private static bool HasFrame(List<byte> bytes) => Head(bytes) is { Length: > 0 } head && bytes.Count > head.Length + 10;

    private static string Describe(List<byte> bytes)
    {
        var head = Head(bytes);
        var fields = head.Split("\r\n", StringSplitOptions.RemoveEmptyEntries).Where(static line => !line.StartsWith("Date:", StringComparison.Ordinal)).Order(StringComparer.OrdinalIgnoreCase);
        var rest = bytes.Skip(head.Length).ToArray().AsSpan();
        // Ours closes after it has refused.
        if (!IsAccepted(bytes)) return string.Join('\n', fields.Where(static line => line != "Connection: close")).ToLowerInvariant();
        var lines = new List<string> { string.Join('\n', fields) };
        var text = new StringBuilder();
        while (rest.Length >= 2)
        {
            var (opcode, isCompressed, length, start) = (rest[0] & 0x0F, (rest[0] & 0x40) != 0, (int)rest[1], 2);
            if (length == 126) (length, start) = ((rest[2] << 8) | rest[3], 4);
            else if (length == 127) (length, start) = ((rest[6] << 24) | (rest[7] << 16) | (rest[8] << 8) | rest[9], 10);
            if (rest.Length < start + length) break;
            var payload = rest.Slice(start, length);
            // Which bytes come in which frame is the server's own choice.
            if (isCompressed) text.Append(Encoding.Latin1.GetString(Inflate(payload.ToArray())));
            else if (opcode is 1 or 2) text.Append(Encoding.Latin1.GetString(payload));
            else if (opcode == 8) text.Append(payload.Length < 2 ? "[close]" : $"[close {(payload[0] << 8) | payload[1]} {Encoding.UTF8.GetString(payload[2..])}]");
            else text.Append($"[{opcode} {Encoding.Latin1.GetString(payload)}]");
            rest = rest[(start + length)..];
        }
        lines.Add(Info().Replace(text.ToString(), "INFO\n"));
        return string.Join('\n', lines);
    }

    private static byte[] Inflate(byte[] payload)
    {
        using var source = new MemoryStream([.. payload, 0x00, 0x00, 0xFF, 0xFF, 0x01, 0x00, 0x00, 0xFF, 0xFF]);
        using var inflate = new DeflateStream(source, CompressionMode.Decompress);
        using var target = new MemoryStream();
        inflate.CopyTo(target);
        return target.ToArray();
    }

    [GeneratedRegex("INFO \\{.*?\\} \r\n")]
    private static partial Regex Info();
}
