// Hot path: OperationHandler, SoapBody -> this -> Kestrel. Allocations: none of its own.
using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Http;

namespace Postrider.Rpc.Server;

/// <summary>A request's body as contiguous memory. A body received in several segments is copied as it arrives, so that the connection
/// can reuse its blocks.</summary>
internal readonly struct ContiguousBody
{
    private const int FirstBytes = 16 * 1024;

    private readonly byte[]? _rented;
    private readonly PipeReader? _held;
    private readonly SequencePosition _end;

    private ContiguousBody(ReadOnlyMemory<byte> bytes, byte[]? rented, PipeReader? held, SequencePosition end) => (Bytes, _rented, _held, _end) = (bytes, rented, held, end);

    /// <summary>Valid until <see cref="Release"/>.</summary>
    public ReadOnlyMemory<byte> Bytes { get; }

    /// <summary>Receives the body.</summary>
    /// <exception cref="RpcException"><see cref="RpcStatus.TooLarge"/>.</exception>
    public static async ValueTask<ContiguousBody> ReceiveAsync(HttpContext http, int maxBytes)
    {
        var stated = http.Request.ContentLength;
        if (stated > maxBytes)
            throw TooLarge(stated.Value, maxBytes);
        var reader = http.Request.BodyReader;
        var read = await reader.ReadAsync(http.RequestAborted).ConfigureAwait(false);
        if (read.IsCompleted && read.Buffer.IsSingleSegment && read.Buffer.Length <= maxBytes)
            return new ContiguousBody(read.Buffer.First, null, reader, read.Buffer.End);

        var length = 0;
        byte[] bytes = [];
        try
        {
            while (true)
            {
                if (length + read.Buffer.Length > maxBytes)
                    throw TooLarge(length + read.Buffer.Length, maxBytes);
                var total = length + (int)read.Buffer.Length;
                if (total > bytes.Length)
                    bytes = Larger(bytes, length, stated >= total ? (int)stated : Math.Max(Math.Max(total, FirstBytes), bytes.Length * 2));
                read.Buffer.CopyTo(bytes.AsSpan(length));
                length = total;
                reader.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                    return new ContiguousBody(bytes.AsMemory(0, length), bytes, null, default);
                read = await reader.ReadAsync(http.RequestAborted).ConfigureAwait(false);
            }
        }
        catch
        {
            Return(bytes);
            throw;
        }
    }

    /// <summary>Releases the bytes. Call exactly once.</summary>
    public void Release()
    {
        _held?.AdvanceTo(_end);
        if (_rented is not null)
            Return(_rented);
    }

    private static byte[] Larger(byte[] bytes, int length, int wanted)
    {
        var larger = ArrayPool<byte>.Shared.Rent(wanted);
        bytes.AsSpan(0, length).CopyTo(larger);
        Return(bytes);
        return larger;
    }

    private static void Return(byte[] bytes)
    {
        if (bytes.Length > 0)
            ArrayPool<byte>.Shared.Return(bytes);
    }

    private static RpcException TooLarge(long bytes, int maxBytes) => new(RpcStatus.TooLarge, $"A message of {bytes} bytes exceeds the limit {maxBytes}.");
}
