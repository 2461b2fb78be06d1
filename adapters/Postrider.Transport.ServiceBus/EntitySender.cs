using System.Collections.Concurrent;
using System.Threading.Channels;
using Amqp;
using Amqp.Framing;
using Microsoft.Extensions.Logging;

namespace Postrider.Transport.ServiceBus;

/// <summary>Sends to one queue or topic: messages sent while the maximum number of transfers is pending are sent as a batch.</summary>
/// <remarks>Thread-safe. One for each queue or topic of a transport. The link is opened again after it was lost.</remarks>
internal sealed partial class EntitySender : IAsyncDisposable
{
    // Microsoft's format of a message that holds messages.
    private const uint BatchFormat = 0x80013700;

    // A data section in a batch: its descriptor and size.
    private const int SectionBytes = 16;
    private const int BatchOverheadBytes = 512;

    private readonly Channel<PendingMessage> _waiting = Channel.CreateBounded<PendingMessage>(new BoundedChannelOptions(1024) { SingleReader = true });
    private readonly ServiceBusConnection _connection;
    private readonly string _entity;
    private readonly SemaphoreSlim _transfers;
    private readonly ConcurrentDictionary<PendingTransfer, bool> _underWay = new();
    private readonly SemaphoreSlim _opening = new(1); // guards the replacement of _link
    private readonly CancellationTokenSource _ended = new();
    private readonly Task _sending;
    private volatile SenderLink? _link;
    private long _maxBytes;

    internal EntitySender(ServiceBusConnection connection, string entity)
    {
        (_connection, _entity, _transfers) = (connection, entity, new(connection.Options.Throughput.MaxTransfers));
        _sending = Task.Run(SendAllAsync);
    }

    /// <summary>Sends a message and waits until the service has stored it.</summary>
    /// <exception cref="PostriderException"><see cref="PostriderError.NoListener"/>: no such queue or topic;
    /// <see cref="PostriderError.TooLarge"/>; <see cref="PostriderError.QueueFull"/>; <see cref="PostriderError.Configuration"/>: the
    /// credentials, or a source with sessions and a message without a key.</exception>
    /// <exception cref="AmqpException">The service could not be reached, or was busy, in all attempts.</exception>
    internal async ValueTask SendAsync(Func<Message> create, CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        var (policy, pause) = (_connection.Options.Retry.Policy, TimeSpan.Zero);
        for (var attempt = 1; ; attempt++)
        {
            // A message belongs to one transfer.
            var pending = new PendingMessage(create());
            try
            {
                while (!_waiting.Writer.TryWrite(pending))
                    ObjectDisposedException.ThrowIf(!await _waiting.Writer.WaitToWriteAsync(ct).ConfigureAwait(false), typeof(ServiceBusTransport));
                await pending.Outcome.WaitAsync(_connection.Options.Retry.AnswerTimeout, _connection.Time, ct).ConfigureAwait(false);
                return;
            }
            catch (Exception lost) when (ServiceBusErrors.IsLost(lost) && !ct.IsCancellationRequested && !_connection.IsDisposed && policy.TryPlan(lost, attempt, pause, out pause))
            {
                if (ServiceBusErrors.ConditionOf(lost) == ServiceBusErrors.Busy)
                    pause = _connection.Options.Retry.BusyPause;
                // A link that returns no outcome is replaced.
                if (lost is TimeoutException && _link is { } silent)
                    _ = AmqpLinks.CloseAsync(silent);
                LogRepeated(_connection.Logger, _entity, attempt, lost);
            }

            if (pause > TimeSpan.Zero)
                await Task.Delay(pause, _connection.Time, ct).ConfigureAwait(false);
        }
    }

    public async ValueTask DisposeAsync()
    {
        _waiting.Writer.TryComplete();
        await _ended.CancelAsync().ConfigureAwait(false);
        await _sending.ConfigureAwait(false);
        if (_link is { } link)
            await AmqpLinks.CloseAsync(link).ConfigureAwait(false);
    }

