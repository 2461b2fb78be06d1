using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;
using Postrider.Envelopes;
using Postrider.Middleware;

namespace Postrider.Transports;

/// <summary>Handles a stream request to its end.</summary>
/// <param name="envelope">The request.</param>
/// <param name="items">Receives the items.</param>
/// <param name="ct">Cancelled when the stream is no longer wanted.</param>
/// <returns>How it failed; null if it did not.</returns>
internal delegate Task<FailureKind?> StreamHandling(Envelope envelope, StreamBuffer items, CancellationToken ct);

/// <summary>Handles the stream requests of one binding, page by page: the sender requests each further one from an inbox.</summary>
/// <remarks>Thread-safe. Disposing it cancels the streams that are open.</remarks>
internal sealed partial class StreamResponder(ITransport transport, TimeProvider clock, ILogger logger, StreamHandling handle) : IAsyncDisposable
{
    /// <summary>Number of streams of one binding that are open at once; docs/limits.md.</summary>
    internal const int MaxStreams = 1000;

    /// <summary>Requests the next items, in the header <see cref="HeaderNames.Stream"/>.</summary>
    internal const string Next = "next";

    /// <summary>Ends the stream, in the header <see cref="HeaderNames.Stream"/>.</summary>
    internal const string End = "end";

    // Below the request timeouts of transports, which are seconds.
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(1);

    // A sender that requests nothing for this time has ended without notice, or it handles the items too slowly.
    private static readonly TimeSpan s_idle = TimeSpan.FromSeconds(30);

    private readonly ITransport _transport = transport;
    private readonly TimeProvider _clock = clock;
    private readonly ILogger _logger = logger;
    private readonly StreamHandling _handle = handle;
    private readonly ConcurrentDictionary<OpenStream, byte> _open = new();
    private int _count;

    /// <summary>Starts a stream and replies with its first items.</summary>
    internal async ValueTask<Envelope?> ReceiveAsync(Envelope request, CancellationToken ct)
    {
        if (request.ReplyTo is null)
            return null;
        if (Interlocked.Increment(ref _count) > MaxStreams)
        {
            Interlocked.Decrement(ref _count);
            return Answer(request, new(default, null, IsLast: true, FailureKind.Of(new PostriderException(PostriderError.QueueFull, "Too many streams are open."))), inbox: null);
        }

        var stream = new OpenStream(this, Own(request));
        _open.TryAdd(stream, 0);
        stream.Start();
        try
        {
            return await stream.FirstAsync(request, ct).ConfigureAwait(false);
        }
        catch
        {
            await stream.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var stream in _open.Keys)
            await stream.DisposeAsync().ConfigureAwait(false);
    }

    // The bytes of an envelope are valid until the reply is sent, which is long before the stream ends.
    private static Envelope Own(Envelope request) => new()
    {
        Destination = request.Destination,
        ReplyTo = request.ReplyTo,
        Headers = request.Headers,
        Body = request.Body.ToArray(),
    };

    private static Envelope Answer(Envelope request, in StreamBuffer.Page page, string? inbox)
    {
        var headers = new Headers();
        if (page.ContentType is not null)
            headers.Add(HeaderNames.ContentType, page.ContentType);
        if (inbox is not null)
            headers.Add(HeaderNames.Stream, inbox);
        if (page.Failure is { } failure)
        {
            headers.Add(HeaderNames.Error, failure.Text.ReplaceLineEndings(" "));
            headers.Add(HeaderNames.ErrorCode, failure.Code);
        }

        return new Envelope { Destination = request.ReplyTo!, Headers = headers, Body = page.Items };
    }

    [LoggerMessage(18, LogLevel.Warning, "The stream from '{Source}' was ended: its receiver requested no items for {Idle}.")]
    private static partial void LogIdle(ILogger logger, string source, TimeSpan idle);

    [LoggerMessage(19, LogLevel.Warning, "The inbox of a stream from '{Source}' could not be closed.")]
    private static partial void LogNotClosed(ILogger logger, string source, Exception error);

    /// <summary>A stream whose items were not all taken.</summary>
    private sealed class OpenStream : IAsyncDisposable
    {
        private readonly StreamResponder _owner;
        private readonly Envelope _request;
        private readonly StreamBuffer _items;
        private readonly CancellationTokenSource _unwanted = new();
        private readonly ITimer _idle;
        private readonly Lock _ending = new(); // guards _isEnding and _ended
        private Task _handling = Task.CompletedTask;
        private IAsyncDisposable? _listener;
        private bool _isEnding;
        private Task? _ended;

        internal OpenStream(StreamResponder owner, Envelope request)
        {
            (_owner, _request, _items) = (owner, request, new StreamBuffer(owner._clock));
            _idle = owner._clock.CreateTimer(static stream => ((OpenStream)stream!).OnIdle(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        }

        internal void Start() => _handling = HandleAsync();

        internal async ValueTask<Envelope> FirstAsync(Envelope request, CancellationToken ct)
        {
            var page = await _items.TakeAsync(s_patience, ct).ConfigureAwait(false);
            if (page.IsLast)
            {
                _ = EndAsync();
                return Answer(request, in page, inbox: null);
            }

            var inbox = _owner._transport.NewInbox();
            _listener = await _owner._transport.ListenAsync(new TransportBinding(inbox) { MaxConcurrency = 1 }, NextAsync, ct).ConfigureAwait(false);
            _idle.Change(s_idle, Timeout.InfiniteTimeSpan);
            return Answer(request, in page, inbox);
        }

        public async ValueTask DisposeAsync() => await EndAsync().ConfigureAwait(false);

        private async ValueTask<Envelope?> NextAsync(Envelope request, CancellationToken ct)
        {
            _idle.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
            if (request.ReplyTo is null || request.Headers[HeaderNames.Stream] == End)
            {
                _ = EndAsync();
                return null;
            }

            var page = await _items.TakeAsync(s_patience, ct).ConfigureAwait(false);
            if (page.IsLast)
                _ = EndAsync(); // not awaited: closing the inbox waits for this reply
            else
                _idle.Change(s_idle, Timeout.InfiniteTimeSpan);
            return Answer(request, in page, page.IsLast ? null : request.Destination);
        }

        private async Task HandleAsync()
        {
            // The first reply does not wait for a handler that computes before it yields.
            await Task.Yield();
            FailureKind? failure;
            try
            {
                failure = await _owner._handle(_request, _items, _unwanted.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_unwanted.IsCancellationRequested)
            {
                failure = FailureKind.Stopped;
            }

            _items.End(failure);
        }

        private void OnIdle()
        {
            LogIdle(_owner._logger, _request.Destination, s_idle);
            _ = EndAsync();
        }

        private Task EndAsync()
        {
            lock (_ending)
            {
                if (!_isEnding)
                {
                    _isEnding = true;
                    _ended = CloseAsync();
                }

                return _ended!;
            }
        }

        private async Task CloseAsync()
        {
            await Task.Yield(); // outside the lock, and outside the reply that found the end
            await _unwanted.CancelAsync().ConfigureAwait(false);
            await _handling.ConfigureAwait(false);
            try
            {
                if (_listener is not null)
                    await _listener.DisposeAsync().ConfigureAwait(false);
            }
            catch (Exception error)
            {
                LogNotClosed(_owner._logger, _request.Destination, error);
            }

            await _idle.DisposeAsync().ConfigureAwait(false);
            _unwanted.Dispose();
            if (_owner._open.TryRemove(this, out _))
                Interlocked.Decrement(ref _owner._count);
        }
    }
}
