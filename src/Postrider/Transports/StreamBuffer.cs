using System.Buffers;
using Postrider.Envelopes;
using Postrider.Middleware;

namespace Postrider.Transports;

/// <summary>The items between the handler of a stream request and the replies that transfer them.</summary>
/// <remarks>One thread adds and one takes, concurrently. The handler waits while a full page has not been taken, so that at most
/// <see cref="PageBytes"/> and one item are held.</remarks>
internal sealed class StreamBuffer(TimeProvider clock)
{
    // A page of this size takes about as long to send as its request; larger ones were not faster over NATS on the loopback.
    internal const int PageBytes = 64 * 1024;

    private readonly Lock _gate = new(); // guards the fields below except _item
    private readonly ArrayBufferWriter<byte> _item = new();
    private ArrayBufferWriter<byte> _page = new();
    private string? _contentType;
    private FailureKind? _failure;
    private bool _hasEnded;
    private TaskCompletionSource? _filled;
    private TaskCompletionSource? _taken;

    /// <summary>Adds an item, and waits while the page is full.</summary>
    internal async ValueTask AddAsync<TItem>(TItem item, EnvelopeSerializer<TItem> serializer, string? preferred, CancellationToken ct)
    {
        _item.ResetWrittenCount();
        var contentType = serializer.Write(item, preferred, _item);
        Task? full;
        lock (_gate)
        {
            StreamPage.Add(_page, _item.WrittenSpan);
            _contentType = contentType;
            _filled?.TrySetResult();
            full = _page.WrittenCount < PageBytes ? null : (_taken ??= new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }

        if (full is not null)
            await full.WaitAsync(ct).ConfigureAwait(false);
    }

    /// <summary>The handler has ended.</summary>
    /// <param name="failure">How it failed; null if it did not.</param>
    internal void End(FailureKind? failure)
    {
        lock (_gate)
        {
            (_hasEnded, _failure) = (true, failure);
            _filled?.TrySetResult();
        }
    }

    /// <summary>Takes the available items; waits for an item if there is none, at most the given time.</summary>
    /// <returns>The items; the last page has them all, and the failure.</returns>
    internal async ValueTask<Page> TakeAsync(TimeSpan patience, CancellationToken ct)
    {
        Task? filled;
        lock (_gate)
        {
            filled = _page.WrittenCount > 0 || _hasEnded ? null : (_filled = new(TaskCreationOptions.RunContinuationsAsynchronously)).Task;
        }

        if (filled is not null)
        {
            try
            {
                await filled.WaitAsync(patience, clock, ct).ConfigureAwait(false);
            }
            catch (TimeoutException)
            {
                // An empty page: the caller requests the next one, so both sides know that the other one is still there.
            }
        }

        lock (_gate)
        {
            var taken = new Page(_page.WrittenMemory, _contentType, _hasEnded, _failure);
            _page = new();
            _filled = null;
            _taken?.TrySetResult();
            _taken = null;
            return taken;
        }
    }

    /// <summary>Some items.</summary>
    /// <param name="Items">As <see cref="StreamPage"/> reads them.</param>
    /// <param name="ContentType">Their media type; null if there was none yet.</param>
    /// <param name="IsLast">No more items will follow.</param>
    /// <param name="Failure">The failure of the stream after these items.</param>
    internal readonly record struct Page(ReadOnlyMemory<byte> Items, string? ContentType, bool IsLast, FailureKind? Failure);
}