    private async Task SendAllAsync()
    {
        PendingMessage? next = null;
        var batch = new List<PendingMessage>();
        try
        {
            while (next is not null || await _waiting.Reader.WaitToReadAsync(_ended.Token).ConfigureAwait(false))
            {
                await _transfers.WaitAsync(_ended.Token).ConfigureAwait(false);
                batch = Collect(ref next);
                if (batch.Count == 0)
                    _transfers.Release();
                else
                    await TransferAsync(batch).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException) when (_ended.IsCancellationRequested)
        {
            // Waiting messages are completed below.
        }

        var gone = new ObjectDisposedException(typeof(ServiceBusTransport).FullName);
        next?.Fail(gone);
        batch.ForEach(pending => pending.Fail(gone));
        while (_waiting.Reader.TryRead(out var waiting))
            waiting.Fail(gone);
    }

    // Takes the waiting messages without waiting for more.
    private List<PendingMessage> Collect(ref PendingMessage? next)
    {
        var batch = new List<PendingMessage>();
        var bytes = (long)BatchOverheadBytes;
        var limit = _maxBytes == 0 ? _connection.Options.Poison.MaxBodyBytes : _maxBytes;
        while (batch.Count < _connection.Options.Throughput.MaxBatch && (next is not null || _waiting.Reader.TryRead(out next)))
        {
            bytes += next.Bytes + SectionBytes;
            if (batch.Count > 0 && (bytes > limit || !string.Equals(batch[0].Session, next.Session, StringComparison.Ordinal)))
                break;
            batch.Add(next);
            next = null;
        }

        return batch;
    }

    private async ValueTask TransferAsync(List<PendingMessage> batch)
    {
        try
        {
            var link = await LinkAsync().ConfigureAwait(false);
            foreach (var large in batch.Where(pending => pending.Bytes > _maxBytes).ToArray())
            {
                batch.Remove(large);
                large.Fail(new PostriderException(PostriderError.TooLarge, $"Message of {large.Bytes} bytes to '{_entity}', with its headers, exceeds the {_maxBytes} bytes that Service Bus at {_connection.Server} accepts there."));
            }

            if (batch.Count == 0)
                _transfers.Release();
            else
                Send(link, batch);
        }
        catch (Exception failure)
        {
            _transfers.Release();
            var told = ServiceBusErrors.Translate(failure, _entity, _connection.Server);
            batch.ForEach(pending => pending.Fail(told));
        }
    }

    private void Send(SenderLink link, List<PendingMessage> batch)
    {
        var transfer = new PendingTransfer(link, batch);
        _underWay[transfer] = true;
        try
        {
            link.Send(batch.Count == 1 ? batch[0].Message : Joined(batch), OnOutcome, transfer);
        }
        catch (Exception failure)
        {
            Fail(transfer, failure);
        }

        // It may have ended before the transfer was registered here.
        if (link.IsClosed)
            OnClosed(link, link.Error);
    }

    // AMQPNetLite reports no outcome for data that was being written when the connection was lost.
    private void OnClosed(SenderLink link, Error? error)
    {
        foreach (var transfer in _underWay.Keys)
        {
            if (ReferenceEquals(transfer.Link, link))
                Fail(transfer, new AmqpException(error ?? new Error(ErrorCode.DetachForced) { Description = "The link was closed." }));
        }
    }

    private void Fail(PendingTransfer transfer, Exception failure)
    {
        if (!_underWay.TryRemove(transfer, out _) || !transfer.TryEnd())
            return;
        _transfers.Release();
        var told = ServiceBusErrors.Translate(failure, _entity, _connection.Server);
        transfer.Messages.ForEach(pending => pending.Fail(told));
    }

    // Called on the client's thread.
    private void OnOutcome(ILink link, Message message, Outcome outcome, object state)
    {
        var transfer = (PendingTransfer)state;
        _underWay.TryRemove(transfer, out _);
        if (!transfer.TryEnd())
            return;
        var batch = transfer.Messages;
        _transfers.Release();
        if (outcome is Accepted)
        {
            batch.ForEach(static pending => pending.Complete());
            return;
        }

        var error = outcome is Rejected rejected ? new AmqpException(rejected.Error ?? new Error(ErrorCode.InternalError)) : new AmqpException(ErrorCode.MessageReleased, "The service did not accept the message.");
        var told = ServiceBusErrors.Translate(error, _entity, _connection.Server);
        if (batch.Count > 1 && told is PostriderException && !link.IsClosed)
            _ = Task.Run(() => SendEachAsync(batch));
        else
            batch.ForEach(pending => pending.Fail(told));
    }

    // The service accepts a batch as a whole or not at all: sending each message separately shows which one it rejects.
    private async Task SendEachAsync(List<PendingMessage> batch)
    {
        foreach (var pending in batch)
        {
            await _transfers.WaitAsync(CancellationToken.None).ConfigureAwait(false);
            await TransferAsync([pending]).ConfigureAwait(false);
            await pending.Outcome.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default).ConfigureAwait(false);
        }
    }

    private static Message Joined(List<PendingMessage> batch)
    {
        var sections = new DataList();
        foreach (var pending in batch)
            sections.Add(new Data { Buffer = pending.Encoded });
        var joined = new Message { Format = BatchFormat, BodySection = sections };
        if (batch[0].Session is { } session)
            joined.Properties = new Properties { GroupId = session };
        return joined;
    }

    private async ValueTask<SenderLink> LinkAsync()
    {
        if (_link is { IsClosed: false } open)
            return open;
        await _opening.WaitAsync(_ended.Token).ConfigureAwait(false);
        try
        {
            if (_link is { IsClosed: false } opened)
                return opened;
            if (_link is { } lost)
                _ = AmqpLinks.CloseAsync(lost);
            var connection = await _connection.OpenAsync(_ended.Token).ConfigureAwait(false);
            (var link, _maxBytes) = await connection.OpenSenderAsync(_entity, _ended.Token).ConfigureAwait(false);
            link.AddClosedCallback((_, error) => OnClosed(link, error));
            return _link = link;
        }
        finally
        {
            _opening.Release();
        }
    }

    [LoggerMessage(2, LogLevel.Warning, "A message to '{Entity}' was not confirmed (attempt {Attempt}) and will be sent again.")]
    private static partial void LogRepeated(ILogger logger, string entity, int attempt, Exception error);
}
