using System.Buffers.Binary;
using System.Text;
using Postrider.Rpc;
using Postrider.Rpc.Framing;

namespace Postrider.UnitTests.Rpc.Sockets;

/// <summary>A caller that sends any frames it likes.</summary>
internal sealed class RawPeer(Stream stream) : IDisposable
{
    public static byte[] Text(string text, int lengthBytes)
    {
        var utf8 = Encoding.UTF8.GetBytes(text);
        return lengthBytes == 1 ? [(byte)utf8.Length, .. utf8] : [(byte)utf8.Length, (byte)(utf8.Length >> 8), .. utf8];
    }

    public async Task GreetAsync(int maxMessageBytes = 16 * 1024 * 1024, int windowBytes = int.MaxValue)
    {
        var hello = new byte[13];
        BinaryPrimitives.WriteUInt32LittleEndian(hello, FrameFormat.Magic);
        hello[4] = FrameFormat.Version;
        BinaryPrimitives.WriteInt32LittleEndian(hello.AsSpan(5), maxMessageBytes);
        BinaryPrimitives.WriteInt32LittleEndian(hello.AsSpan(9), windowBytes);
        await SendAsync(RpcFrameKind.Hello, 0, [.. hello, .. Text("application/msgpack", 1)]);
        await ReadAsync();
    }

    public Task NameAsync(uint number, string path) => SendAsync(RpcFrameKind.Name, number, Text(path, 2));

    public Task RequestAsync(uint call, ushort number, byte[] message, FrameFlags flags = FrameFlags.None)
        => SendAsync(RpcFrameKind.Request, call, [(byte)number, (byte)(number >> 8), .. message], flags);

    public Task SendAsync(RpcFrameKind kind, uint call, byte[] body, FrameFlags flags = FrameFlags.None)
    {
        var frame = new byte[FrameFormat.HeaderBytes + body.Length];
        BinaryPrimitives.WriteInt32LittleEndian(frame, frame.Length - FrameFormat.LengthBytes);
        frame[4] = (byte)kind;
        frame[5] = (byte)flags;
        BinaryPrimitives.WriteUInt32LittleEndian(frame.AsSpan(6), call);
        body.CopyTo(frame, FrameFormat.HeaderBytes);
        return SendAsync(frame);
    }

    public async Task SendAsync(ReadOnlyMemory<byte> bytes) => await stream.WriteAsync(bytes);

    public async Task<(RpcFrameKind Kind, uint Call, byte[] Body)> ReadAsync()
    {
        var head = new byte[FrameFormat.HeaderBytes];
        await stream.ReadExactlyAsync(head);
        var body = new byte[BinaryPrimitives.ReadInt32LittleEndian(head) - FrameFormat.MinLength];
        await stream.ReadExactlyAsync(body);
        return ((RpcFrameKind)head[4], BinaryPrimitives.ReadUInt32LittleEndian(head.AsSpan(6)), body);
    }

    /// <summary>Reads the failure of a call.</summary>
    public async Task<(RpcStatus Status, string Message)> ReadFailureAsync(uint call)
    {
        while (true)
        {
            var (kind, of, body) = await ReadAsync();
            if (of != call)
                continue;
            Assert.Equal(RpcFrameKind.Error, kind);
            Assert.True(ErrorFrame.TryRead(body, out var failure));
            return (failure.Status, failure.Message);
        }
    }

    public void Dispose() => stream.Dispose();
}
