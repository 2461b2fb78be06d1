using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace Postrider.SystemTests.Rpc;

/// <summary>A caller that writes its requests by hand.</summary>
internal sealed class RawHttp : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    public static async Task<RawHttp> OpenAsync(EndPoint server)
    {
        var raw = new RawHttp();
        await raw._socket.ConnectAsync(server).WaitAsync(Patience);
        return raw;
    }

    /// <summary>A request that asks for the connection's end after its answer.</summary>
    public static byte[] Post(string path, string type, byte[] body, string extra = "")
        => [.. Encoding.Latin1.GetBytes($"POST {path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: {type}\r\nContent-Length: {body.Length}\r\n{extra}\r\n"), .. body];

    public async Task SendAsync(byte[] bytes)
    {
        try
        {
            for (var sent = 0; sent < bytes.Length;)
                sent += await _socket.SendAsync(bytes.AsMemory(sent), SocketFlags.None).AsTask().WaitAsync(Patience);
        }
        catch (SocketException)
        {
            // The server has closed: what it said before is still to be read.
        }
    }

    /// <summary>Says that nothing more will come.</summary>
    public void Finish()
    {
        try
        {
            _socket.Shutdown(SocketShutdown.Send);
        }
        catch (SocketException)
        {
            // The server was faster.
        }
    }

    /// <summary>Ends the connection in the middle, with a reset.</summary>
    public void Reset()
    {
        _socket.LingerState = new LingerOption(enable: true, 0);
        _socket.Dispose();
    }

    /// <summary>Everything until the server has closed.</summary>
    public Task<byte[]> ReadToEndAsync() => ReadAsync(static _ => false);

    /// <summary>Everything until some bytes have come, or the server has closed.</summary>
    public Task<byte[]> ReadUntilAsync(byte[] mark) => ReadAsync(all => all.GetBuffer().AsSpan(0, (int)all.Length).IndexOf(mark) >= 0);

    /// <summary>The status of the answer, and its body; 0 where the connection ended without one.</summary>
    public async Task<(int Status, string Text)> ReadAnswerAsync()
    {
        var text = Encoding.UTF8.GetString(await ReadToEndAsync());
        return text.StartsWith("HTTP/1.1 ", StringComparison.Ordinal) ? (int.Parse(text.AsSpan(9, 3), CultureInfo.InvariantCulture), text) : (0, text);
    }

    public void Dispose() => _socket.Dispose();

    private async Task<byte[]> ReadAsync(Predicate<MemoryStream> isEnough)
    {
        var all = new MemoryStream();
        var buffer = new byte[16 * 1024];
        try
        {
            while (!isEnough(all) && await _socket.ReceiveAsync(buffer, SocketFlags.None).WaitAsync(Patience) is > 0 and var read)
                all.Write(buffer, 0, read);
        }
        catch (SocketException)
        {
            // A reset is an end, too.
        }

        return all.ToArray();
    }
}
