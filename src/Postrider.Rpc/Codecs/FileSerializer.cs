using System.Buffers;
using Postrider.Serialization;

namespace Postrider.Rpc.Codecs;

/// <summary>A file, which no codec writes: HTTP sends its bytes without one.</summary>
internal sealed class FileSerializer : Serializer<RpcFile>
{
    public static readonly RpcFormatter<RpcFile> Formatter = new(new FileSerializer());

    public override string ContentType => "application/octet-stream";

    public override void Write(IBufferWriter<byte> output, RpcFile value)
    {
        value?.Dispose();
        throw Unsupported();
    }

    public override RpcFile Read(ReadOnlySpan<byte> input) => throw Unsupported();

    private static RpcException Unsupported() => new(RpcStatus.Unsupported, "Files are supported over HTTP only.");
}
