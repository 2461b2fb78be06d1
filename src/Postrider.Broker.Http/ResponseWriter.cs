using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>Writes the bodies of responses to clients that may not read them.</summary>
internal static class ResponseWriter
{
    /// <summary>How long a client may take to read 64 KiB before it is disconnected.</summary>
    internal static readonly TimeSpan WriteLimit = TimeSpan.FromSeconds(30);

    // What is written is copied by the server, so that a large body is written in pieces.
    private const int PieceBytes = 64 * 1024;

    /// <summary>Writes bytes.</summary>
    /// <param name="context">The request.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="time">Measures <see cref="WriteLimit"/>.</param>
    /// <param name="ct">Ends the write.</param>
    /// <exception cref="OperationCanceledException">The client read too slowly and was disconnected, or the write was ended.</exception>
    internal static async Task WriteAsync(HttpContext context, ReadOnlyMemory<byte> bytes, TimeProvider time, CancellationToken ct)
    {
        using var late = new CancellationTokenSource(WriteLimit, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(ct, late.Token);
        try
        {
            do
            {
                var piece = bytes[..Math.Min(bytes.Length, PieceBytes)];
                await context.Response.Body.WriteAsync(piece, either.Token).ConfigureAwait(false);
                await context.Response.Body.FlushAsync(either.Token).ConfigureAwait(false);
                bytes = bytes[piece.Length..];
                late.CancelAfter(WriteLimit);
            }
            while (bytes.Length > 0);
        }
        catch (OperationCanceledException) when (late.IsCancellationRequested)
        {
            context.Abort();
            throw;
        }
    }
}
