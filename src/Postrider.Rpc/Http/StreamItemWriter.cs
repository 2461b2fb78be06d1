using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;

namespace Postrider.Rpc.Http;

/// <summary>Writes items into a body as they are produced.</summary>
internal static class StreamItemWriter
{
    // Items that are available already are sent together, up to the size of a few packets.
    private const int MaxUnflushedBytes = 16 * 1024;

    /// <summary>Writes the enumerator's current item and all that follow.</summary>
    /// <param name="items">Positioned at an item; not disposed, and idle when this returns or throws.</param>
    /// <param name="output">The body.</param>
    /// <param name="format">The format of the items.</param>
    /// <param name="formatter">Writes an item.</param>
    /// <param name="end">Cancelled when the body accepts no more data, so that the items end.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <exception cref="OperationCanceledException">The reader is gone.</exception>
    [SuppressMessage("Reliability", "CA2012", Justification = "The next item is asked for while the last is sent, and awaited once.")]
    public static async Task WriteAsync<T>(IAsyncEnumerator<T> items, PipeWriter output, StreamWriteFormat format, RpcFormatter<T> formatter, CancellationTokenSource end, CancellationToken ct)
    {
        var unflushed = 0;
        while (true)
        {
            unflushed += format.Write(output, formatter, items.Current);
            var next = items.MoveNextAsync();
            if (!next.IsCompleted || unflushed >= MaxUnflushedBytes)
            {
                if (await TryFlushAsync(output, ct).ConfigureAwait(false) is { } gone)
                {
                    await EndAsync(next, end).ConfigureAwait(false);
                    throw gone;
                }

                unflushed = 0;
            }

            if (!await next.ConfigureAwait(false))
                return;
        }
    }

    /// <summary>Sends the written data.</summary>
    /// <returns>Null, or why it cannot be.</returns>
    public static async ValueTask<Exception?> TryFlushAsync(PipeWriter output, CancellationToken ct)
    {
        try
        {
            var flushed = await output.FlushAsync(ct).ConfigureAwait(false);
            return flushed.IsCompleted || flushed.IsCanceled ? new OperationCanceledException("The reader of the stream has disconnected.") : null;
        }
        catch (Exception broken)
        {
            return broken;
        }
    }

    private static async ValueTask EndAsync(ValueTask<bool> next, CancellationTokenSource end)
    {
        await end.CancelAsync().ConfigureAwait(false);
        try
        {
            await next.ConfigureAwait(false);
        }
        catch (Exception)
        {
            // The reader has disconnected: the flush has the reason.
        }
    }
}
