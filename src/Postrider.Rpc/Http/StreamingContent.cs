using System.IO.Pipelines;
using System.Net;
using System.Net.Http.Headers;

namespace Postrider.Rpc.Http;

/// <summary>A body of a message and the caller's items.</summary>
internal sealed class StreamingContent<TRequest, TItem> : HttpContent
{
    private readonly StreamFormat _format;
    private readonly RpcFormatter<TRequest> _messageFormatter;
    private readonly RpcFormatter<TItem> _itemFormatter;
    private readonly TRequest _message;
    private readonly IAsyncEnumerable<TItem> _items;
    private readonly CancellationTokenSource _end;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _hasBegun;

    public StreamingContent(
        StreamFormat format, RpcFormatter<TRequest> messageFormatter, RpcFormatter<TItem> itemFormatter, TRequest message, IAsyncEnumerable<TItem> items, DeadlineTokenSource end)
    {
        (_format, _messageFormatter, _itemFormatter, _message, _items, _end) = (format, messageFormatter, itemFormatter, message, items, CancellationTokenSource.CreateLinkedTokenSource(end.Token));
        Headers.ContentType = new MediaTypeHeaderValue(format.ContentType);
    }

    /// <summary>The exception of the caller's own stream, or of a codec that cannot write an item: the call cannot succeed.</summary>
    public Exception? Failure { get; private set; }

    /// <summary>The caller's stream is not read any more.</summary>
    public Task Ended => _hasBegun ? _ended.Task : Task.CompletedTask;

    protected override Task SerializeToStreamAsync(Stream stream, TransportContext? context) => SerializeToStreamAsync(stream, context, CancellationToken.None);

    protected override async Task SerializeToStreamAsync(Stream stream, TransportContext? context, CancellationToken cancellationToken)
    {
        _hasBegun = true;
        try
        {
            await SendAsync(PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true)), cancellationToken).ConfigureAwait(false);
        }
        catch (RpcException unwritable)
        {
            Failure ??= unwritable;
            throw;
        }
        finally
        {
            _ended.TrySetResult();
        }
    }

    protected override bool TryComputeLength(out long length)
    {
        length = 0;
        return false;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && Ended.IsCompleted)
            _end.Dispose();
        base.Dispose(disposing);
    }

    private async Task SendAsync(PipeWriter output, CancellationToken ct)
    {
        var items = new Noted(this, _items.GetAsyncEnumerator(_end.Token));
        await using (items.ConfigureAwait(false))
        {
            _format.WriteMessage(output, _messageFormatter, _message);
            await output.FlushAsync(ct).ConfigureAwait(false);
            if (await items.MoveNextAsync().ConfigureAwait(false))
                await StreamItemWriter.WriteAsync(items, output, _format, _itemFormatter, _end, ct).ConfigureAwait(false);
            await output.FlushAsync(ct).ConfigureAwait(false);
        }
    }

    // Distinguishes exceptions of the caller's stream from those of the connection.
    private sealed class Noted(StreamingContent<TRequest, TItem> content, IAsyncEnumerator<TItem> items) : IAsyncEnumerator<TItem>
    {
        public TItem Current => items.Current;

        public async ValueTask<bool> MoveNextAsync()
        {
            try
            {
                return await items.MoveNextAsync().ConfigureAwait(false);
            }
            catch (Exception failure) when (!content._end.Token.IsCancellationRequested)
            {
                content.Failure = failure;
                throw;
            }
        }

        public ValueTask DisposeAsync() => items.DisposeAsync();
    }
}
