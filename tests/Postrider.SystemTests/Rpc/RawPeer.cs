using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Postrider.Rpc;

namespace Postrider.SystemTests.Rpc;

/// <summary>A caller that writes its frames by hand.</summary>
internal sealed class RawPeer : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly Socket _socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };

    /// <summary>A greeting for MessagePack.</summary>
    public static byte[] Hello(uint magic = 0x43505250, byte version = 1, uint most = 1 << 20, uint window = 1 << 16, string type = "application/msgpack")
        => Frame(1, 0, 0, [.. U32(magic), version, .. U32(most), .. U32(window), (byte)type.Length, .. Encoding.UTF8.GetBytes(type)]);

    public static byte[] Name(uint number, string path) => Frame(2, 0, number, [.. U16(path.Length), .. Encoding.UTF8.GetBytes(path)]);

    public static byte[] Request(uint call, int operation, byte[] body, byte flags = 0) => Frame(3, flags, call, [.. U16(operation), .. body]);

    public static byte[] Frame(byte kind, byte flags, uint call, byte[] body) => [.. U32((uint)body.Length + 6), kind, flags, .. U32(call), .. body];

    public static byte[] U16(int value)
    {
        var bytes = new byte[2];
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)value);
        return bytes;
    }

    public static byte[] U32(uint value)
    {
        var bytes = new byte[4];
        BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
        return bytes;
    }

    public static async Task<RawPeer> OpenAsync(EndPoint server)
    {
        var peer = new RawPeer();
        await peer._socket.ConnectAsync(server).WaitAsync(Patience);
        return peer;
    }

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

    /// <summary>The next frame, or null when the server closed.</summary>
    public async Task<(byte Kind, uint Call, byte[] Body)?> ReadAsync()
    {
        var head = new byte[10];
        if (!await FillAsync(head))
            return null;
        var body = new byte[BinaryPrimitives.ReadUInt32LittleEndian(head) - 6];
        return await FillAsync(body) ? (head[4], BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(6)), body) : null;
    }

    /// <summary>The next error: of a call, or of the connection (0).</summary>
    public async Task<(RpcStatus Status, uint Call)?> ReadErrorAsync()
    {
        while (await ReadAsync() is { } frame)
        {
            if (frame.Kind == 5)
                return ((RpcStatus)frame.Body[0], frame.Call);
        }

        return null;
    }

    /// <summary>Reads whatever comes, until the server has closed.</summary>
    public async Task ReadToEndAsync()
    {
        while (await FillAsync(new byte[1]))
        {
            // Of no interest.
        }
    }

    public void Dispose() => _socket.Dispose();

    private async Task<bool> FillAsync(byte[] bytes)
    {
        try
        {
            for (var got = 0; got < bytes.Length;)
            {
                var read = await _socket.ReceiveAsync(bytes.AsMemory(got), SocketFlags.None).AsTask().WaitAsync(Patience);
                if (read == 0)
                    return false;
                got += read;
            }

            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
