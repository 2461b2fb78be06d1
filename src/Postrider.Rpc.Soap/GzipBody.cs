using System.Buffers;
using System.IO.Compression;

namespace Postrider.Rpc.Soap;

/// <summary>Bodies in gzip.</summary>
internal static class GzipBody
{
    public const string Name = "gzip";

    // Below this size the body grows, or is sent in one packet in any case.
    public const int MinBytes = 1024;

    private const int Chunk = 16 * 1024;

    public static byte[] Compress(ReadOnlySpan<byte> bytes)
    {
        using var output = new MemoryStream(bytes.Length / 4);
        using (var gzip = new GZipStream(output, CompressionLevel.Fastest, leaveOpen: true))
            gzip.Write(bytes);
        return output.ToArray();
    }

    /// <summary>Decompresses a body; the size of the result is limited, however small the body is.</summary>
    /// <exception cref="RpcException"><see cref="RpcStatus.TooLarge"/>, or <see cref="RpcStatus.InvalidData"/>: it is not gzip.</exception>
    public static async ValueTask<ReadOnlyMemory<byte>> UnpackAsync(Stream body, int maxBytes, CancellationToken ct)
    {
        var output = new ArrayBufferWriter<byte>(Chunk);
        var gzip = new GZipStream(body, CompressionMode.Decompress, leaveOpen: true);
        await using (gzip.ConfigureAwait(false))
        {
            try
            {
                while (true)
                {
                    var read = await gzip.ReadAsync(output.GetMemory(Chunk), ct).ConfigureAwait(false);
                    if (read == 0)
                        return output.WrittenMemory;
                    output.Advance(read);
                    if (output.WrittenCount > maxBytes)
                        throw new RpcException(RpcStatus.TooLarge, $"The decompressed body exceeds the limit {maxBytes}.");
                }
            }
            catch (InvalidDataException bad)
            {
                throw new RpcException(RpcStatus.InvalidData, $"The body is not valid {Name}.", bad);
            }
        }
    }
}
