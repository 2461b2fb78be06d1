using System.Buffers;

namespace Postrider.Rpc.Codecs;

/// <summary>A file, which no codec writes: HTTP sends its bytes without one.</summary>
internal sealed class FileFormatter : RpcFormatter<RpcFile>
{
    public static readonly FileFormatter Instance = new();

    public override void Write(IBufferWriter<byte> output, RpcFile value)
    {
        value?.Dispose();
        throw Unsupported();
    }

    public override RpcFile Read(in ReadOnlySequence<byte> input) => throw Unsupported();

    private static RpcException Unsupported() => new(RpcStatus.Unsupported, "Files are supported over HTTP only.");
}
